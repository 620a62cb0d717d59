// Cholesky factorization of dense symmetric matrices, A = L L'. L overwrites the lower triangle, row by row; the upper
// one is neither read nor written.
#ifndef SINEW_MATH_CHOLESKY_H_
#define SINEW_MATH_CHOLESKY_H_

namespace sinew::inline math {

// Pivots (diagonal entries before the square root) below `min_pivot` are replaced by it. Returns the number of others,
// which is the rank.
int FactorCholesky(double* A, int n, double min_pivot);

// x = A^-1 b; x may be b
void SolveCholesky(double* x, const double* L, const double* b, int n);

// Makes L the factor of L L' + x x', or of L L' - x x' if not `plus`; x is destroyed. Returns the rank.
int UpdateCholesky(double* L, double* x, int n, bool plus);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_CHOLESKY_H_
