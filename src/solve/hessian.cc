#include "solve/hessian.h"

#include <algorithm>

#include "math/dense.h"
#include "simd/isa.h"

namespace sinew {

// Columns [source, source + count) of dense rows stand at [target, target + count) of a row of the matrix.
struct ColumnTarget {
  int source, target, count;
};

namespace {

constexpr int kMaxRows = 8;  // rows of a block that are added at once

// h[0..n) += sum over N rows of s[r] v[r][first..first + n)
template <int N>
void AddRows(double* __restrict h, const double* s, const double* const* v, int first, int n) {
  const double* row[N];
  for (int r = 0; r < N; ++r) row[r] = v[r] + first;
  for (int i = 0; i < n; ++i) {
    double sum = s[0] * row[0][i];
    for (int r = 1; r < N; ++r) sum += s[r] * row[r][i];
    h[i] += sum;
  }
}

void AddRows(double* h, const double* s, const double* const* v, int nrow, int first, int n) {
  switch (nrow) {
    case 1: return AddRows<1>(h, s, v, first, n);
    case 2: return AddRows<2>(h, s, v, first, n);
    case 3: return AddRows<3>(h, s, v, first, n);
    case 4: return AddRows<4>(h, s, v, first, n);
    case 5: return AddRows<5>(h, s, v, first, n);
    case 6: return AddRows<6>(h, s, v, first, n);
    case 7: return AddRows<7>(h, s, v, first, n);
    default: return AddRows<8>(h, s, v, first, n);
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

// H += sum of outer products of rows, lower part
SINEW_DISPATCH void AddProduct(double* H, const Structure& s, const PieceList& columns, const Rows& rows,
                               ColumnTarget* target) {
  for (int r = 0; r < columns.count; ++r) {
    const Piece& piece = columns.piece[r];
    const Supernode& node = s.node[piece.node];
    const int count = FindTargets(s, columns, r, target);
    double* row = H + s.Row(piece.place);
    for (int c = 0; c < piece.count; ++c) {
      double scale[kMaxRows];
      for (int k = 0; k < rows.count; ++k) scale[k] = rows.weight[k] * rows.left[k][piece.source + c];
      for (int t = 0; t < count; ++t) {
        AddRows(row + target[t].target, scale, rows.right, rows.count, target[t].source, target[t].count);
      }
      ++target[count - 1].count;
      row += node.above + piece.place - node.place + c + 1;
    }
  }
}

// Rows [low, high) of a supernode: L below the diagonal, D on it; rows before `low` get their share.
SINEW_DISPATCH void FactorRows(double* factor, double* diaginv, const Supernode& node, int low, int high) {
  const auto row = [&](int k) { return factor + node.address + static_cast<ptrdiff_t>(k) * node.above + k * (k + 1) / 2; };
  double* above[kMaxRows];
  for (int k = high - 1; k >= low; --k) {
    double* own = row(k);
    const int diagonal = node.above + k;
    const double inverse = diaginv[node.place + k] = 1 / own[diagonal];
    for (int j = k - 1; j >= low; --j) AddScaled(row(j), own, -own[node.above + j] * inverse, node.above + j + 1);
    Scale(own, own, inverse, diagonal);
    above[k - low] = own;
  }
  for (int j = low - 1; j >= 0; --j) {
    double scale[kMaxRows];
    for (int k = low; k < high; ++k) scale[k - low] = -above[k - low][node.above + k] * above[k - low][node.above + j];
    AddRows(row(j), scale, above, high - low, 0, node.above + j + 1);
  }
}

// x <- L^-T x, D^-1 x, L^-1 x; x by place, gathered has room for the columns above any supernode
SINEW_DISPATCH void SolveFactored(double* x, const Structure& s, const double* factor, const double* diaginv,
                                  double* gathered) {
  // from the leaves: each supernode hands its share to its ancestors
  for (int n = 0; n < s.nnode; ++n) {
    const Supernode& node = s.node[n];
    double* own = x + node.place;
    Zero(gathered, node.above);
    for (int k = node.width - 1; k >= 0; --k) {
      const double* row = factor + s.Row(node.place + k);
      AddScaled(gathered, row, own[k], node.above);
      AddScaled(own, row + node.above, -own[k], k);
    }
    for (int p = 0; p < node.pieces.count; ++p) {
      const Piece& piece = node.pieces.piece[p];
      AddScaled(x + piece.place, gathered + piece.source, -1, piece.count);
    }
  }

  // from the roots
  for (int i = 0; i < s.nv; ++i) x[i] *= diaginv[i];
  for (int n = s.nnode - 1; n >= 0; --n) {
    const Supernode& node = s.node[n];
    double* own = x + node.place;
    for (int p = 0; p < node.pieces.count; ++p) {
      const Piece& piece = node.pieces.piece[p];
      Copy(gathered + piece.source, x + piece.place, piece.count);
    }
    for (int k = 0; k < node.width; ++k) {
      const double* row = factor + s.Row(node.place + k);
      own[k] -= Dot(row, gathered, node.above) + Dot(row + node.above, own, k);
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

  // scratch for the widest block and supernode
  int columns = 0, pieces = 0, above = 0;
  for (int b = 0; b < p_.J.nblock; ++b) {
    columns = std::max(columns, p_.J.block[b].ncol);
    pieces = std::max(pieces, s_.block[b].count);
  }
  for (int n = 0; n < s_.nnode; ++n) {
    above = std::max(above, s_.node[n].above);
    pieces = std::max(pieces, s_.node[n].pieces.count);
  }
  product_ = frame.Doubles(6 * static_cast<ptrdiff_t>(columns));
  gathered_ = frame.Doubles(above);
  target_ = frame.Alloc<ColumnTarget>(pieces);
}

void Hessian::Assemble(const int* state) {
  AddInertia();
  AddChangedRows(nullptr, state);
  Factor(state);
}

void Hessian::Update(const int* old_state, const int* state) {
  const bool changed = AddChangedRows(old_state, state);
  const int* end = state + p_.rows.nefc;
  if (changed || has_cones_ || std::find(state, end, mjCNSTRSTATE_CONE) != end) Factor(state);
}

void Hessian::Solve(double* x, const double* y) const {
  for (int i = 0; i < p_.nv; ++i) vector_[s_.place[i]] = y[i];
  SolveFactored(vector_, s_, factor_, diaginv_, gathered_);
  for (int i = 0; i < p_.nv; ++i) x[i] = vector_[s_.place[i]];
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

bool Hessian::AddChangedRows(const int* old_state, const int* state) {
  bool changed = false;
  for (int b = 0; b < p_.J.nblock; ++b) {
    const JacobianBlock& block = p_.J.block[b];
    double weight[kMaxRows];
    const double* value[kMaxRows];
    int count = 0;
    for (int r = 0; r < block.nrow; ++r) {
      const int row = block.row + r;
      const bool now = IsQuadratic(state[row]), before = old_state && IsQuadratic(old_state[row]);
      if (now != before) {
        weight[count] = now ? p_.rows.D[row] : -p_.rows.D[row];
        value[count++] = block.value + static_cast<ptrdiff_t>(r) * block.ncol;
        changed = true;
      }
      if (count == kMaxRows || (count > 0 && r == block.nrow - 1)) {
        AddProduct(quadratic_, s_, s_.block[b], {count, value, value, weight}, target_);
        count = 0;
      }
    }
  }
  return changed;
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
      row[k - low] = factor_ + s_.Row(node.place + k);
      weight[k - low] = -row[k - low][node.above + k];
    }
    AddProduct(factor_, s_, node.pieces, {high - low, row, row, weight}, target_);
  }
}

}  // namespace sinew
