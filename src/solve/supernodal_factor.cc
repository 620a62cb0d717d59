// The factorization of a matrix that is stored by supernodes. Rows of a supernode are eliminated up to eight at a time,
// the last ones first; what they take from other rows is summed for some of these at once, so that sums of a block of
// columns stay in registers from the first row to the last.
#include <algorithm>
#include <type_traits>

#include "math/columns.h"
#include "math/dense.h"
#include "simd/isa.h"
#include "simd/unroll.h"
#include "solve/supernodal.h"

namespace sinew::inline solve {
namespace {

constexpr int kMaxSums = FactorScratch::kSums, kCopies = FactorScratch::kCopies;

// Eight columns, beside those of math/columns.h. Where registers have four lanes they are two.
struct EightColumns {
  typedef double Eight __attribute__((vector_size(64)));
  typedef double InMemory __attribute__((vector_size(64), aligned(8), may_alias));
  int first;
  Eight Load(const double* row) const { return *reinterpret_cast<const InMemory*>(row + first); }
  void Store(Eight x, double* row) const { *reinterpret_cast<InMemory*>(row + first) = x; }
};

// compute(columns) for columns [0, n) in ascending order.
template <class Compute>
void ForWideColumns(int n, const Compute& compute) {
  int first = 0;
  for (; first + 8 <= n; first += 8) compute(EightColumns{first});
  if (first + 4 <= n) {
    compute(FourColumns{first});
    first += 4;
  }
  if (first + 2 <= n) {
    compute(TwoColumns{first});
    first += 2;
  }
  if (first < n) compute(OneColumn<double>{first});
}

// Rows of a supernode that have been eliminated, in the order in which sums take them: row[k] and -D_k.
struct Eliminated {
  int count;
  const double** row;
  double* weight;
};

// sum[r] = start[r] - sum over k of L_kr D_k row[k] for N rows r, whose columns in row[k] begin with `column`, and n
// columns. `scale`: scratch.
template <int N, class Start>
inline void SumEliminated(double* const* sum, const Start& start, const Eliminated& rows, int column, int n,
                          double* scale) {
  for (int k = 0; k < rows.count; ++k) {
    Unroll<0, N>([&](auto r) {
      const Four all = InAllLanes(rows.weight[k] * rows.row[k][column + r]);
      StoreFour(all, scale + kCopies * (N * k + r));
      StoreFour(all, scale + kCopies * (N * k + r) + 4);
    });
  }
  ForWideColumns(n, [&](const auto& at) {
    const std::remove_cvref_t<decltype(at)> scales{0};
    decltype(at.Load(sum[0])) total[N];
    Unroll<0, N>([&](auto r) { total[r] = start(at, r); });
    for (int k = 0; k < rows.count; ++k) {
      const auto x = at.Load(rows.row[k]);
      Unroll<0, N>([&](auto r) { total[r] += scales.Load(scale + kCopies * (N * k + r)) * x; });
    }
    Unroll<0, N>([&](auto r) { at.Store(total[r], sum[r]); });
  });
}

// Factors N rows of a supernode among each other: L in the columns of each row before its diagonal, D on it. They have
// `before` columns in common, and behind these a triangle, where each pivot waits for the one before.
template <int N>
inline void FactorAmongThemselves(double* const* row, double* diaginv, int before) {
  double entry[N][N], factor[N][N], inverse[N];
  Unroll<0, N>([&](auto k) { Unroll<0, k + 1>([&](auto j) { entry[k][j] = row[k][before + j]; }); });
  Unroll<0, N>([&](auto i) {
    constexpr int k = N - 1 - i;
    diaginv[k] = inverse[k] = 1 / entry[k][k];
    Unroll<0, k>([&](auto j) {
      factor[k][j] = entry[k][j] * inverse[k];
      Unroll<0, j + 1>([&](auto m) { entry[j][m] -= factor[k][j] * entry[k][m]; });
      row[k][before + j] = factor[k][j];
    });
    row[k][before + k] = entry[k][k];
  });

  ForColumns<double>(before, [&](const auto& at) {
    decltype(at.Load(row[0])) entries[N];
    Unroll<0, N>([&](auto k) { entries[k] = at.Load(row[k]); });
    Unroll<0, N>([&](auto i) {
      constexpr int k = N - 1 - i;
      Unroll<0, k>([&](auto j) { entries[j] -= at.InAll(factor[k][j]) * entries[k]; });
      at.Store(entries[k] * at.InAll(inverse[k]), row[k]);
    });
  });
}

// The elimination of one supernode: A_ij -= L_ki D_k L_kj for the columns i, j of each of its rows k.
class NodeElimination {
 public:
  NodeElimination(double* factor, double* diaginv, const Structure& s, const Supernode& node,
                  const FactorScratch& scratch)
      : factor_(factor), diaginv_(diaginv), s_(s), node_(node), target_(scratch.target), scale_(scratch.scale) {
    rows_ = {0, scratch.row, scratch.weight};
    for (int r = 0; r < kMaxSums; ++r) sum_[r] = scratch.sum + static_cast<ptrdiff_t>(r) * (node.above + node.width);
  }

  void Run() {
    for (int high = node_.width; high > 0; high -= kMaxRows) {
      const int low = std::max(0, high - kMaxRows);
      if (rows_.count > 0) SubtractFromRows(low, high);
      FactorRows(low, high);
    }
    if (node_.width > kMaxRows) {
      SubtractFromAncestors();
    } else {
      AddProduct(factor_, s_, node_.pieces, {node_.width, rows_.row, rows_.row, rows_.weight}, target_);
    }
  }

 private:
  // Sums of `count` rows whose columns in the eliminated rows begin with `column`. Row r has column + r + 1 columns;
  // those behind its last are computed as far as whole registers go, `limit` at most, and dropped.
  template <class Start>
  void SumRows(int count, int column, int limit, const Start& start) {
    const int n = std::min(limit, (column + count + 7) / 8 * 8);
    const auto sum_some = [&](int first, const auto& from) {
      const Eliminated rows = {std::min(FactorScratch::kScales, rows_.count - first), rows_.row + first,
                               rows_.weight + first};
      WithCount<kMaxSums>(count, [&](auto N) { SumEliminated<N>(sum_, from, rows, column, n, scale_); });
    };
    sum_some(0, start);
    for (int first = FactorScratch::kScales; first < rows_.count; first += FactorScratch::kScales) {
      sum_some(first, [this](const auto& at, int r) { return at.Load(sum_[r]); });
    }
  }

  // Subtracts the products of the rows behind from rows [low, high).
  void SubtractFromRows(int low, int high) {
    constexpr int kRows = kMaxRows / 2;
    for (int first = low; first < high; first += kRows) {
      const int count = std::min(kRows, high - first), column = node_.above + first;
      double* row[kRows];
      for (int r = 0; r < count; ++r) row[r] = factor_ + node_.Row(first + r);
      SumRows(count, column, node_.above + high, [&](const auto& at, int r) { return at.Load(row[r]); });
      for (int r = 0; r < count; ++r) Copy(row[r], sum_[r], column + r + 1);
    }
  }

  void FactorRows(int low, int high) {
    double* row[kMaxRows];
    for (int k = low; k < high; ++k) row[k - low] = factor_ + node_.Row(k);
    WithCount<kMaxRows>(high - low, [&](auto count) {
      FactorAmongThemselves<count>(row, diaginv_ + node_.index + low, node_.above + low);
    });
    for (int k = low; k < high; ++k) {
      rows_.row[rows_.count] = row[k - low];
      rows_.weight[rows_.count++] = -row[k - low][node_.above + k];
    }
  }

  // Subtracts the products of all rows from the rest of the matrix, which has only the columns above.
  void SubtractFromAncestors() {
    int p = -1, runs = 0;
    for (int first = 0; first < node_.above; first += kMaxSums) {
      const int count = std::min(kMaxSums, node_.above - first);
      SumRows(count, first, node_.above, [](const auto& at, int) { return decltype(at.Load(nullptr)){}; });
      for (int r = 0; r < count; ++r) {
        const int column = first + r;
        if (p < 0 || column == node_.pieces.piece[p].source + node_.pieces.piece[p].count) {
          runs = FindTargets(s_, node_.pieces, ++p, target_);
        } else {
          ++target_[runs - 1].count;
        }
        const int index = node_.pieces.piece[p].index + column - node_.pieces.piece[p].source;
        double* const row = factor_ + s_.Row(index);
        for (int t = 0; t < runs; ++t)
          AddColumns(target_[t].count, sum_[r] + target_[t].source, row + target_[t].target);
      }
    }
  }

  // A few numbers, for which a call costs more than the sum.
  static void AddColumns(int n, const double* from, double* to) {
    ForColumns<double>(n, [&](const auto& at) { at.Store(at.Load(to) + at.Load(from), to); });
  }

  double* const factor_;
  double* const diaginv_;
  const Structure& s_;
  const Supernode& node_;
  ColumnTarget* const target_;
  double* const scale_;
  double* sum_[kMaxSums];
  Eliminated rows_;
};

}  // namespace

SINEW_DISPATCH void FactorSupernodes(double* H, double* diaginv, const Structure& s, const FactorScratch& scratch) {
  for (int n = 0; n < s.nnode; ++n) NodeElimination(H, diaginv, s, s.node[n], scratch).Run();
}

}  // namespace sinew::inline solve
