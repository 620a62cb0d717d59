// Rows of the matrices of a step, row-major, that follow from those of velocities.
#ifndef SINEW_DERIVATIVES_INTEGRATORS_STEP_ROWS_H_
#define SINEW_DERIVATIVES_INTEGRATORS_STEP_ROWS_H_

#include <vector>

#include "derivatives/base/columns.h"
#include "derivatives/terms/actuator_columns.h"

namespace sinew::inline derivatives {

// A matrix with the columns of (q, v, act, u) from `first` on: those of the state, or those of controls.
struct StepMatrix {
  double* values;
  int first, columns;

  double* Row(int i) const { return values + static_cast<ptrdiff_t>(i) * columns; }
  bool OfState() const { return first == 0; }
};

// Adds the derivative of v to the rows of the new velocities v' = v + h b, which have that of h b.
void AddOwnVelocities(const StateSizes& sizes, const StepMatrix& matrix);

// Rows of activations; the rows of v' = v + h b, by which lengths of fibres change, have to be complete.
void WriteActivationRows(const StateSizes& sizes, const std::vector<ActivationRow>& activations,
                         const StepMatrix& matrix);

// dq'/dx from dv'/dx, in place nv rows below. Numbers: q' = q + h v'. Quaternions: q' = q exp(h v'). Free bodies may
// have a mean for v'.
void WritePositionRows(const mjModel* m, const double* next_qvel, const StepMatrix& matrix);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_INTEGRATORS_STEP_ROWS_H_
