// State vectors.
#include "model/state.h"

#include <mujoco/mujoco.h>

#include "capi/boundary.h"

using sinew::capi::Guard;

int mj_stateSize(const mjModel* m, int sig) {
  return Guard("mj_stateSize", [&] { return sinew::StateSize(*m, sig); });
}
void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  Guard("mj_getState", [&] { sinew::GetState(*m, *d, state, sig); });
}
void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  Guard("mj_setState", [&] { sinew::SetState(*m, d, state, sig); });
}
void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  Guard("mj_copyState", [&] { sinew::CopyState(*m, *src, dst, sig); });
}
void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int dstsig) {
  Guard("mj_extractState", [&] { sinew::ExtractState(*m, src, srcsig, dst, dstsig); });
}
