// The dynamics with smoothed constraints (smoothed_rows.h).
#ifndef SINEW_DERIVATIVES_BASE_SMOOTHED_SOLUTION_H_
#define SINEW_DERIVATIVES_BASE_SMOOTHED_SOLUTION_H_

#include <mujoco/mujoco.h>

#include "derivatives/base/solution_derivative.h"

namespace sinew::inline derivatives {

// How far the changes of modes of rows reach, from the width that a caller gives: of velocities after a step, so that
// residuals, which are accelerations, have noise of width / h. Zero: rows change their modes at once.
struct Smoothing {
  double width = 0;  // [m/s, rad/s]

  bool Acts() const { return width > 0; }
  // Of residuals.
  double Scale(const mjModel* m) const { return width / m->opt.timestep; }
};

// Smoothing with the width that a program gives; throws unless it is a number of at least zero.
Smoothing SmoothingOver(double width);

// Puts the smoothed solution into the place of that which a solver has left in the world: qacc, qfrc_constraint,
// efc_force, and the Hessians of cones in the contacts. Returns the weights of rows there, none without rows. Throws
// where Newton's method does not find it.
RowWeights SolveSmoothed(const mjModel* m, mjData* d, const Smoothing& smoothing);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_SMOOTHED_SOLUTION_H_
