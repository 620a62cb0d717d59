// Instantiates the generalized forces of wrenches for one world.
#include "kinematics/apply.h"

#include "kinematics/apply_kernel.h"

namespace sinew::inline kinematics {

void ApplyFT(const mjModel* m, const mjData* d, const mjtNum* force, const mjtNum* torque, const mjtNum point[3],
             int body, mjtNum* qfrc) {
  const Vec3<mjtNum> f = force ? LoadVec3(force) : Zero3<mjtNum>(), t = torque ? LoadVec3(torque) : Zero3<mjtNum>();
  const ModelView<mjtNum> model(m);
  const DataView<mjtNum> data(const_cast<mjData*>(d));
  AddWrench(model, data, WrenchAt(model, data, f, t, LoadVec3(point), body), body, true, qfrc);
}

void XfrcAccumulate(const mjModel* m, const mjData* d, mjtNum* qfrc) {
  XfrcAccumulate<mjtNum>(m, const_cast<mjData*>(d), qfrc);
}

}  // namespace sinew::inline kinematics
