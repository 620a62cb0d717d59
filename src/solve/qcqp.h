// min 1/2 x' A x + x' b   subject to  sum (x_j / mu_j)^2 <= r^2,   n = 1..5
//
// The friction force of an elliptic contact whose normal force is fixed.
#ifndef SINEW_SOLVE_QCQP_H_
#define SINEW_SOLVE_QCQP_H_

namespace sinew::inline solve {

// A is n x n, symmetric positive semidefinite, row-major. Returns whether the bound is active. Where mu A mu is
// singular, x = 0: the determinant of two and three directions, or a pivot of more, does not exceed `least`.
template <int n>
bool SolveQCQP(double* x, const double* A, const double* b, const double* mu, double r, double least);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_QCQP_H_
