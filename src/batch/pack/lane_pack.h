// LanePack: several worlds of one model that are computed together, one in each lane of the machine's registers.
//
//   LanePack pack(*m);
//   for (int lane = 0; lane < pack.width(); ++lane) pack.Load(lane, *worlds[lane]);
//   pack.Forward();
//   for (int lane = 0; lane < pack.width(); ++lane) pack.Save(lane, worlds[lane]);
//
// Each lane gets exactly what the world would get alone, bit for bit; in single precision, what it would get in any
// other pack of that precision.
#ifndef SINEW_BATCH_PACK_LANE_PACK_H_
#define SINEW_BATCH_PACK_LANE_PACK_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

#include "batch/fallback/lane_worlds.h"
#include "batch/plan/lane_ops.h"

namespace sinew::inline batch {

// The tables that this machine can run, from the narrowest to the widest.
std::vector<const LaneOps*> RunnableLanes(Precision precision = Precision::kDouble);

// The feature for which a model cannot run in lanes ("spatial tendons", say), or null. Then worlds run one at a time.
const char* ObstacleToLanes(const mjModel& m);

class LanePack {
 public:
  // The widest pack of the machine, or that of a given table. Throws when the model cannot run in lanes or memory is
  // short. The model must outlive the pack.
  explicit LanePack(const mjModel& m, Precision precision = Precision::kDouble);
  LanePack(const mjModel& m, const LaneOps& ops);

  int width() const { return ops_->width; }
  void Load(int lane, const mjData& d) { ops_->load(store_.get(), lane, &d); }
  void Save(int lane, mjData* d) const { ops_->save(store_.get(), lane, d); }
  // Some arrays alone, and the time.
  void Save(int lane, mjData* d, const ArraySet& arrays) const { ops_->save_some(store_.get(), lane, d, &arrays); }

  // The state alone, in the order of mj_getState: the parts of mjSTATE_INTEGRATION.
  void LoadState(int lane, const mjtNum* state) { ops_->load_state(store_.get(), lane, state); }
  void SaveState(int lane, mjtNum* state) const { ops_->save_state(store_.get(), lane, state); }
  // Its first parts alone, up to the warm start: what steps change.
  void SaveMotion(int lane, mjtNum* state) const { ops_->save_motion(store_.get(), lane, state); }

  // A lane has a row of its own of a parameter from now on (lane_parameters.h). Throws when memory is short.
  void LoadParameter(int lane, const ModelParameter& parameter, const void* row);
  const mjModel& model(int lane) const { return worlds_->Model(lane); }

  // Forward dynamics, and Euler's method from there to the end of the time step. They throw when options or callbacks
  // have since been set that lanes do not have.
  void Forward();
  void Euler();

  // mj_step of each lane, and what became of it. It throws as the above.
  void Step();
  const LaneStatus& status(int lane) const { return status_[static_cast<size_t>(lane)]; }

  // A and B of each lane's step, of a model whose derivatives are in slots
  // (derivatives/small_systems/slot_linearization.h). A lane's world has then what CompleteTransition reads. False
  // where memory is short.
  bool Linearize(LaneTransition* of_lanes);

  PackUse use() const {
    PackUse use;
    ops_->use(store_.get(), &use);
    worlds_->AddWork(&use);
    return use;
  }

  // From now on, steps write constraint rows and their forces into the worlds of the lanes, where otherwise they are
  // only if a sensor needs them: what a step of a world alone leaves there.
  void KeepForces(bool keep) {
    keeps_forces_ = keep;
    ops_->keep_forces(store_.get(), keep);
  }
  // The world of a lane, with the contacts of the last step.
  const mjData& world(int lane) const { return *worlds_->World(lane); }
  mjData& world(int lane) { return *worlds_->World(lane); }

 private:
  struct Free {
    const LaneOps* ops;
    void operator()(LaneStore* store) const { ops->free(store); }
  };

  const mjModel& m_;
  const LaneOps* ops_;
  std::unique_ptr<LaneWorlds, void (*)(LaneWorlds*)> worlds_;
  std::unique_ptr<LaneStore, Free> store_;
  std::vector<LaneStatus> status_;
  bool keeps_forces_ = false;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_LANE_PACK_H_
