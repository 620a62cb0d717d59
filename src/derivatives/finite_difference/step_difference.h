// Finite differences of a step, one step for each perturbation.
#ifndef SINEW_DERIVATIVES_FINITE_DIFFERENCE_STEP_DIFFERENCE_H_
#define SINEW_DERIVATIVES_FINITE_DIFFERENCE_STEP_DIFFERENCE_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"
#include "derivatives/base/matrices.h"

namespace sinew::inline derivatives {

// The state with which a step begins.
class StartState {
 public:
  StartState(const mjModel* m, const mjData* d, StackFrame& frame);
  void Restore(const mjModel* m, mjData* d) const;

  const double* qpos() const { return qpos_; }

 private:
  double time_;
  double *qpos_, *qvel_, *act_, *ctrl_, *warmstart_, *history_, *plugin_state_;
};

// Directions in which a control may be moved without leaving its range. A control at its limit is moved inwards; one
// outside of its range has no effect.
struct ControlMoves {
  bool up, down;
};
ControlMoves MovesOfControl(const mjModel* m, const mjData* d, int actuator, double eps, bool centered);

class StepDifferences {
 public:
  StepDifferences(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result,
                  StackFrame& frame);

  // Columns of all matrices.
  void Run();

  // Columns of A and C alone, for the given components of the state.
  void Run(const int* column, int count);

 private:
  // A step writes its result to these arrays.
  struct Outcome {
    double *qpos, *qvel, *act, *sensordata;
  };

  int StateSize() const { return 2 * nv_ + na_; }
  void Step(int skip_stage, const Outcome& outcome);
  void StateColumn(int column);
  void Perturb(int column, double step);
  void ControlColumn(int actuator);
  void StoreColumn(const Outcome& above, const Outcome& below, double width, double* of_state, double* of_sensors,
                   int columns, int column);

  const mjModel* m_;
  mjData* d_;
  double eps_;
  bool centered_;
  TransitionMatrices result_;
  int nv_, na_, nu_;
  StartState start_;
  Outcome nominal_, above_, below_;
  double *difference_, *velocity_;  // scratch
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_FINITE_DIFFERENCE_STEP_DIFFERENCE_H_
