// The functions of <sinew/gradients.h>.
#include <sinew/gradients.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/stack.h"
#include "derivatives/rollout.h"
#include "derivatives/transition.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithText;

// Analytic derivatives of a step; 0, or -1 and the reason.
int sinew_transition(const mjModel* m, mjData* d, double* A, double* B, double* C, double* D, char* error,
                     int error_sz) {
  SINEW_NOT_NULL(sinew_transition, m, d);
  return GuardWithText("sinew_transition", error, error_sz, -1, [=] {
    sinew::RequireStack(d);
    sinew::LinearizeTransition(m, d, {A, B, C, D});
    return 0;
  });
}

int sinew_smoothTransition(const mjModel* m, mjData* d, double width, double* A, double* B, char* error, int error_sz) {
  SINEW_NOT_NULL(sinew_smoothTransition, m, d);
  return GuardWithText("sinew_smoothTransition", error, error_sz, -1, [=] {
    sinew::RequireStack(d);
    sinew::LinearizeTransition(m, d, {A, B, nullptr, nullptr}, sinew::SmoothingOver(width));
    return 0;
  });
}

// Analytic derivatives of inverse dynamics; 0, or -1 and the reason.
int sinew_inverse(const mjModel* m, mjData* d, int flg_actuation, double* DfDq, double* DfDv, double* DfDa, char* error,
                  int error_sz) {
  SINEW_NOT_NULL(sinew_inverse, m, d);
  return GuardWithText("sinew_inverse", error, error_sz, -1, [=] {
    sinew::RequireStack(d);
    sinew::LinearizeInverse(m, d, flg_actuation != 0, {DfDq, DfDv, DfDa});
    return 0;
  });
}

// Returns the length of the whole text.
int sinew_transitionObstacle(const mjModel* m, char* buffer, int buffer_sz) {
  SINEW_NOT_NULL(sinew_transitionObstacle, m);
  return Guard("sinew_transitionObstacle", [=] {
    const std::string text = sinew::ObstacleToLinearize(m);
    if (buffer && buffer_sz > 0) {
      buffer[text.copy(buffer, static_cast<std::size_t>(buffer_sz) - 1)] = '\0';
    }
    return static_cast<int>(text.size());
  });
}

// Vector-Jacobian product of a rollout; 0, or -1 and the reason.
int sinew_rolloutGradient(const mjModel* m, mjData* d, int nstep, const double* ctrl, const double* by_states,
                          double* by_start, double* by_ctrl, const sinewParameterGradients* by_parameters, char* error,
                          int error_sz) {
  return sinew_smoothRolloutGradient(m, d, 0, nstep, ctrl, by_states, by_start, by_ctrl, by_parameters, error,
                                     error_sz);
}

int sinew_smoothRolloutGradient(const mjModel* m, mjData* d, double width, int nstep, const double* ctrl,
                                const double* by_states, double* by_start, double* by_ctrl,
                                const sinewParameterGradients* by_parameters, char* error, int error_sz) {
  SINEW_NOT_NULL(sinew_rolloutGradient, m, d);
  SINEW_NOT_NULL_IF(nstep > 0, sinew_rolloutGradient, by_states);
  SINEW_NOT_NULL_IF(nstep > 0 && m->nu > 0, sinew_rolloutGradient, ctrl);
  SINEW_NOT_NEGATIVE(sinew_rolloutGradient, nstep);
  return GuardWithText("sinew_rolloutGradient", error, error_sz, -1, [=] {
    sinew::RequireStack(d);
    const sinewParameterGradients none = {};
    sinew::DifferentiateRollout(m, d, {nstep, ctrl, by_states}, by_start, by_ctrl,
                                by_parameters ? *by_parameters : none, sinew::SmoothingOver(width));
    return 0;
  });
}
