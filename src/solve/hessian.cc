#include "solve/hessian.h"

#include <algorithm>
#include <type_traits>

#include "math/dense.h"
#include "simd/isa.h"

namespace sinew {

// Columns [source, source + count) of dense rows stand at [target, target + count) of a row of the matrix.
struct ColumnTarget {
  int source, target, count;
};

namespace {

constexpr int kMaxRows = 8;  // rows that are added at once

// A pivot that shrinks by more than this loses too many digits: the matrix is factored anew.
constexpr double kRankTolerance = 1e-6;

// h[0..n) += sum over N rows of s[r] row[r][0..n)
template <int N>
inline void AddRows(double* h, const double* s, const double* const* row, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Pack<double, 2> low = LoadTwo(h + i), high = LoadTwo(h + i + 2);
    for (int r = 0; r < N; ++r) {
      low += s[r] * LoadTwo(row[r] + i);
      high += s[r] * LoadTwo(row[r] + i + 2);
    }
    StoreTwo(low, h + i);
    StoreTwo(high, h + i + 2);
  }
  for (; i < n; ++i) {
    double sum = h[i];
    for (int r = 0; r < N; ++r) sum += s[r] * row[r][i];
    h[i] = sum;
  }
}

// Calls function(std::integral_constant<int, n>) for n = 1 .. kMaxRows: loops over rows are then unrolled.
template <class F>
inline void WithCount(int n, F&& function) {
  switch (n) {
    case 1:
      return function(std::integral_constant<int, 1>());
    case 2:
      return function(std::integral_constant<int, 2>());
    case 3:
      return function(std::integral_constant<int, 3>());
    case 4:
      return function(std::integral_constant<int, 4>());
    case 5:
      return function(std::integral_constant<int, 5>());
    case 6:
      return function(std::integral_constant<int, 6>());
    case 7:
      return function(std::integral_constant<int, 7>());
    default:
      return function(std::integral_constant<int, kMaxRows>());
  }
}

// x -= s row, in memory of its own
inline void Subtract(double* __restrict x, const double* __restrict row, double s, int n) {
  for (int i = 0; i < n; ++i) x[i] -= s * row[i];
}

// v -= value row, then row += step v
inline void UpdateRow(double* __restrict v, double* __restrict row, double value, double step, int n) {
  for (int i = 0; i < n; ++i) {
    v[i] -= value * row[i];
    row[i] += step * v[i];
  }
}

bool IsQuadratic(int state) { return state == mjCNSTRSTATE_QUADRATIC; }

// Dense rows with the same columns, in a sum of outer products: weight left' right. The sum is symmetric.
struct Rows {
  int count;
  const double* const* left;
  const double* const* right;
  const double* weight;
};

// Finds where the columns of pieces 0 .. r stand in the first row of piece r, whose own columns end with the diagonal.
int FindTargets(const Structure& s, const PieceList& columns, int r, ColumnTarget* target) {
  const Supernode& node = s.node[columns.piece[r].node];
  const Piece* above = node.pieces.piece;
  int count = 0;
  for (int q = 0; q <= r; ++q) {
    const Piece& piece = columns.piece[q];
    int at;
    if (piece.place >= node.place) {
      at = node.above + piece.place - node.place;
    } else {
      while (above->place + above->count <= piece.place) ++above;
      at = above->source + piece.place - above->place;
    }
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

// H += sum of outer products of rows, lower part
SINEW_DISPATCH void AddProduct(double* H, const Structure& s, const PieceList& columns, const Rows& rows,
                               ColumnTarget* target) {
  for (int r = 0; r < columns.count; ++r) {
    const Piece& piece = columns.piece[r];
    const Supernode& node = s.node[piece.node];
    const int count = FindTargets(s, columns, r, target);
    const int length = node.above + piece.place - node.place + 1;
    double* row = H + s.Row(piece.place);
    WithCount(rows.count, [&](auto n) { AddPiece<n>(row, length, piece, rows, target, count); });
  }
}

// Rows [low, high) of a supernode: L below the diagonal, D on it; rows before `low` get their share.
SINEW_DISPATCH void FactorRows(double* factor, double* diaginv, const Supernode& node, int low, int high) {
  const auto row = [&](int k) { return factor + node.Row(k); };
  double* above[kMaxRows];
  for (int k = high - 1; k >= low; --k) {
    double* own = row(k);
    const int diagonal = node.above + k;
    const double inverse = diaginv[node.place + k] = 1 / own[diagonal];
    for (int j = k - 1; j >= low; --j) Subtract(row(j), own, own[node.above + j] * inverse, node.above + j + 1);
    Scale(own, own, inverse, diagonal);
    above[k - low] = own;
  }
  for (int j = low - 1; j >= 0; --j) {
    double scale[kMaxRows];
    for (int k = low; k < high; ++k) scale[k - low] = -above[k - low][node.above + k] * above[k - low][node.above + j];
    WithCount(high - low, [&](auto n) { AddRows<n>(row(j), scale, above, node.above + j + 1); });
  }
}

// A vector on the columns of a supernode's last row: those above it, then its own.
inline void GatherAbove(const Supernode& node, const double* x, double* local) {
  for (int p = 0; p < node.pieces.count; ++p) {
    const Piece& piece = node.pieces.piece[p];
    for (int i = 0; i < piece.count; ++i) local[piece.source + i] = x[piece.place + i];
  }
}

// The factors of H + weight v v' from those of H, by method C1 of Gill, Golub, Murray and Saunders (Methods for
// modifying matrix factorizations, Math. Comp. 28, 1974). Only rows on the path from the last nonzero of v to the root
// of the elimination tree change. v is by place; it is cleared. Returns false if H loses a rank, and leaves the factors
// unusable.
SINEW_DISPATCH bool UpdateFactor(double* factor, double* diaginv, const Structure& s, int last, double weight,
                                 double* v, double* local) {
  while (last >= 0) {
    // the rows of a supernode, with v on its columns in one piece
    const Supernode& node = s.node[s.node_of[last]];
    double* own = local + node.above;
    GatherAbove(node, v, local);
    for (int k = last - node.place; k >= 0; --k) {
      own[k] = v[node.place + k];
      v[node.place + k] = 0;
    }
    for (int k = last - node.place; k >= 0; --k) {
      double* row = factor + node.Row(k);
      double& D = row[node.above + k];
      const double value = own[k], updated = D + weight * value * value;
      if (!(updated > kRankTolerance * D)) return false;
      const double inverse = diaginv[node.place + k] = 1 / updated;
      const double step = weight * value * inverse;
      weight *= D * inverse;
      D = updated;
      UpdateRow(local, row, value, step, node.above + k);
    }
    for (int p = 0; p < node.pieces.count; ++p) {
      const Piece& piece = node.pieces.piece[p];
      for (int i = 0; i < piece.count; ++i) v[piece.place + i] = local[piece.source + i];
    }
    last = node.Parent();
  }
  return true;
}

// x <- L^-T x, D^-1 x, L^-1 x; x by place, local has room for the columns of any supernode
SINEW_DISPATCH void SolveFactored(double* x, const Structure& s, const double* factor, const double* diaginv,
                                  double* local) {
  // from the leaves: each row hands its share to its ancestors, inside its supernode and above it
  for (int n = 0; n < s.nnode; ++n) {
    const Supernode& node = s.node[n];
    double* own = x + node.place;
    for (int k = node.width - 1; k > 0; --k) Subtract(own, factor + node.Row(k) + node.above, own[k], k);
    if (node.above == 0) continue;
    for (int i = 0; i < node.above; ++i) local[i] = 0;
    for (int low = 0; low < node.width; low += kMaxRows) {
      const double* row[kMaxRows];
      const int count = std::min(kMaxRows, node.width - low);
      for (int k = 0; k < count; ++k) row[k] = factor + node.Row(low + k);
      WithCount(count, [&](auto rows) { AddRows<rows>(local, own + low, row, node.above); });
    }
    for (int p = 0; p < node.pieces.count; ++p) {
      const Piece& piece = node.pieces.piece[p];
      for (int i = 0; i < piece.count; ++i) x[piece.place + i] -= local[piece.source + i];
    }
  }

  // from the roots
  for (int n = s.nnode - 1; n >= 0; --n) {
    const Supernode& node = s.node[n];
    double* own = x + node.place;
    GatherAbove(node, x, local);
    for (int k = 0; k < node.width; ++k) {
      own[k] = own[k] * diaginv[node.place + k] - Dot(factor + node.Row(k), local, node.above);
    }
    for (int k = 1; k < node.width; ++k) {
      const double* row = factor + node.Row(k) + node.above;
      double sum = own[k];
      for (int j = 0; j < k; ++j) sum -= row[j] * own[j];
      own[k] = sum;
    }
  }
}

}  // namespace

Hessian::Hessian(const Problem& problem, mjData* d, StackFrame& frame)
    : p_(problem), s_(FindStructure(problem, d, frame)) {
  quadratic_ = frame.Doubles(s_.nonzeros);
  factor_ = frame.Doubles(s_.nonzeros);
  diaginv_ = frame.Doubles(p_.nv);
  vector_ = frame.Doubles(p_.nv);
  Zero(vector_, p_.nv);

  // scratch for the widest block and supernode
  int columns = 0, pieces = 0, columns_of_node = 0;
  for (int b = 0; b < p_.J.nblock; ++b) {
    columns = std::max(columns, p_.J.block[b].ncol);
    pieces = std::max(pieces, s_.block[b].count);
  }
  for (int n = 0; n < s_.nnode; ++n) {
    columns_of_node = std::max(columns_of_node, s_.node[n].above + s_.node[n].width);
    pieces = std::max(pieces, s_.node[n].pieces.count);
  }
  product_ = frame.Doubles(6 * static_cast<ptrdiff_t>(columns));
  local_ = frame.Doubles(columns_of_node);
  target_ = frame.Alloc<ColumnTarget>(pieces);
  assembled_ = frame.Ints(p_.rows.nefc);
  update_cost_ = frame.Alloc<ptrdiff_t>(s_.nnode);
}

// Multiplications of a factorization, and of an update that begins in each supernode.
void Hessian::EstimateCosts() {
  constexpr int kRowCost = 16;  // of a division, in multiplications
  factor_cost_ = 0;
  for (int n = s_.nnode - 1; n >= 0; --n) {
    const Supernode& node = s_.node[n];
    const ptrdiff_t row = node.above + node.width / 2 + kRowCost;
    const int parent = node.Parent();
    factor_cost_ += node.width * row * row / 2;
    update_cost_[n] = 2 * node.width * row + (parent < 0 ? 0 : update_cost_[s_.node_of[parent]]);
  }
}

void Hessian::Assemble(const int* state) {
  AddInertia();
  std::fill_n(assembled_, p_.rows.nefc, mjCNSTRSTATE_SATISFIED);
  Factor(state);
}

void Hessian::Update(const int* old_state, const int* state) {
  const int* end = state + p_.rows.nefc;
  const bool cones = has_cones_ || std::find(state, end, mjCNSTRSTATE_CONE) != end;
  if (cones || !UpdateIsCheap(old_state, state) || !UpdateRows(old_state, state)) Factor(state);
}

void Hessian::Solve(double* x, const double* y) {
  for (int i = 0; i < p_.nv; ++i) vector_[s_.place[i]] = y[i];
  SolveFactored(vector_, s_, factor_, diaginv_, local_);
  for (int i = 0; i < p_.nv; ++i) x[i] = vector_[s_.place[i]];
  Zero(vector_, p_.nv);
}

void Hessian::AddInertia() {
  Zero(quadratic_, s_.nonzeros);
  for (int i = 0; i < p_.nv; ++i) {
    // entries of a dof and of its ancestors, whose places ascend
    const int* col = p_.M_colind + p_.M_rowadr[i];
    const double* M = p_.M + p_.M_rowadr[i];
    const Supernode& node = s_.node[s_.node_of[s_.place[i]]];
    double* row = quadratic_ + s_.Row(s_.place[i]);
    const Piece* piece = node.pieces.piece;
    for (int k = 0; k < p_.M_rownnz[i]; ++k) {
      const int place = s_.place[col[k]];
      if (place >= node.place) {
        row[node.above + place - node.place] = M[k];
      } else {
        while (piece->place + piece->count <= place) ++piece;
        row[piece->source + place - piece->place] = M[k];
      }
    }
  }
}

// Rows that were not in the quadratic state when they were last looked at, or no longer are.
void Hessian::AddChangedRows(const int* state) {
  for (int b = 0; b < p_.J.nblock; ++b) {
    const JacobianBlock& block = p_.J.block[b];
    double weight[kMaxRows];
    const double* value[kMaxRows];
    int count = 0;
    for (int r = 0; r < block.nrow; ++r) {
      const int row = block.row + r;
      const bool now = IsQuadratic(state[row]);
      if (now != IsQuadratic(assembled_[row])) {
        weight[count] = now ? p_.rows.D[row] : -p_.rows.D[row];
        value[count++] = block.value + static_cast<ptrdiff_t>(r) * block.ncol;
      }
      if (count == kMaxRows || (count > 0 && r == block.nrow - 1)) {
        AddProduct(quadratic_, s_, s_.block[b], {count, value, value, weight}, target_);
        count = 0;
      }
    }
  }
  std::copy_n(state, p_.rows.nefc, assembled_);
}

// Whether updates of the factors for all changed rows cost less than factoring anew.
bool Hessian::UpdateIsCheap(const int* old_state, const int* state) {
  if (std::equal(state, state + p_.rows.nefc, old_state)) return true;
  if (factor_cost_ == 0) EstimateCosts();
  ptrdiff_t cost = 0;
  for (int b = 0; b < p_.J.nblock && cost < factor_cost_; ++b) {
    if (s_.block[b].count == 0) continue;
    const JacobianBlock& block = p_.J.block[b];
    int changed = 0;
    for (int row = block.row; row < block.row + block.nrow; ++row) {
      changed += IsQuadratic(old_state[row]) != IsQuadratic(state[row]);
    }
    cost += changed * update_cost_[s_.block[b].piece[s_.block[b].count - 1].node];
  }
  return cost < factor_cost_;
}

// Updates the factors for each row that enters or leaves the quadratic state; false if that failed.
bool Hessian::UpdateRows(const int* old_state, const int* state) {
  for (int b = 0; b < p_.J.nblock; ++b) {
    const JacobianBlock& block = p_.J.block[b];
    const PieceList& columns = s_.block[b];
    for (int r = 0; r < block.nrow && columns.count > 0; ++r) {
      const int row = block.row + r;
      const bool now = IsQuadratic(state[row]);
      if (now == IsQuadratic(old_state[row])) continue;
      const double* value = block.value + static_cast<ptrdiff_t>(r) * block.ncol;
      for (int p = 0; p < columns.count; ++p) {
        const Piece& piece = columns.piece[p];
        for (int i = 0; i < piece.count; ++i) vector_[piece.place + i] = value[piece.source + i];
      }
      const Piece& last = columns.piece[columns.count - 1];
      const double weight = now ? p_.rows.D[row] : -p_.rows.D[row];
      if (!UpdateFactor(factor_, diaginv_, s_, last.place + last.count - 1, weight, vector_, local_)) return false;
    }
  }
  return true;
}

// H += J_c' H_c J_c for every contact in the middle zone of its cone; returns whether there is one
bool Hessian::AddCones(double* H, const int* state) {
  bool any = false;
  for (int b = 0; b < p_.J.nblock; ++b) {
    const JacobianBlock& block = p_.J.block[b];
    for (int r = 0; r < block.nrow; ++r) {
      if (state[block.row + r] != mjCNSTRSTATE_CONE) continue;
      any = true;
      const mjContact& contact = p_.rows.contact[p_.rows.id[block.row + r]];
      const int dim = contact.dim;
      const double ones[6] = {1, 1, 1, 1, 1, 1};
      const double *left[6], *right[6];
      for (int i = 0; i < dim; ++i) {
        // row i of H_c J_c
        double* product = product_ + static_cast<ptrdiff_t>(i) * block.ncol;
        Zero(product, block.ncol);
        for (int j = 0; j < dim; ++j) {
          right[j] = block.value + static_cast<ptrdiff_t>(r + j) * block.ncol;
          AddScaled(product, right[j], contact.H[i * dim + j], block.ncol);
        }
        left[i] = product;
      }
      AddProduct(H, s_, s_.block[b], {dim, left, right, ones}, target_);
      r += dim - 1;
    }
  }
  return any;
}

void Hessian::Factor(const int* state) {
  AddChangedRows(state);
  Copy(factor_, quadratic_, s_.nonzeros);
  has_cones_ = AddCones(factor_, state);
  for (int n = 0; n < s_.nnode; ++n) FactorNode(s_.node[n]);
}

// Eliminates the rows of a supernode, some at a time: A_ij -= L_ki D_k L_kj for the columns i, j of each row k.
void Hessian::FactorNode(const Supernode& node) {
  for (int high = node.width; high > 0; high -= kMaxRows) {
    const int low = std::max(0, high - kMaxRows);
    FactorRows(factor_, diaginv_, node, low, high);

    // the rest of the matrix has the columns above only
    const double* row[kMaxRows];
    double weight[kMaxRows];
    for (int k = low; k < high; ++k) {
      row[k - low] = factor_ + node.Row(k);
      weight[k - low] = -row[k - low][node.above + k];
    }
    AddProduct(factor_, s_, node.pieces, {high - low, row, row, weight}, target_);
  }
}

}  // namespace sinew
