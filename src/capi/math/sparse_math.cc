// Compressed rows: to and from dense matrices. rownnz counts the entries of each row, rowadr is where they start, and
// colind has their columns. Returns 1 when nnz is too small.
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "math/sparse_matrix.h"

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, int nnz) {
  SINEW_CHECK(mju_dense2sparse);
  return sinew::CompressRows(res, mat, nr, nc, rownnz, rowadr, colind, nnz) ? 0 : 1;
}
// Entries that a row does not have become zero.
void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                      const int* colind) {
  SINEW_CHECK(mju_sparse2dense);
  sinew::ExpandRows(res, mat, nr, nc, rownnz, rowadr, colind);
}
