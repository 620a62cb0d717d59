// Forward dynamics: from state and controls to acceleration, in the order of the stages (docs/how/step.md).
#ifndef SINEW_STEP_FORWARD_H_
#define SINEW_STEP_FORWARD_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// All stages, from positions to accelerations and sensors.
void Forward(const mjModel* m, mjData* d);

// The same, skipping what a caller knows to be unchanged: nothing (mjSTAGE_NONE), the position stage (mjSTAGE_POS), or
// the position and velocity stages (mjSTAGE_VEL). With skip_sensors no sensor is evaluated.
void ForwardSkip(const mjModel* m, mjData* d, int skip_stage, bool skip_sensors);

// The stages.
void FwdKinematics(const mjModel* m, mjData* d);
void FwdPosition(const mjModel* m, mjData* d);
void FwdVelocity(const mjModel* m, mjData* d);
void FwdActuation(const mjModel* m, mjData* d);
void FwdAcceleration(const mjModel* m, mjData* d);
void FwdConstraint(const mjModel* m, mjData* d);

// Position, velocity and acceleration stages with their sensors and energy.
void PositionStage(const mjModel* m, mjData* d, bool skip_sensors);
void VelocityStage(const mjModel* m, mjData* d, bool skip_sensors);
void AccelerationStage(const mjModel* m, mjData* d);

// Bad values in the state (NaN, or larger than 1e10 in size): a warning, and a reset unless autoreset is disabled.
// The text of the warning names the number in the model or in the inputs that is the cause.
// After a reset CheckAcc runs Forward, so that the accelerations belong to the new state. It returns false where they
// are bad again, because the model is: they are zero then, and the world must not be moved.
void CheckPos(const mjModel* m, mjData* d);
void CheckVel(const mjModel* m, mjData* d);
bool CheckAcc(const mjModel* m, mjData* d);

// Warns of numbers in the model that are not finite, also where no coordinate shows it: in the first step after a reset
// looks at all, in later ones at an array each.
void WatchNumbers(const mjModel* m, mjData* d);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_FORWARD_H_
