#include "batch/lane_pack.h"

#include <string>

#include "core/error.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"

namespace sinew {

std::vector<const LaneOps*> RunnableLanes() {
  std::vector<const LaneOps*> lanes = {&kScalarLanes, &kBaselineLanes};
#if defined(__x86_64__)
  for (const LaneOps* ops : {&kAvx2Lanes, &kAvx512Lanes}) {
    if (CanRun(ops->isa)) lanes.push_back(ops);
  }
#endif
  return lanes;
}

const char* ObstacleToLanes(const mjModel& model) {
  const ModelView<mjtNum> m(&model);
  if (model.nflex > 0) return "flexes";
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!IsFixedTendon(m, t)) return "spatial tendons";
  }
  for (int u = 0; u < m.nu(); ++u) {
    if (!HasFixedMomentPattern(m, u)) return "actuators on sites, slider-cranks or bodies";
  }
  return nullptr;
}

LanePack::LanePack(const mjModel& m) : LanePack(m, *RunnableLanes().back()) {}

LanePack::LanePack(const mjModel& m, const LaneOps& ops) : ops_(&ops), store_(nullptr, Free{&ops}) {
  if (const char* obstacle = ObstacleToLanes(m)) {
    throw Error(std::string("the model has ") + obstacle, "compute its worlds one at a time");
  }
  store_.reset(ops.make(&m));
  if (!store_) throw Error("not enough memory for a pack of worlds", "use fewer packs");
}

void LanePack::SmoothForward() {
  for (const SmoothStage stage : {SmoothStage::kPosition, SmoothStage::kVelocity, SmoothStage::kAcceleration}) {
    ops_->run(store_.get(), stage);
  }
}

}  // namespace sinew
