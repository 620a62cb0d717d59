#include "solve/hessian.h"

#include <algorithm>

#include "inertia/ldl.h"
#include "math/dense.h"
#include "solve/elimination_tree.h"

namespace sinew {
namespace {

constexpr int kMaxRows = 16;  // rows of a block that are added at once

// h[0..n) += sum over rows of s[r] v[r][0..n), four rows at a time
void AddRows(double* h, const double* s, const double* const* v, int nrow, int n) {
  int r = 0;
  for (; r + 4 <= nrow; r += 4) AddFourScaled(h, v + r, s + r, n);
  for (; r < nrow; ++r) AddScaled(h, v[r], s[r], n);
}

bool IsQuadratic(int state) { return state == mjCNSTRSTATE_QUADRATIC; }

}  // namespace

Hessian::Hessian(const Problem& problem, StackFrame& frame) : p_(problem) {
  // layout: the path of each dof
  rownnz_ = frame.Ints(p_.nv);
  rowadr_ = frame.Ints(p_.nv);
  int* parent = frame.Ints(p_.nv);
  EliminationTree(p_, frame, parent);
  nonzeros_ = PathRows(p_.nv, parent, rownnz_, rowadr_);
  colind_ = frame.Ints(nonzeros_);
  PathColumns(p_.nv, parent, rownnz_, rowadr_, colind_);
  quadratic_ = frame.Doubles(nonzeros_);
  factor_ = frame.Doubles(nonzeros_);
  diaginv_ = frame.Doubles(p_.nv);

  // blocks whose columns are consecutive on their path need no scatter
  int widest = 1;
  contiguous_ = frame.Alloc<bool>(p_.J.nblock);
  for (int b = 0; b < p_.J.nblock; ++b) {
    const JacobianBlock& block = p_.J.block[b];
    widest = std::max(widest, block.ncol);
    contiguous_[b] = block.ncol > 0 && rownnz_[block.col[block.ncol - 1]] - rownnz_[block.col[0]] == block.ncol - 1;
  }
  row_ = frame.Doubles(widest);
  product_ = frame.Doubles(6 * static_cast<ptrdiff_t>(widest));
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
  if (x != y) Copy(x, y, p_.nv);
  SolveLDL(x, factor_, diaginv_, 1, p_.nv, rownnz_, rowadr_, colind_);
}

void Hessian::AddInertia() {
  Zero(quadratic_, nonzeros_);
  for (int i = 0; i < p_.nv; ++i) {
    const int* col = p_.M_colind + p_.M_rowadr[i];
    const double* M = p_.M + p_.M_rowadr[i];
    for (int k = 0; k < p_.M_rownnz[i]; ++k) quadratic_[Address(i, col[k])] = M[k];
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
        AddProduct(quadratic_, b, count, weight, value, value);
        count = 0;
      }
    }
  }
  return changed;
}

// H += sum over rows of weight left' right, lower part; the sum is symmetric
void Hessian::AddProduct(double* H, int b, int count, const double* weight, const double* const* left,
                         const double* const* right) {
  const JacobianBlock& block = p_.J.block[b];
  double s[kMaxRows];
  for (int c = 0; c < block.ncol; ++c) {
    for (int r = 0; r < count; ++r) s[r] = weight[r] * left[r][c];
    if (contiguous_[b]) {
      AddRows(H + Address(block.col[c], block.col[0]), s, right, count, c + 1);
      continue;
    }
    Zero(row_, c + 1);
    AddRows(row_, s, right, count, c + 1);
    for (int k = 0; k <= c; ++k) H[Address(block.col[c], block.col[k])] += row_[k];
  }
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
      AddProduct(H, b, dim, ones, left, right);
      r += dim - 1;
    }
  }
  return any;
}

void Hessian::Factor(const int* state) {
  Copy(factor_, quadratic_, nonzeros_);
  has_cones_ = AddCones(factor_, state);
  FactorLDL(factor_, p_.nv, diaginv_, rownnz_, rowadr_, colind_);
}

}  // namespace sinew
