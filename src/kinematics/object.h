// Velocity and acceleration of bodies, geoms, sites and cameras.
#ifndef SINEW_KINEMATICS_OBJECT_H_
#define SINEW_KINEMATICS_OBJECT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

// Rotational, then translational velocity of an object at its origin, in world axes, or in the object's with `local`.
// mjOBJ_BODY is the inertial frame, mjOBJ_XBODY the body frame. Objects that are fixed to the world have zero velocity
// and acceleration. Throws for other types and for ids out of range.
void ObjectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local);

// Acceleration in the same form, as an accelerometer measures it: a body at rest accelerates upwards. Needs
// RnePostConstraint.
void ObjectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_OBJECT_H_
