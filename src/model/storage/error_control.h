// Integrators that choose their steps: where a model holds their parameters and a world their state
// (docs/how/error-control.md).
#ifndef SINEW_MODEL_STORAGE_ERROR_CONTROL_H_
#define SINEW_MODEL_STORAGE_ERROR_CONTROL_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

namespace sinew::inline model {

// Values of opt.integrator.
inline constexpr int kMerson = sinewINT_MERSON, kRungeKutta3 = sinewINT_RK3, kEuler2 = sinewINT_EULER2;

inline bool IsErrorControlled(int integrator) { return integrator >= kMerson && integrator <= kEuler2; }

// The number array that the compiler adds, and its numbers.
inline constexpr char kErrorControlArray[] = sinewACCURACY;
enum ErrorControlNumber { kAccuracy, kErrorNorm, kMinStep, kMaxStep, kErrorControlNumbers };

// The state: the last numbers of mjData.history, which resets clear and state vectors carry.
using ErrorControlState = sinewErrorControl;
inline constexpr int kErrorControlStates = sizeof(ErrorControlState) / sizeof(double);

// The numbers of a model; null: it has none.
const mjtNum* FindErrorControl(const mjModel* m);

// The state of a world; null: the model was compiled for another integrator.
ErrorControlState* FindErrorControlState(const mjModel* m, mjData* d);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_ERROR_CONTROL_H_
