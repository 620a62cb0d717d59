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

namespace {

// Whether a banded matrix has no entry: then it may be null.
bool HasEntries(int ntotal, int nband, int ndense) { return ntotal > 0 && (nband > 0 || ndense > 0); }

}  // namespace

// Returns the rank; pivots below mindiag count as zero and are replaced by it.
int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  SINEW_NOT_NEGATIVE(mju_cholFactor, n);
  SINEW_NOT_NULL_IF(n > 0, mju_cholFactor, mat);
  return sinew::FactorCholesky(mat, n, mindiag);
}
void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  SINEW_NOT_NEGATIVE(mju_cholSolve, n);
  SINEW_NOT_NULL_IF(n > 0, mju_cholSolve, res, mat, vec);
  sinew::SolveCholesky(res, mat, vec, n);
}
// A change of rank one by +x x' or -x x', which uses x as scratch. Returns the rank.
int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  SINEW_NOT_NEGATIVE(mju_cholUpdate, n);
  SINEW_NOT_NULL_IF(n > 0, mju_cholUpdate, mat, x);
  return sinew::UpdateCholesky(mat, x, n, flg_plus != 0);
}

// ---- banded matrices with dense last rows

// The band has nband numbers for each of the first ntotal - ndense rows, up to the diagonal; the last ndense rows are
// dense.
mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul) {
  SINEW_NOT_NEGATIVE(mju_cholFactorBand, ntotal, nband, ndense);
  SINEW_IN_RANGE(mju_cholFactorBand, nband, ntotal + 1);
  SINEW_IN_RANGE(mju_cholFactorBand, ndense, ntotal + 1);
  if (ndense < ntotal) SINEW_AT_LEAST_ONE(mju_cholFactorBand, nband);
  SINEW_NOT_NULL_IF(ntotal > 0, mju_cholFactorBand, mat);
  return sinew::FactorBand(mat, BandShape{ntotal, nband, ndense}, diagadd, diagmul);
}
void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense) {
  SINEW_NOT_NEGATIVE(mju_cholSolveBand, ntotal, nband, ndense);
  SINEW_IN_RANGE(mju_cholSolveBand, nband, ntotal + 1);
  SINEW_IN_RANGE(mju_cholSolveBand, ndense, ntotal + 1);
  if (ndense < ntotal) SINEW_AT_LEAST_ONE(mju_cholSolveBand, nband);
  SINEW_NOT_NULL_IF(ntotal > 0, mju_cholSolveBand, res, mat, vec);
  sinew::SolveBand(res, mat, vec, BandShape{ntotal, nband, ndense});
}
void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte flg_sym) {
  SINEW_NOT_NEGATIVE(mju_band2Dense, ntotal, nband, ndense);
  SINEW_IN_RANGE(mju_band2Dense, nband, ntotal + 1);
  SINEW_IN_RANGE(mju_band2Dense, ndense, ntotal + 1);
  SINEW_NOT_NULL_IF(ntotal > 0, mju_band2Dense, res);
  SINEW_NOT_NULL_IF(HasEntries(ntotal, nband, ndense), mju_band2Dense, mat);
  sinew::BandToDense(res, mat, BandShape{ntotal, nband, ndense}, flg_sym != 0);
}
void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  SINEW_NOT_NEGATIVE(mju_dense2Band, ntotal, nband, ndense);
  SINEW_IN_RANGE(mju_dense2Band, nband, ntotal + 1);
  SINEW_IN_RANGE(mju_dense2Band, ndense, ntotal + 1);
  SINEW_NOT_NULL_IF(HasEntries(ntotal, nband, ndense), mju_dense2Band, res, mat);
  sinew::DenseToBand(res, mat, BandShape{ntotal, nband, ndense});
}
void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense, int nvec,
                       mjtByte flg_sym) {
  SINEW_NOT_NEGATIVE(mju_bandMulMatVec, ntotal, nband, ndense, nvec);
  SINEW_IN_RANGE(mju_bandMulMatVec, nband, ntotal + 1);
  SINEW_IN_RANGE(mju_bandMulMatVec, ndense, ntotal + 1);
  SINEW_NOT_NULL_IF(ntotal > 0 && nvec > 0, mju_bandMulMatVec, res);
  SINEW_NOT_NULL_IF(HasEntries(ntotal, nband, ndense) && nvec > 0, mju_bandMulMatVec, mat, vec);
  sinew::MulBand(res, mat, vec, BandShape{ntotal, nband, ndense}, nvec, flg_sym != 0);
}
// The address of the diagonal number of row i.
int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  SINEW_NOT_NEGATIVE(mju_bandDiag, ntotal, nband, ndense);
  return static_cast<int>(BandShape{ntotal, nband, ndense}.Diagonal(i));
}

// ---- eigenvalues

// Eigenvalues descend; eigenvectors are columns of eigvec, and quat is the same rotation. Returns the iterations.
int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  SINEW_NOT_NULL(mju_eig3, eigval, eigvec, quat, mat);
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
  SINEW_NOT_NEGATIVE(mju_boxQP, n);
  SINEW_NOT_NULL_IF(n > 0, mju_boxQP, res, R, H, g);
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
  SINEW_NOT_NULL(mju_boxQPmalloc, res, R, H, g);
  SINEW_NOT_NEGATIVE(mju_boxQPmalloc, n);
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
