// One world alone; the order of the stages stands in step/step_kernel.h.
#include "step/forward.h"

#include "step/step_kernel.h"
#include "step/world.h"

namespace sinew::inline step {

void Forward(const mjModel* m, mjData* d) { ForwardSkip(m, d, mjSTAGE_NONE, false); }
void ForwardSkip(const mjModel* m, mjData* d, int skip_stage, bool skip_sensors) {
  ForwardStages(World(m, d), skip_stage, skip_sensors);
}

void PositionStage(const mjModel* m, mjData* d, bool skip_sensors) { PositionHalf(World(m, d), skip_sensors); }
void VelocityStage(const mjModel* m, mjData* d, bool skip_sensors) { VelocityHalf(World(m, d), skip_sensors); }
void AccelerationStage(const mjModel* m, mjData* d) { AccelerationHalf(World(m, d), /*skip_sensors=*/false); }

void FwdKinematics(const mjModel* m, mjData* d) { KinematicStages(World(m, d)); }
void FwdPosition(const mjModel* m, mjData* d) { PositionStages(World(m, d)); }
void FwdVelocity(const mjModel* m, mjData* d) { VelocityStages(World(m, d)); }
void FwdActuation(const mjModel* m, mjData* d) { ActuationStage(World(m, d)); }
void FwdAcceleration(const mjModel* m, mjData* d) { SmoothAcceleration(m, d); }
void FwdConstraint(const mjModel* m, mjData* d) { ConstraintStage(World(m, d)); }

}  // namespace sinew::inline step
