// Instantiates the position kernels for one world, on the widest instructions that the processor has.
#include "kinematics/kinematics.h"

#include "core/stack.h"
#include "kinematics/camlight_kernel.h"
#include "kinematics/com_kernel.h"
#include "kinematics/pose_kernel.h"
#include "simd/flatten.h"

namespace sinew::inline kinematics {
namespace {

SINEW_DISPATCH void ComputeBodyPoses(const mjModel* m, mjData* d, HalfAngle<mjtNum>* half) {
  Kinematics<mjtNum>(m, d, half, AllGeoms());
}
SINEW_DISPATCH void ComputeSleepingPoses(const mjModel* m, mjData* d, HalfAngle<mjtNum>* half) {
  ComputeSleepingPoses<mjtNum>(m, d, half);
}

}  // namespace

void Kinematics(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  ComputeBodyPoses(m, d, frame.Alloc<HalfAngle<mjtNum>>(m->njnt));
}
void ComputeSleepingPoses(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  ComputeSleepingPoses(m, d, frame.Alloc<HalfAngle<mjtNum>>(m->njnt));
}
SINEW_DISPATCH void ComPos(const mjModel* m, mjData* d) { ComPos<mjtNum>(m, d); }
SINEW_FLATTEN void CamLight(const mjModel* m, mjData* d) { CamLight<mjtNum>(m, d); }

}  // namespace sinew::inline kinematics
