#include "solve/supernodal.h"

#include <algorithm>

#include "math/column_block.h"
#include "math/columns.h"
#include "math/dense.h"
#include "simd/isa.h"
#include "simd/unroll.h"

namespace sinew::inline solve {
namespace {

// A pivot that shrinks by more than this loses too many digits.
constexpr double kRankTolerance = 1e-6;

// h[0..n) += sum over N rows of s[r] row[r][0..n)
template <int N>
inline void AddRows(double* h, const double* s, const double* const* row, int n) {
  ForColumns<double>(n, [&](const auto& at) {
    auto sum = at.Load(h);
    Unroll<0, N>([&](auto r) { sum += at.InAll(s[r]) * at.Load(row[r]); });
    at.Store(sum, h);
  });
}

// v -= value row, then row += step v
inline void UpdateRow(double* __restrict v, double* __restrict row, double value, double step, int n) {
  for (int i = 0; i < n; ++i) {
    v[i] -= value * row[i];
    row[i] += step * v[i];
  }
}

// The columns of piece r times all columns before it: rows of one supernode.
template <int N>
inline void AddPiece(double* row, int length, const Piece& piece, const Rows& rows, ColumnTarget* target, int count) {
  for (int c = 0; c < piece.count; ++c) {
    double scale[N];
    for (int k = 0; k < N; ++k) scale[k] = rows.weight[k] * rows.left[k][piece.source + c];
    for (int t = 0; t < count; ++t) {
      const double* right[N];
      for (int k = 0; k < N; ++k) right[k] = rows.right[k] + target[t].source;
      AddRows<N>(row + target[t].target, scale, right, target[t].count);
    }
    row += length++;
    ++target[count - 1].count;
  }
}

// A vector on the columns of a supernode's last row: those above it, then its own.
inline void GatherAbove(const Supernode& node, const double* x, double* local) {
  for (int p = 0; p < node.pieces.count; ++p) {
    const Piece& piece = node.pieces.piece[p];
    for (int i = 0; i < piece.count; ++i) local[piece.source + i] = x[piece.index + i];
  }
}

}  // namespace

int FindTargets(const Structure& s, const PieceList& columns, int r, ColumnTarget* target) {
  ColumnFinder find(s.node[columns.piece[r].node]);
  int count = 0;
  for (int q = 0; q <= r; ++q) {
    const Piece& piece = columns.piece[q];
    const int at = find(piece.index);
    const int length = q < r ? piece.count : 1;
    ColumnTarget* last = target + count - 1;
    if (count > 0 && last->source + last->count == piece.source && last->target + last->count == at) {
      last->count += length;
    } else {
      target[count++] = {piece.source, at, length};
    }
  }
  return count;
}

SINEW_DISPATCH void AddProduct(double* H, const Structure& s, const PieceList& columns, const Rows& rows,
                               ColumnTarget* target) {
  for (int r = 0; r < columns.count; ++r) {
    const Piece& piece = columns.piece[r];
    const Supernode& node = s.node[piece.node];
    const int count = FindTargets(s, columns, r, target);
    const int length = node.above + piece.index - node.index + 1;
    double* row = H + s.Row(piece.index);
    WithCount<kMaxRows>(rows.count, [&](auto n) { AddPiece<n>(row, length, piece, rows, target, count); });
  }
}

SINEW_DISPATCH bool UpdateFactor(double* factor, double* diaginv, const Structure& s, int last, double weight,
                                 double* v, double* local) {
  while (last >= 0) {
    // the rows of a supernode, with v on its columns in one piece
    const Supernode& node = s.node[s.node_of[last]];
    double* own = local + node.above;
    GatherAbove(node, v, local);
    for (int k = last - node.index; k >= 0; --k) {
      own[k] = v[node.index + k];
      v[node.index + k] = 0;
    }
    for (int k = last - node.index; k >= 0; --k) {
      double* row = factor + node.Row(k);
      double& D = row[node.above + k];
      const double value = own[k], updated = D + weight * value * value;
      if (!(updated > kRankTolerance * D)) return false;
      const double inverse = diaginv[node.index + k] = 1 / updated;
      const double step = weight * value * inverse;
      weight *= D * inverse;
      D = updated;
      UpdateRow(local, row, value, step, node.above + k);
    }
    for (int p = 0; p < node.pieces.count; ++p) {
      const Piece& piece = node.pieces.piece[p];
      for (int i = 0; i < piece.count; ++i) v[piece.index + i] = local[piece.source + i];
    }
    last = node.Parent();
  }
  return true;
}

namespace {

// Back substitution with N rows of a supernode from row `low` on, which begin with the columns above it. Changes the
// rows of the supernode before them, and adds up the changes of those above.
template <int N>
inline void BackSubstitute(const double* const* row, int above, int low, double* own, double* sum_above) {
  double share[N], negative[N];
  const double* inside[N];
  Unroll<0, N>([&](auto i) {
    share[i] = own[low + i];
    inside[i] = row[i] + above;
  });
  Unroll<0, N>([&](auto i) {
    constexpr int k = N - 1 - i;
    Unroll<0, k>([&](auto j) { share[j] -= inside[k][low + j] * share[k]; });
    negative[k] = -share[k];
    own[low + k] = share[k];
  });
  AddRows<N>(own, negative, inside, low);
  AddRows<N>(sum_above, share, row, above);
}

// The same rows, after their columns: `known` has the numbers of all those before them, and gets theirs. Sums are those
// of Dot (math/dense.h), for all rows at once.
template <int N>
inline void ForwardSubstitute(const double* const* row, const double* diaginv, int before, double* own, double* known) {
  Four sum[N];
  double x[N];
  Unroll<0, N>([&](auto i) { sum[i] = InAllLanes(0); });
  int c = 0;
  for (; c + 4 <= before; c += 4) {
    const Four columns = LoadFour(known + c);
    Unroll<0, N>([&](auto i) { sum[i] += LoadFour(row[i] + c) * columns; });
  }
  Unroll<0, N>([&](auto i) {
    const block::Two pair = block::Low(sum[i]) + block::High(sum[i]);
    double tail = 0;
    for (int j = c; j < before; ++j) tail += row[i][j] * known[j];
    x[i] = own[i] * diaginv[i] - (pair[0] + pair[1] + tail);
  });
  Unroll<0, N>([&](auto i) {
    Unroll<0, i>([&](auto j) { x[i] -= row[i][before + j] * x[j]; });
    own[i] = known[before + i] = x[i];
  });
}

}  // namespace

// x <- L^-T x, D^-1 x, L^-1 x
SINEW_DISPATCH void SolveSupernodes(double* x, const Structure& s, const double* factor, const double* diaginv,
                                    double* local) {
  const double* row[kMaxRows];
  const auto find_rows = [&](const Supernode& node, int low, int count) {
    for (int i = 0; i < count; ++i) row[i] = factor + node.Row(low + i);
  };

  // from the leaves: each row hands its share to its ancestors, inside its supernode and above it
  for (int n = 0; n < s.nnode; ++n) {
    const Supernode& node = s.node[n];
    for (int i = 0; i < node.above; ++i) local[i] = 0;
    for (int high = node.width; high > 0; high -= kMaxRows) {
      const int low = std::max(0, high - kMaxRows);
      find_rows(node, low, high - low);
      WithCount<kMaxRows>(high - low,
                          [&](auto rows) { BackSubstitute<rows>(row, node.above, low, x + node.index, local); });
    }
    for (int p = 0; p < node.pieces.count; ++p) {
      const Piece& piece = node.pieces.piece[p];
      for (int i = 0; i < piece.count; ++i) x[piece.index + i] -= local[piece.source + i];
    }
  }

  // from the roots
  for (int n = s.nnode - 1; n >= 0; --n) {
    const Supernode& node = s.node[n];
    GatherAbove(node, x, local);
    for (int low = 0; low < node.width; low += kMaxRows) {
      const int count = std::min(kMaxRows, node.width - low), index = node.index + low;
      find_rows(node, low, count);
      WithCount<kMaxRows>(
          count, [&](auto rows) { ForwardSubstitute<rows>(row, diaginv + index, node.above + low, x + index, local); });
    }
  }
}

// Rows of a supernode hand on their shares up to four at a time.
SINEW_DISPATCH void SolveSupernodesBlock(double* x, const Structure& s, const double* factor, const double* diaginv) {
  constexpr int kRows = 4;
  double entries[kRows];

  // from the leaves
  for (int n = 0; n < s.nnode; ++n) {
    const Supernode& node = s.node[n];
    for (int high = node.width; high > 0; high -= kRows) {
      const int low = std::max(0, high - kRows), count = high - low;
      double* const own = BlockRow(x, node.index);
      for (int r = high - 1; r > low; --r) {
        const double* row = factor + node.Row(r) + node.above;
        for (int j = low; j < r; ++j) SubtractRow(BlockRow(own, j), row[j], BlockRow(own, r));
      }
      const auto hand_on = [&](int source, double* target) {
        for (int r = 0; r < count; ++r) entries[r] = factor[node.Row(low + r) + source];
        SubtractRows(target, entries, BlockRow(own, low), count);
      };
      for (int j = 0; j < low; ++j) hand_on(node.above + j, BlockRow(own, j));
      for (int p = 0; p < node.pieces.count; ++p) {
        const Piece& piece = node.pieces.piece[p];
        for (int i = 0; i < piece.count; ++i) hand_on(piece.source + i, BlockRow(x, piece.index + i));
      }
    }
  }

  // from the roots
  for (int n = s.nnode - 1; n >= 0; --n) {
    const Supernode& node = s.node[n];
    double* const own = BlockRow(x, node.index);
    for (int k = 0; k < node.width; ++k) {
      const double* row = factor + node.Row(k);
      double* const result = BlockRow(own, k);
      ScaleRow(result, diaginv[node.index + k]);
      for (int p = 0; p < node.pieces.count; ++p) {
        const Piece& piece = node.pieces.piece[p];
        SubtractRows(result, row + piece.source, BlockRow(x, piece.index), piece.count);
      }
      SubtractRows(result, row + node.above, own, k);
    }
  }
}

}  // namespace sinew::inline solve
