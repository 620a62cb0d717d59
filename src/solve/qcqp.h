// min 1/2 x' A x + x' b   subject to  sum (x_j / mu_j)^2 <= r^2,   n = 1..5
//
// The friction force of an elliptic contact whose normal force is fixed.
#ifndef SINEW_SOLVE_QCQP_H_
#define SINEW_SOLVE_QCQP_H_

namespace sinew::inline solve {

// When a search for the multiplier of the bound ends.
struct QcqpLimits {
  double singular;   // mu A mu counts as singular: the determinant of two and three directions, or a pivot of more
  double violation;  // of sum (x_j / mu_j)^2 - r^2
  double step;       // of the multiplier
  int iterations;    // far from the bound each of them multiplies it by 1.5 at least
};

// A is n x n, symmetric positive semidefinite, row-major. Returns whether the bound is active. Where mu A mu is
// singular, x = 0.
template <int n>
bool SolveQCQP(double* x, const double* A, const double* b, const double* mu, double r, const QcqpLimits& limits);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_QCQP_H_
