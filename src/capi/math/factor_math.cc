// Factorizations and what they solve: dense and banded Cholesky, eigenvalues of 3 x 3 matrices, quadratic programs in a
// box. Matrices are row by row; factors replace the matrix.
#include <mujoco/mujoco.h>

#include <cstring>

#include "capi/arguments.h"
#include "math/band.h"
#include "math/box_qp.h"
#include "math/cholesky.h"
#include "math/principal_axes.h"

using sinew::BandShape;

// Returns the rank; pivots below mindiag count as zero and are replaced by it.
int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  SINEW_CHECK(mju_cholFactor);
  return sinew::FactorCholesky(mat, n, mindiag);
}
void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  SINEW_CHECK(mju_cholSolve);
  sinew::SolveCholesky(res, mat, vec, n);
}
// A change of rank one by +x x' or -x x', which uses x as scratch. Returns the rank.
int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  SINEW_CHECK(mju_cholUpdate);
  return sinew::UpdateCholesky(mat, x, n, flg_plus != 0);
}

// ---- banded matrices with dense last rows

// The band has nband numbers for each of the first ntotal - ndense rows, up to the diagonal; the last ndense rows are
// dense.
mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul) {
  SINEW_CHECK(mju_cholFactorBand);
  return sinew::FactorBand(mat, BandShape{ntotal, nband, ndense}, diagadd, diagmul);
}
void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense) {
  SINEW_CHECK(mju_cholSolveBand);
  sinew::SolveBand(res, mat, vec, BandShape{ntotal, nband, ndense});
}
void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte flg_sym) {
  SINEW_CHECK(mju_band2Dense);
  sinew::BandToDense(res, mat, BandShape{ntotal, nband, ndense}, flg_sym != 0);
}
void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  SINEW_CHECK(mju_dense2Band);
  sinew::DenseToBand(res, mat, BandShape{ntotal, nband, ndense});
}
void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense, int nvec,
                       mjtByte flg_sym) {
  SINEW_CHECK(mju_bandMulMatVec);
  sinew::MulBand(res, mat, vec, BandShape{ntotal, nband, ndense}, nvec, flg_sym != 0);
}
// The address of the diagonal number of row i.
int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  SINEW_CHECK(mju_bandDiag);
  return static_cast<int>(BandShape{ntotal, nband, ndense}.Diagonal(i));
}

// ---- eigenvalues

// Eigenvalues descend; eigenvectors are columns of eigvec, and quat is the same rotation. Returns the iterations.
int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  SINEW_CHECK(mju_eig3);
  const sinew::PrincipalAxes p = sinew::FindPrincipalAxes(sinew::LoadMat3(mat));
  const sinew::Mat3<double> R = ToMat3(p.axes);
  StoreVec3(p.values, eigval);
  std::memcpy(eigvec, R.m, sizeof(R.m));
  StoreQuat(p.axes, quat);
  return p.iterations;
}

// ---- quadratic programs in a box

// Minimizes x' H x / 2 + x' g within lower <= x <= upper. Returns the number of free coordinates, -1 for failure; R is
// the factor of their part of H, and index names them.
int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n, const mjtNum* lower,
              const mjtNum* upper) {
  SINEW_CHECK(mju_boxQP);
  if (n <= 0) {
    mju_error("mju_boxQP: problem size n is %d, must be positive", n);
    return -1;
  }
  for (int i = 0; lower && upper && i < n; ++i) {
    if (lower[i] >= upper[i]) {
      mju_error("mju_boxQP: upper[%d] = %g must be larger than lower[%d] = %g", i, upper[i], i, lower[i]);
      return -1;
    }
  }
  return sinew::SolveBoxQP({n, H, g, lower, upper}, res, R, index);
}

// Arrays come from mju_malloc and are released one by one with mju_free.
void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n, mjtNum** lower,
                     mjtNum** upper) {
  SINEW_CHECK(mju_boxQPmalloc);
  if (n <= 0) {
    mju_error("mju_boxQPmalloc: problem size n is %d, must be positive", n);
    return;
  }
  const auto numbers = [](ptrdiff_t count) {
    return static_cast<mjtNum*>(mju_malloc(static_cast<size_t>(count) * sizeof(mjtNum)));
  };
  *res = numbers(n);
  *R = numbers(sinew::BoxQPFactorSize(n));
  *H = numbers(static_cast<ptrdiff_t>(n) * n);
  *g = numbers(n);
  if (index) *index = static_cast<int*>(mju_malloc(static_cast<size_t>(n) * sizeof(int)));
  if (lower) *lower = numbers(n);
  if (upper) *upper = numbers(n);
}
