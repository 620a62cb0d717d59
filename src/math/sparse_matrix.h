// Matrices in compressed rows: row i has rownnz[i] values, which start at rowadr[i] and stand in columns colind.
#ifndef SINEW_MATH_SPARSE_MATRIX_H_
#define SINEW_MATH_SPARSE_MATRIX_H_

namespace sinew::inline math {

// Compresses the dense matrix A, nr x nc; exact zeros are left out, rows follow one another. Returns false when
// `capacity` values and columns do not suffice or it is not positive; results are then written in part.
bool CompressRows(double* values, const double* A, int nr, int nc, int* rownnz, int* rowadr, int* colind, int capacity);

// The dense matrix A, nr x nc, of compressed rows.
void ExpandRows(double* A, const double* values, int nr, int nc, const int* rownnz, const int* rowadr,
                const int* colind);

// Whether any row has an entry.
bool HasNonzeros(int nr, const int* rownnz);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_SPARSE_MATRIX_H_
