// Instantiates the velocity kernels for one world, on the widest instructions that the processor has.
#include "kinematics/velocity.h"

#include "kinematics/velocity_kernel.h"
#include "simd/flatten.h"

namespace sinew::inline kinematics {

SINEW_DISPATCH void ComVel(const mjModel* m, mjData* d) { ComVel<mjtNum>(m, d); }
SINEW_FLATTEN void SubtreeVel(const mjModel* m, mjData* d) { SubtreeVel<mjtNum>(m, d); }
SINEW_DISPATCH void TendonVelocity(const mjModel* m, mjData* d) { TendonVelocity<mjtNum>(m, d); }
SINEW_DISPATCH void ActuatorVelocity(const mjModel* m, mjData* d) { ActuatorVelocity<mjtNum>(m, d); }

}  // namespace sinew::inline kinematics
