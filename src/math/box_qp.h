// min 1/2 x' H x + g' x   subject to  lower <= x <= upper
//
// Projected Newton: a Newton step in the dimensions that are not held by a bound, then a line search along the path
// that is clamped to the box. D. Bertsekas, "Projected Newton methods for optimization problems with simple
// constraints", SIAM J. Control and Optimization 20(2), 1982; as in Y. Tassa, N. Mansard, E. Todorov, "Control-limited
// differential dynamic programming", ICRA 2014, section II-C.
#ifndef SINEW_MATH_BOX_QP_H_
#define SINEW_MATH_BOX_QP_H_

#include <cstddef>

namespace sinew::inline math {

struct BoxQP {
  int n;                // > 0
  const double* H;      // n x n, symmetric: only its lower triangle is read
  const double* g;      // n
  const double* lower;  // n, or null: unbounded
  const double* upper;  // n, or null: unbounded; above lower
};

// Numbers that SolveBoxQP works with.
constexpr ptrdiff_t BoxQPFactorSize(int n) { return static_cast<ptrdiff_t>(n) * (n + 7); }

// x starts at a guess and ends at the solution. Returns the number of free dimensions k, or -1 when H is not positive
// definite there or the iteration does not converge.
//   factor  BoxQPFactorSize(n) numbers, of which the first k x k end as the Cholesky factor of the free part of H
//   (lower) free    the k free dimensions, ascending; n integers, or null
int SolveBoxQP(const BoxQP& problem, double* x, double* factor, int* free);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_BOX_QP_H_
