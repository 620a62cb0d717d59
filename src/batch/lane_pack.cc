#include "batch/lane_pack.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "model/error_control.h"
#include "model/extension.h"

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

namespace {

// ---- what the model has that lanes do not do

bool HasConstraints(const ModelView<mjtNum>& m) {
  const mjModel& raw = *m.raw();
  const auto any = [](const auto* values, mjtSize count) {
    return std::any_of(values, values + count, [](auto value) { return value != 0; });
  };
  if (m.opt_disableflags() & mjDSBL_CONSTRAINT) return false;
  const bool collides = raw.npair > 0 || any(raw.geom_contype, raw.ngeom) || any(raw.geom_conaffinity, raw.ngeom);
  return any(raw.jnt_limited, raw.njnt) || any(raw.tendon_limited, raw.ntendon) || any(raw.dof_frictionloss, raw.nv) ||
         any(raw.tendon_frictionloss, raw.ntendon) || (collides && !(m.opt_disableflags() & mjDSBL_CONTACT));
}

const char* ObstacleInStructure(const ModelView<mjtNum>& m) {
  if (m.nflex() > 0) return "flexes";
  if (m.nplugin() > 0) return "plugins";
  if (FindErrorControl(m.raw())) return "a step of bounded error";
  if (m.nhistory() > 0) return "delays or intervals of sensors";
  if (m.neq() > 0) return "equality constraints";
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!IsFixedTendon(m, t)) return "spatial tendons";
  }
  for (int u = 0; u < m.nu(); ++u) {
    if (IsMusculotendon(m.raw(), u)) return "muscles with tendons";
    if (!HasFixedMomentPattern(m, u)) return "actuators on sites, slider-cranks or bodies";
  }
  return nullptr;
}

// Options and callbacks may be set at any time.
const char* ObstacleInSettings(const ModelView<mjtNum>& m) {
  if (m.raw()->opt.integrator != mjINT_EULER) return "an integrator other than Euler's";
  if (HasConstraints(m)) return "constraints that are not disabled";
  if (m.nsensor() > 0 && !(m.opt_disableflags() & mjDSBL_SENSOR)) return "sensors that are not disabled";
  const int enabled = m.raw()->opt.enableflags;
  if (enabled & mjENBL_SLEEP) return "sleeping enabled";
  if (enabled & mjENBL_ENERGY) return "computation of energy enabled";
  if (enabled & mjENBL_FWDINV) return "comparison with inverse dynamics enabled";
  if (mjcb_control || mjcb_passive || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias || mjcb_sensor ||
      mjcb_contactfilter) {
    return "callbacks of the program";
  }
  return nullptr;
}

void Refuse(const char* obstacle) {
  if (obstacle) throw Error(std::string("the model has ") + obstacle, "compute its worlds one at a time");
}

}  // namespace

const char* ObstacleToLanes(const mjModel& model) {
  const ModelView<mjtNum> m(&model);
  const char* structure = ObstacleInStructure(m);
  return structure ? structure : ObstacleInSettings(m);
}

LanePack::LanePack(const mjModel& m) : LanePack(m, *RunnableLanes().back()) {}

LanePack::LanePack(const mjModel& m, const LaneOps& ops) : m_(m), ops_(&ops), store_(nullptr, Free{&ops}) {
  Refuse(ObstacleToLanes(m));
  store_.reset(ops.make(&m));
  if (!store_) throw Error("not enough memory for a pack of worlds", "use fewer packs");
}

void LanePack::Forward() {
  Refuse(ObstacleInSettings(ModelView<mjtNum>(&m_)));
  ops_->forward(store_.get());
}

void LanePack::Euler() {
  Refuse(ObstacleInSettings(ModelView<mjtNum>(&m_)));
  ops_->euler(store_.get());
}

}  // namespace sinew
