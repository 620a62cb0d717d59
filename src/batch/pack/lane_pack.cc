// A pack is a table of functions for one instruction set, its storage, and the worlds of its lanes. Models with
// features that lanes do not compute are refused here, once when the pack is made, and before each call for settings
// that programs may have changed.
#include "batch/pack/lane_pack.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "batch/fallback/lane_worlds.h"
#include "batch/plan/lane_parameters.h"
#include "constraint/metric_row.h"
#include "core/error.h"
#include "integrate/held_rows_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "model/kinds/integrator.h"
#include "model/kinds/motion.h"
#include "model/kinds/speculative.h"
#include "model/kinds/stick.h"
#include "model/kinds/surface.h"
#include "model/storage/error_control.h"

namespace sinew::inline batch {

// The tables that this build has, from the narrowest to the widest; the macros are lists of them (src/CMakeLists.txt).
static constexpr const LaneOps* kDoubleLanes[] = {SINEW_DOUBLE_LANES};
static constexpr const LaneOps* kFloatLanes[] = {SINEW_FLOAT_LANES};

std::vector<const LaneOps*> RunnableLanes(Precision precision) {
  std::span<const LaneOps* const> all = kDoubleLanes;
  if (precision == Precision::kSingle) all = kFloatLanes;
  std::vector<const LaneOps*> lanes;
  std::copy_if(all.begin(), all.end(), std::back_inserter(lanes), [](const LaneOps* ops) { return CanRun(ops->isa); });
  if (lanes.empty()) {
    throw Error(std::string("this build has packs of worlds for ") + all.back()->name +
                " alone, which this machine does not have: build with SINEW_LANES=all");
  }
  return lanes;
}

namespace {

// ---- what the model has that lanes do not do

// In the gap, contacts that stick have another number of rows.
bool SticksAcrossGaps(const mjModel& m) {
  if (!HasAdhesion(&m, FindSurfaces(&m))) return false;
  const auto is_wide = [](mjtNum gap) { return gap != 0; };
  return std::any_of(m.geom_gap, m.geom_gap + m.ngeom, is_wide) ||
         std::any_of(m.pair_gap, m.pair_gap + m.npair, is_wide);
}

// Looks at what the model is made of, which does not change. Returns words for "the model has ...", or null.
const char* ObstacleInStructure(const ModelView<mjtNum>& m) {
  if (m.nflex() > 0) return "flexes";
  if (m.nplugin() > 0) return "plugins";
  if (FindErrorControl(m.raw())) return "a step of bounded error";
  if (m.nhistory() > StickStates(m.raw())) return "delays or intervals of sensors";
  if (PathMotions(m.raw())) return "points of tendons that move, or count in a range of a coordinate";
  if (SticksAcrossGaps(*m.raw())) return "contacts that stick across a gap";
  for (int u = 0; u < m.nu(); ++u) {
    if (!HasFixedMomentPattern(m, u)) return "actuators on sites, slider-cranks or bodies";
  }
  return nullptr;
}

// Options and callbacks may be set at any time.
const char* ObstacleInSettings(const ModelView<mjtNum>& m) {
  const int integrator = m.raw()->opt.integrator;
  if (integrator != mjINT_EULER && integrator != mjINT_RK4 && integrator != mjINT_IMPLICIT &&
      integrator != mjINT_IMPLICITFAST && integrator != kDiscrete) {
    return "an integrator with steps of its own in each world";
  }
  if (HoldsRows(m.raw()) && SolverOfLanes(*m.raw()) != LaneSolver::kSlots) {
    return "equalities that an implicit integrator holds, with another solver than Newton's";
  }
  if (integrator == kDiscrete) {
    if (SolverOfLanes(*m.raw()) != LaneSolver::kSlots)
      return "the integrator discrete with another solver than Newton's";
    for (int t = 0; t < m.ntendon(); ++t) {
      if (HasMetricRow(m.raw(), t)) return "the integrator discrete with forces along tendons over branches";
    }
  }
  const int solver = m.raw()->opt.solver;
  if (solver != mjSOL_NEWTON && solver != mjSOL_CG && solver != mjSOL_PGS) return "a solver that does not exist";
  const int enabled = m.raw()->opt.enableflags;
  if (enabled & mjENBL_SLEEP) return "sleeping enabled";
  if (enabled & mjENBL_ENERGY) return "computation of energy enabled";
  if (enabled & kSpeculative) return "speculative contacts enabled";
  if (enabled & mjENBL_FWDINV) return "comparison with inverse dynamics enabled";
  if (mjcb_control || mjcb_passive || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias || mjcb_sensor ||
      mjcb_contactfilter) {
    return "callbacks of the program";
  }
  return nullptr;
}

// Throws Error where there is an obstacle.
void Refuse(const char* obstacle) {
  if (obstacle) throw Error(std::string("the model has ") + obstacle, "compute its worlds one at a time");
}

}  // namespace

// Returns null for models that run in lanes with the settings that they have now.
const char* ObstacleToLanes(const mjModel& model) {
  const ModelView<mjtNum> m(&model);
  const char* structure = ObstacleInStructure(m);
  return structure ? structure : ObstacleInSettings(m);
}

LanePack::LanePack(const mjModel& m, Precision precision) : LanePack(m, *RunnableLanes(precision).back()) {}

// Worlds come first: the storage is filled from their initial state.
LanePack::LanePack(const mjModel& m, const LaneOps& ops)
    : m_(m), ops_(&ops), worlds_(nullptr, &FreeLaneWorlds), store_(nullptr, Free{&ops}) {
  Refuse(ObstacleToLanes(m));
  status_.resize(static_cast<size_t>(ops.width));
  worlds_.reset(MakeLaneWorlds(m, ops.width));
  if (worlds_) store_.reset(ops.make(&m, worlds_.get()));
  if (!store_) throw Error("not enough memory for a pack of worlds", "use fewer packs");
}

void LanePack::LoadParameter(int lane, const ModelParameter& parameter, const void* row) {
  worlds_->SetParameter(lane, parameter, row);
  const std::optional<ModelField> field = FindLaneField(parameter);
  if (!field && IsOnlySeen(parameter)) return;
  if (!field) throw Error(std::string("lanes share '") + parameter.name + "'");
  if (!ops_->load_parameter(store_.get(), lane, static_cast<int>(*field), static_cast<const mjtNum*>(row),
                            parameter.size)) {
    throw Error("not enough memory for parameters of a pack", "use fewer packs");
  }
}

void LanePack::Forward() {
  Refuse(ObstacleInSettings(ModelView<mjtNum>(&m_)));
  ops_->forward(store_.get());
}

void LanePack::Step() {
  Refuse(ObstacleInSettings(ModelView<mjtNum>(&m_)));
  ops_->step(store_.get(), status_.data());
  if (keeps_forces_) worlds_->MakeIslands();
}

bool LanePack::Linearize(LaneTransition* of_lanes) {
  Refuse(ObstacleInSettings(ModelView<mjtNum>(&m_)));
  return ops_->linearize(store_.get(), of_lanes);
}

void LanePack::Euler() {
  Refuse(ObstacleInSettings(ModelView<mjtNum>(&m_)));
  ops_->euler(store_.get());
}

}  // namespace sinew::inline batch
