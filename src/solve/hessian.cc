#include "solve/hessian.h"

#include <algorithm>

#include "math/column_block.h"
#include "math/dense.h"
#include "solve/supernodal.h"

namespace sinew::inline solve {
namespace {

bool IsQuadratic(int state) { return state == mjCNSTRSTATE_QUADRATIC; }

}  // namespace

Hessian::Hessian(const Problem& problem, mjData* d, StackFrame& frame)
    : p_(problem), s_(FindStructure(problem, d, frame)) {
  if (frame.full()) return;
  quadratic_ = frame.Doubles(s_.nonzeros);
  factor_ = frame.Doubles(s_.nonzeros);
  diaginv_ = frame.Doubles(p_.nv);
  vector_ = frame.Doubles(p_.nv);

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
  scratch_ = {target_, frame.Alloc<const double*>(columns_of_node), frame.Doubles(columns_of_node),
              frame.Doubles(FactorScratch::kSums * FactorScratch::kCopies * FactorScratch::kScales),
              frame.Doubles(FactorScratch::kSums * static_cast<ptrdiff_t>(columns_of_node))};
  assembled_ = frame.Ints(p_.rows.nefc);
  update_cost_ = frame.Alloc<ptrdiff_t>(s_.nnode);
  if (!frame.full()) Zero(vector_, p_.nv);
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
  for (int i = 0; i < p_.nv; ++i) vector_[s_.index[i]] = y[i];
  SolveSupernodes(vector_, s_, factor_, diaginv_, local_);
  for (int i = 0; i < p_.nv; ++i) x[i] = vector_[s_.index[i]];
  Zero(vector_, p_.nv);
}

void Hessian::SolveBlock(double* x, double* scratch) const {
  for (int i = 0; i < p_.nv; ++i) std::copy_n(BlockRow(x, i), kBlockColumns, BlockRow(scratch, s_.index[i]));
  SolveSupernodesBlock(scratch, s_, factor_, diaginv_);
  for (int i = 0; i < p_.nv; ++i) std::copy_n(BlockRow(scratch, s_.index[i]), kBlockColumns, BlockRow(x, i));
}

void Hessian::AddInertia() {
  Zero(quadratic_, s_.nonzeros);
  for (int i = 0; i < p_.nv; ++i) {
    // entries of a dof and of its ancestors, whose indices ascend
    const int* col = p_.M_colind + p_.M_rowadr[i];
    const double* M = p_.M + p_.M_rowadr[i];
    ColumnFinder find(s_.node[s_.node_of[s_.index[i]]]);
    double* row = quadratic_ + s_.Row(s_.index[i]);
    for (int k = 0; k < p_.M_rownnz[i]; ++k) row[find(s_.index[col[k]])] = M[k];
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
        for (int i = 0; i < piece.count; ++i) vector_[piece.index + i] = value[piece.source + i];
      }
      const Piece& last = columns.piece[columns.count - 1];
      const double weight = now ? p_.rows.D[row] : -p_.rows.D[row];
      if (!UpdateFactor(factor_, diaginv_, s_, last.index + last.count - 1, weight, vector_, local_)) return false;
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
  FactorSupernodes(factor_, diaginv_, s_, scratch_);
}

}  // namespace sinew::inline solve
