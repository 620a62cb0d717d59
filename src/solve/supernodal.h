// Arithmetic on matrices that are stored by supernodes (supernodes.h): sums of outer products, factorization L' D L,
// its updates, and solutions. Vectors are by index. Nothing here allocates.
#ifndef SINEW_SOLVE_SUPERNODAL_H_
#define SINEW_SOLVE_SUPERNODAL_H_

#include "solve/supernodes.h"

namespace sinew::inline solve {

inline constexpr int kMaxRows = 8;  // rows that are added at once

// Columns [source, source + count) of dense rows stand at [target, target + count) of a row of the matrix.
struct ColumnTarget {
  int source, target, count;
};

// At most kMaxRows dense rows with the same columns, in a sum of outer products: weight left' right. The sum must be
// symmetric.
struct Rows {
  int count;
  const double* const* left;
  const double* const* right;
  const double* weight;
};

// H += the sum of outer products of rows, lower part. `target`: scratch, as many as there are pieces of columns.
void AddProduct(double* H, const Structure& s, const PieceList& columns, const Rows& rows, ColumnTarget* target);

// Finds where the columns of pieces 0 .. r stand in the first row of piece r, whose own columns end with the diagonal.
// Returns the number of runs.
int FindTargets(const Structure& s, const PieceList& columns, int r, ColumnTarget* target);

// Memory for a factorization; `columns`: as many as a supernode has, here and above.
struct FactorScratch {
  static constexpr int kSums = 6;    // rows that are summed at once
  static constexpr int kCopies = 8;  // of a number, for the lanes of a register
  static constexpr int kScales =
      32;  // rows that a sum goes over before the next: what scales them is in the first cache

  ColumnTarget* target;  // as many as a supernode has pieces
  const double** row;    // columns
  double* weight;        // columns
  double* scale;         // kSums * kCopies * kScales
  double* sum;           // kSums * columns
};

// Factors in place: L below the diagonal, D on it, 1/D in diaginv.
void FactorSupernodes(double* H, double* diaginv, const Structure& s, const FactorScratch& scratch);

// The factors of H + weight v v' from those of H, by method C1 of Gill, Golub, Murray and Saunders (Methods for
// modifying matrix factorizations, Math. Comp. 28, 1974). Only rows on the path from the last nonzero of v to the root
// of the elimination tree change. v is by index; it is cleared. Returns false if H loses a rank, and leaves the factors
// unusable.
bool UpdateFactor(double* factor, double* diaginv, const Structure& s, int last, double weight, double* v,
                  double* local);

// x <- H^-1 x. `local`: scratch, as many as a supernode has columns, here and above.
void SolveSupernodes(double* x, const Structure& s, const double* factor, const double* diaginv, double* local);

// The same for a block of columns (math/column_block.h).
void SolveSupernodesBlock(double* x, const Structure& s, const double* factor, const double* diaginv);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SUPERNODAL_H_
