// Symmetric matrices that are banded but for some dense last rows ("arrowhead"), for example the Hessians of
// trajectories with global parameters. The lower triangle is stored: first `size - dense` rows of `width` numbers,
// whose last one is on the diagonal (numbers left of column 0 are not used), then `dense` rows of `size` numbers.
#ifndef SINEW_MATH_BAND_H_
#define SINEW_MATH_BAND_H_

#include <algorithm>
#include <cstddef>

namespace sinew::inline math {

struct BandShape {
  int size;   // rows, dense ones included
  int width;  // entries of a banded row, diagonal included; none: what is banded is zero
  int dense;  // dense rows

  int banded() const { return size - dense; }

  // First column of row i that is stored and used.
  int First(int i) const { return i < banded() ? std::max(0, i - width + 1) : 0; }

  // Where the diagonal entry of row i stands.
  ptrdiff_t Diagonal(int i) const {
    const ptrdiff_t row = i, band = banded();
    return row < band ? row * width + width - 1 : band * width + (row - band) * size + row;
  }

  // Where column `col` of row i stands, First(i) <= col <= i.
  ptrdiff_t Address(int i, int col) const { return Diagonal(i) - i + col; }
};

// A + diag(add + multiply A_ii) = L L', in place. Returns the smallest pivot (diagonal entry before the square root),
// or 0 as soon as one is below kMinVal; the matrix is then factored in part.
double FactorBand(double* A, const BandShape& shape, double add, double multiply);

// x = A^-1 b with the result of FactorBand; x may be b.
void SolveBand(double* x, const double* L, const double* b, const BandShape& shape);

// y = A x for `count` vectors, each of them consecutive; of the lower triangle alone if not `symmetric`.
void MulBand(double* y, const double* A, const double* x, const BandShape& shape, int count, bool symmetric);

// To and from size x size numbers. The upper triangle becomes zero if not `symmetric`; DenseToBand reads the lower one,
// and leaves numbers of A that are not used as they were.
void BandToDense(double* dense, const double* A, const BandShape& shape, bool symmetric);
void DenseToBand(double* A, const double* dense, const BandShape& shape);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_BAND_H_
