#include "math/sparse_matrix.h"

#include <algorithm>
#include <cstddef>

#include "math/dense.h"

namespace sinew::inline math {

bool CompressRows(double* values, const double* A, int nr, int nc, int* rownnz, int* rowadr, int* colind,
                  int capacity) {
  if (capacity <= 0) return false;
  int count = 0;
  for (int i = 0; i < nr; ++i, A += nc) {
    rowadr[i] = count;
    rownnz[i] = 0;
    for (int j = 0; j < nc; ++j) {
      if (A[j] == 0) continue;
      if (count == capacity) return false;
      values[count] = A[j];
      colind[count++] = j;
      ++rownnz[i];
    }
  }
  return true;
}

void ExpandRows(double* A, const double* values, int nr, int nc, const int* rownnz, const int* rowadr,
                const int* colind) {
  for (int i = 0; i < nr; ++i, A += nc) {
    Zero(A, nc);
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; ++k) A[colind[k]] = values[k];
  }
}

bool HasNonzeros(int nr, const int* rownnz) {
  return std::any_of(rownnz, rownnz + nr, [](int nonzeros) { return nonzeros > 0; });
}

}  // namespace sinew::inline math
