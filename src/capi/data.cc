// Data: make, copy, reset, release, keyframes, callbacks.
#include <mujoco/mujoco.h>

#include <memory>

#include "capi/boundary.h"
#include "model/data.h"
#include "step/sleep.h"

using sinew::capi::Guard;

mjData* mj_makeData(const mjModel* m) {
  return Guard("mj_makeData", [&] {
    std::unique_ptr<mjData, void (*)(mjData*)> d(sinew::MakeData(*m), sinew::DeleteData);
    if (d) sinew::SleepInitially(m, d.get());
    return d.release();
  });
}
mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return Guard("mj_copyData", [&] { return sinew::CopyData(dest, *m, *src); });
}
mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return Guard("mjv_copyData", [&] { return sinew::CopyDataForScene(dest, *m, *src); });
}
void mj_deleteData(mjData* d) { sinew::DeleteData(d); }

void mj_resetData(const mjModel* m, mjData* d) {
  Guard("mj_resetData", [&] {
    sinew::ResetData(*m, d);
    sinew::SleepInitially(m, d);
  });
}
void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  Guard("mj_resetDataDebug", [&] { sinew::ResetDataDebug(*m, d, debug_value); });
}
void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  Guard("mj_resetDataKeyframe", [&] { sinew::ResetDataKeyframe(*m, d, key); });
}
void mj_setKeyframe(mjModel* m, const mjData* d, int k) {
  Guard("mj_setKeyframe", [&] { sinew::SetKeyframe(m, *d, k); });
}

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
