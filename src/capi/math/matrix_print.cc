// Matrices on standard output, for debugging. The formats are those of MuJoCo 3.8.0.
#include <mujoco/mujoco.h>

#include <cstddef>
#include <cstdio>

#include "capi/arguments.h"

void mju_printMat(const mjtNum* mat, int nr, int nc) {
  SINEW_CHECK(mju_printMat);
  for (int i = 0; i < nr; ++i) {
    for (int j = 0; j < nc; ++j) std::printf("%.8f ", mat[static_cast<ptrdiff_t>(i) * nc + j]);
    std::printf("\n");
  }
  std::printf("\n");
}

// Entries appear with their row and column.
void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr, const int* colind) {
  SINEW_CHECK(mju_printMatSparse);
  for (int i = 0; i < nr; ++i) {
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; ++k) std::printf("(%d %d): %9.6f  ", i, colind[k], mat[k]);
    std::printf("\n");
  }
  std::printf("\n");
}
