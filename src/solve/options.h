// Settings of a primal solver: those of mjOption.
#ifndef SINEW_SOLVE_OPTIONS_H_
#define SINEW_SOLVE_OPTIONS_H_

namespace sinew::inline solve {

struct SolverOptions {
  int iterations, ls_iterations;
  double tolerance, ls_tolerance;
};

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_OPTIONS_H_
