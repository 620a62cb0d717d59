// The functions of <sinew/gradients.h> for batches: on the batch's threads, in packs or one world after the other.
#include <sinew/gradients.h>

#include "capi/arguments.h"
#include "capi/sinew/batch_handle.h"
#include "derivatives/parameters.h"
#include "derivatives/rollout.h"
#include "derivatives/transition.h"

using sinew::capi::Count;
using sinew::capi::Given;
using sinew::capi::Masked;

namespace {

// The part of a world in an array over worlds; null stays null.
template <class T>
T* Part(T* all, int place, mjtSize size) {
  return all ? all + place * size : nullptr;
}

void RequireNone(const std::string& obstacle) {
  if (!obstacle.empty()) {
    throw sinew::Error("steps have no analytic derivatives: " + obstacle, "use sinew_batch_transitionFD");
  }
}

// A, B, C and D of the selected worlds; C and D without smoothing.
int Linearize(sinewBatch* b, const unsigned char* mask, const sinew::Smoothing& smoothing,
              const sinew::TransitionMatrices& result) {
  const mjModel& model = b->worlds.model();
  RequireNone(sinew::ObstacleToLinearize(&model));
  if (result.C || result.D) sinew::RequireSensorDerivatives(&model);
  const mjtSize nx = 2 * model.nv + model.na, nu = model.nu, ns = model.nsensordata;
  const auto work = [&](const mjModel* m, mjData* d, int, int place) {
    sinew::LinearizeTransition(m, d,
                               {Part(result.A, place, nx * nx), Part(result.B, place, nx * nu),
                                Part(result.C, place, ns * nx), Part(result.D, place, ns * nu)},
                               smoothing);
  };
  const Masked masked(b, mask);
  const bool matrices_alone = !result.C && !result.D && !smoothing.Acts();
  if (matrices_alone) return b->worlds.Linearize(masked.selection(), result.A, result.B, work);
  return b->worlds.Apply(masked.selection(), work, /*save=*/false);
}

}  // namespace

int sinew_batch_transition(sinewBatch* b, const unsigned char* mask, double* A, double* B, double* C, double* D,
                           char* error, int error_sz) {
  return Count("sinew_batch_transition", b, error, error_sz, [=] { return Linearize(b, mask, {}, {A, B, C, D}); });
}

int sinew_batch_smoothTransition(sinewBatch* b, const unsigned char* mask, double width, double* A, double* B,
                                 char* error, int error_sz) {
  return Count("sinew_batch_smoothTransition", b, error, error_sz, [=] {
    return Linearize(b, mask, sinew::SmoothingOver(width), {A, B, nullptr, nullptr});
  });
}

int sinew_batch_rolloutGradient(sinewBatch* b, const unsigned char* mask, int nstep, const double* ctrl,
                                const double* by_states, double* by_start, double* by_ctrl,
                                const sinewParameterGradients* by_parameters, char* error, int error_sz) {
  return sinew_batch_smoothRolloutGradient(b, mask, 0, nstep, ctrl, by_states, by_start, by_ctrl, by_parameters, error,
                                           error_sz);
}

// Parameters have a part for each world, so that threads do not add to the same numbers.
int sinew_batch_smoothRolloutGradient(sinewBatch* b, const unsigned char* mask, double width, int nstep,
                                      const double* ctrl, const double* by_states, double* by_start, double* by_ctrl,
                                      const sinewParameterGradients* by_parameters, char* error, int error_sz) {
  return Count("sinew_batch_rolloutGradient", b, error, error_sz, [=] {
    const mjModel& model = b->worlds.model();
    const sinew::Smoothing smoothing = sinew::SmoothingOver(width);
    RequireNone(sinew::ObstacleToDifferentiateRollouts(&model));
    if (nstep < 0) throw sinew::Error("nstep is " + std::to_string(nstep));
    if (nstep > 0) Given("by_states", by_states);
    if (nstep > 0 && model.nu > 0) Given("ctrl", ctrl);
    const sinewParameterGradients none = {};
    const mjtSize n = model.nq + model.nv + model.na, nu = model.nu;
    const auto work = [&](const mjModel* m, mjData* d, int, int place) {
      const sinew::Rollout rollout = {nstep, Part(ctrl, place, nstep * nu), Part(by_states, place, nstep * n)};
      sinew::DifferentiateRollout(m, d, rollout, Part(by_start, place, n), Part(by_ctrl, place, nstep * nu),
                                  sinew::PartOf(by_parameters ? *by_parameters : none, model, place), smoothing);
    };
    return b->worlds.Apply(Masked(b, mask).selection(), work, /*save=*/false);
  });
}
