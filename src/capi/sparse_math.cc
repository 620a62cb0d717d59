// Compressed rows: to and from dense matrices.
#include <mujoco/mujoco.h>

#include "math/sparse_matrix.h"

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, int nnz) {
  return sinew::CompressRows(res, mat, nr, nc, rownnz, rowadr, colind, nnz) ? 0 : 1;
}
void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                      const int* colind) {
  sinew::ExpandRows(res, mat, nr, nc, rownnz, rowadr, colind);
}
