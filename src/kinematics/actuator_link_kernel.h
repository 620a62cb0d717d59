// Actuators whose armature and damping act on a joint or a tendon.
//
// The model caches for each joint and tendon (jnt_actuatorid, tendon_actuatorid): -1 none, an id when there is just
// one, and -2 when there are several and all actuators must be scanned. Their numbers count times the square of the
// gear, whether or not the actuator is enabled.
#ifndef SINEW_KINEMATICS_ACTUATOR_LINK_KERNEL_H_
#define SINEW_KINEMATICS_ACTUATOR_LINK_KERNEL_H_

#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

template <class S, class Visitor>
void ForActuatorsOfJoint(const ModelView<S>& m, int joint, Visitor visit) {
  const int cached = m.jnt_actuatorid(joint);
  if (cached >= 0) visit(cached);
  if (cached >= -1) return;
  for (int u = 0; u < m.nu(); ++u) {
    const int type = m.actuator_trntype(u);
    if ((type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) && m.actuator_trnid(u)[0] == joint) visit(u);
  }
}

template <class S, class Visitor>
void ForActuatorsOfTendon(const ModelView<S>& m, int tendon, Visitor visit) {
  const int cached = m.tendon_actuatorid(tendon);
  if (cached >= 0) visit(cached);
  if (cached >= -1) return;
  for (int u = 0; u < m.nu(); ++u) {
    if (m.actuator_trntype(u) == mjTRN_TENDON && m.actuator_trnid(u)[0] == tendon) visit(u);
  }
}

// Armature of one actuator, seen from its joint or tendon.
template <class S>
S ReflectedArmature(const ModelView<S>& m, int actuator) {
  const S gear = m.actuator_gear(actuator)[0];
  return m.actuator_armature(actuator) * gear * gear;
}

// Armature of a tendon, with that of its actuators.
template <class S>
S TotalTendonArmature(const ModelView<S>& m, int tendon) {
  S armature = m.tendon_armature(tendon);
  ForActuatorsOfTendon(m, tendon, [&](int u) { armature += ReflectedArmature(m, u); });
  return armature;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_ACTUATOR_LINK_KERNEL_H_
