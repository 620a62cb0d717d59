#include "kinematics/kinematics.h"

#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"
#include "simd/flatten.h"

namespace sinew {

SINEW_FLATTEN void Kinematics(const mjModel* m, mjData* d) { Kinematics<mjtNum>(m, d); }
SINEW_FLATTEN void ComPos(const mjModel* m, mjData* d) { ComPos<mjtNum>(m, d); }
SINEW_FLATTEN void CamLight(const mjModel* m, mjData* d) { CamLight<mjtNum>(m, d); }

}  // namespace sinew
