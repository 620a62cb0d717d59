// The row of one activation in the matrices of a step.
#ifndef SINEW_DERIVATIVES_BASE_ACTIVATION_ROW_H_
#define SINEW_DERIVATIVES_BASE_ACTIVATION_ROW_H_

#include <vector>

namespace sinew::inline derivatives {

// Derivatives of one activation after the step, or, with Runge-Kutta, of its rate at the present instant.
struct ActivationRow {
  struct Slope {
    int column;  // of (q, v, act, u)
    double value;
  };
  struct VelocitySlope {
    int dof;
    double value;
  };
  std::vector<Slope> slopes;
  std::vector<VelocitySlope> by_end;  // by the velocities v + h b of the end of the step
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_ACTIVATION_ROW_H_
