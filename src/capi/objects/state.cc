// State vectors: parts of mjData, chosen by the bits of mjtState, in one array. Their length follows from the model.
#include "model/state/state.h"

#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"

using sinew::capi::Guard;

namespace {

// A state vector may be null when it has no numbers.
void RequireVector(const char* argument, const mjtNum* vector, const mjModel& m, int signature) {
  if (vector || sinew::StateSize(m, signature) == 0) return;
  throw sinew::Error("argument '" + std::string(argument) + "' is null", "pass a valid pointer");
}

}  // namespace

// Returns how many numbers the parts take that the bits of `sig` name.
int mj_stateSize(const mjModel* m, int sig) {
  SINEW_CHECK(mj_stateSize);
  return Guard("mj_stateSize", [&] { return sinew::StateSize(*m, sig); });
}
void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  SINEW_CHECK(mj_getState);
  Guard("mj_getState", [&] {
    RequireVector("state", state, *m, sig);
    sinew::GetState(*m, *d, state, sig);
  });
}
void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  SINEW_CHECK(mj_setState);
  Guard("mj_setState", [&] {
    RequireVector("state", state, *m, sig);
    sinew::SetState(*m, d, state, sig);
  });
}
// Both worlds are of one model; parts go over as mj_getState and mj_setState would bring them.
void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  SINEW_CHECK(mj_copyState);
  Guard("mj_copyState", [&] { sinew::CopyState(*m, *src, dst, sig); });
}
// Takes some parts out of a vector that has more.
void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int dstsig) {
  SINEW_CHECK(mj_extractState);
  Guard("mj_extractState", [&] {
    RequireVector("src", src, *m, srcsig);
    RequireVector("dst", dst, *m, dstsig);
    sinew::ExtractState(*m, src, srcsig, dst, dstsig);
  });
}
