// Worlds (mjData): made, copied, reset and released; keyframes; callbacks. Trees that the model starts asleep fall
// asleep when a world is made or reset (step/sleep.h).
#include <mujoco/mujoco.h>

#include <memory>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "collision/triangles/surface_tables.h"
#include "model/files/validate.h"
#include "model/storage/data.h"
#include "step/sleep.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithWarning;

namespace {

// A program may have changed the model since it was loaded. Assets are left out: checking them takes as long as they
// are.
void CheckIndices(const mjModel& m) {
  sinew::ValidateReferences(m);
  sinew::ValidateTree(m);
  sinew::ValidateTyped(m);
  sinew::ValidateTendons(m);
  sinew::ValidateSensors(m);
}

}  // namespace

mjData* mj_makeData(const mjModel* m) {
  SINEW_CHECK(mj_makeData);
  // A model whose sizes make no sense is no reason to end a program.
  if (!GuardWithWarning("mj_makeData", false, [&] { return sinew::DataSize(*m) > 0; })) return nullptr;
  return Guard("mj_makeData", [&] {
    CheckIndices(*m);
    sinew::MakeMeshTables(*m);
    std::unique_ptr<mjData, void (*)(mjData*)> d(sinew::MakeData(*m), sinew::DeleteData);
    if (d) sinew::SleepInitially(m, d.get());
    return d.release();
  });
}
mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  SINEW_CHECK(mj_copyData);
  return Guard("mj_copyData", [&] { return sinew::CopyData(dest, *m, *src); });
}
// Copies what a scene reads; other arrays of `dest` keep what they had.
mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  SINEW_CHECK(mjv_copyData);
  return Guard("mjv_copyData", [&] { return sinew::CopyDataForScene(dest, *m, *src); });
}
void mj_deleteData(mjData* d) {
  Guard("mj_deleteData", [&] { sinew::DeleteData(d); });
}

void mj_resetData(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_resetData);
  Guard("mj_resetData", [&] {
    sinew::ResetData(*m, d);
    sinew::SleepInitially(m, d);
  });
}
// Fills results with a byte that shows up where they are read before they are computed.
void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  SINEW_CHECK(mj_resetDataDebug);
  Guard("mj_resetDataDebug", [&] {
    sinew::ResetDataDebug(*m, d, debug_value);
    sinew::SleepInitially(m, d);
  });
}
// A keyframe that does not exist resets to the reference configuration. Trees fall asleep where the reset puts them;
// the next stage of kinematics wakes those that the keyframe moves.
void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  SINEW_CHECK(mj_resetDataKeyframe);
  Guard("mj_resetDataKeyframe", [&] {
    sinew::ResetData(*m, d);
    sinew::SleepInitially(m, d);
    sinew::SetToKeyframe(*m, d, key);
  });
}
void mj_setKeyframe(mjModel* m, const mjData* d, int k) {
  SINEW_CHECK(mj_setKeyframe);
  Guard("mj_setKeyframe", [&] { sinew::SetKeyframe(m, *d, k); });
}

// Callbacks are global, so this takes them from all worlds.
void mj_resetCallbacks() {
  mjcb_passive = nullptr;
  mjcb_control = nullptr;
  mjcb_contactfilter = nullptr;
  mjcb_sensor = nullptr;
  mjcb_time = nullptr;
  mjcb_act_dyn = nullptr;
  mjcb_act_gain = nullptr;
  mjcb_act_bias = nullptr;
}
