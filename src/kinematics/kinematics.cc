#include "kinematics/kinematics.h"

#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"

namespace sinew {

void Kinematics(const mjModel* m, mjData* d) { Kinematics<mjtNum>(m, d); }
void ComPos(const mjModel* m, mjData* d) { ComPos<mjtNum>(m, d); }
void CamLight(const mjModel* m, mjData* d) { CamLight<mjtNum>(m, d); }

}  // namespace sinew
