// Dense matrices of any size, row by row. Results may not overlap operands unless a function says so.
#ifndef SINEW_MATH_MATRIX_H_
#define SINEW_MATH_MATRIX_H_

namespace sinew::inline math {

// y (nr) = A x;  A is nr x nc
void MulMatVec(double* y, const double* A, const double* x, int nr, int nc);

// y (nc) = A' x;  A is nr x nc
void MulMatTVec(double* y, const double* A, const double* x, int nr, int nc);

// x' A y;  A is n x n
double MulVecMatVec(const double* x, const double* A, const double* y, int n);

// B (nc x nr) = A';  A is nr x nc
void Transpose(double* B, const double* A, int nr, int nc);

// B = (A + A') / 2, n x n; B may be A
void Symmetrize(double* B, const double* A, int n);

// A = 1, n x n
void SetIdentity(double* A, int n);

// C (nr x nc) = A B;  A is nr x n, B is n x nc
void MulMatMat(double* C, const double* A, const double* B, int nr, int n, int nc);

// C (nr x nc) = A B';  A is nr x n, B is nc x n
void MulMatMatT(double* C, const double* A, const double* B, int nr, int n, int nc);

// C (nr x nc) = A' B;  A is n x nr, B is n x nc
void MulMatTMat(double* C, const double* A, const double* B, int n, int nr, int nc);

// C (nc x nc) = A' diag(d) A;  A is nr x nc; d null: without it
void SquareTransposed(double* C, const double* A, const double* d, int nr, int nc);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_MATRIX_H_
