// Springs and dampers by functions: limit forces of joints, ligaments along tendons (docs/how/passive-elements.md).
//
//   in:  qpos, qvel, ten_length, ten_velocity, ten_J        out: added to qfrc_spring, qfrc_damper
#ifndef SINEW_FORCE_SPRING_LAW_KERNEL_H_
#define SINEW_FORCE_SPRING_LAW_KERNEL_H_

#include "math/scalar.h"
#include "math/sparse.h"
#include "model/kinds/spring_law.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// The springs of an element at a coordinate or length: energy, force, and how fast the force falls with the coordinate.
template <class S>
struct LawSpring {
  S energy, force, slope;
};
template <class S>
LawSpring<S> SpringOf(const SpringLawList& laws, const S& x) {
  LawSpring<S> sum = {S(0), S(0), S(0)};
  for (int i = 0; i < laws.count; ++i) {
    const Jet<S> energy = Evaluate(laws[i].energy, x);
    sum.energy += energy.value;
    sum.force -= energy.slope;
    sum.slope += energy.curvature;
  }
  return sum;
}

// Its dampers: force, and how fast the force falls with the velocity v and with the coordinate; `curvature`: how fast
// the first of these grows with the coordinate.
template <class S>
struct LawDamper {
  S force, slope, by_position, curvature;
};
template <class S>
LawDamper<S> DamperOf(const SpringLawList& laws, const S& x, const S& v) {
  LawDamper<S> sum = {S(0), S(0), S(0), S(0)};
  for (int i = 0; i < laws.count; ++i) {
    const SpringLaw law = laws[i];
    const Jet<S> damping = Evaluate(law.damping, x);
    const S acting = law.only_lengthens ? Max(S(0), v) : v;
    const S share = law.only_lengthens ? Select(v > S(0), S(1), S(0)) : S(1);
    sum.force -= damping.value * acting;
    sum.slope += damping.value * share;
    sum.by_position += damping.slope * acting;
    sum.curvature += damping.slope * share;
  }
  return sum;
}

// Calls visit(joint, laws) for the hinges and slides that have any and are awake.
template <class S, class Visit>
void ForJointLaws(const ModelView<S>& m, const DataView<S>& d, const SpringLaws& laws, const Visit& visit) {
  if (!laws) return;
  for (int joint = 0; joint < m.njnt(); ++joint) {
    const SpringLawList own = laws.OfJoint(joint);
    if (own && IsAwakeBody(m, d, m.jnt_bodyid(joint))) visit(joint, own);
  }
}
// The same for tendons, asleep or not.
template <class S, class Visit>
void ForTendonLaws(const ModelView<S>& m, const SpringLaws& laws, const Visit& visit) {
  if (!laws) return;
  for (int tendon = 0; tendon < m.ntendon(); ++tendon) {
    if (const SpringLawList own = laws.OfTendon(tendon)) visit(tendon, own);
  }
}

template <class S>
S LawCoordinate(const ModelView<S>& m, const DataView<S>& d, int joint) {
  return d.qpos(m.jnt_qposadr(joint));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_SPRING_LAW_KERNEL_H_
