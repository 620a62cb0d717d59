// Eigenvalues and eigenvectors of dense symmetric matrices of any size, by cyclic Jacobi rotations (G. Golub, C. Van
// Loan, Matrix Computations, 4th ed., sec. 8.5.5).
#ifndef SINEW_MATH_SYMMETRIC_EIGEN_H_
#define SINEW_MATH_SYMMETRIC_EIGEN_H_

namespace sinew::inline math {

// A = V diag(values) V', both n x n, row by row. The values end on the diagonal of A, in the order in which the
// rotations leave them there; column i of V belongs to value i. Which basis of a repeated eigenspace comes out hangs on
// the order of rotations and on every rounding: it is that of models that exist, where strain constraints hold its
// vectors.
void SymmetricEigen(double* A, double* V, int n);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_SYMMETRIC_EIGEN_H_
