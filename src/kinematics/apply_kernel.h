// Wrenches on bodies as generalized forces.
#ifndef SINEW_KINEMATICS_APPLY_KERNEL_H_
#define SINEW_KINEMATICS_APPLY_KERNEL_H_

#include <cstdint>
#include <type_traits>

#include "kinematics/com_kernel.h"
#include "math/spatial.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// Adds the generalized force of a wrench about o on the body, J' wrench, to qfrc where the mask is set.
template <class S>
void AddWrench(const ModelView<S>& m, const DataView<S>& d, const Spatial<S>& wrench, int body, MaskOf<S> active,
               S* qfrc) {
  const int mover = m.body_weldid(body);
  if (m.body_dofnum(mover) == 0) return;
  for (int i = m.body_dofadr(mover) + m.body_dofnum(mover) - 1; i >= 0; i = m.dof_parentid(i)) {
    qfrc[i] = Select(active, qfrc[i] + Dot(d.cdof(i), wrench), qfrc[i]);
  }
}

// The wrench about o of a force that acts at a point of the body, and a torque.
template <class S>
Spatial<S> WrenchAt(const ModelView<S>& m, const DataView<S>& d, const Vec3<S>& force, const Vec3<S>& torque,
                    const Vec3<S>& point, int body) {
  return {torque + Cross(point - TreeCenter(m, d, body), force), force};
}

// Whether no wrench at all is applied to a world alone: the usual case, found faster than row by row.
template <class S>
bool NothingApplied(const ModelView<S>& m, const DataView<S>& d) {
  if constexpr (std::is_same_v<S, double>) {
    int64_t bits = 0;
    for (int i = 6; i < 6 * m.nbody(); ++i) bits |= ToBits(d.xfrc_applied_data()[i]);
    return bits << 1 == 0;
  } else {
    return false;
  }
}

// Adds the generalized force of xfrc_applied (force, torque), which acts at the bodies' centres of mass. The world's
// row has no effect. Rows are mostly zero, and then left out.
template <class S>
void XfrcAccumulate(const ModelView<S>& m, const DataView<S>& d, S* qfrc) {
  if (NothingApplied(m, d)) return;
  for (int b = 1; b < m.nbody(); ++b) {
    const S* row = d.xfrc_applied_data() + 6 * b;
    const Vec3<S> force = LoadVec3(row), torque = LoadVec3(row + 3);
    const MaskOf<S> active = Dot(force, force) + Dot(torque, torque) != S(0);
    if (Any(active)) AddWrench(m, d, WrenchAt(m, d, force, torque, d.xipos(b), b), b, active, qfrc);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_APPLY_KERNEL_H_
