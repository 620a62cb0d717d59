#include "constraint/row_builder.h"

#include <algorithm>
#include <cstring>

#include "constraint/impedance.h"
#include "constraint/jacobian_product.h"
#include "math/dense.h"

namespace sinew::inline constraint {
namespace {

// A dense row that does not move with any dof constrains nothing. Sparse blocks without columns were never opened.
bool IsZero(const RowBlock& block) {
  for (int r = 0; r < block.nrow; ++r) {
    for (int c = 0; c < block.ncol; ++c) {
      if (block(r, c) != 0) return false;
    }
  }
  return true;
}

// Columns of a row are few: a call of memcpy or memcmp takes longer than they do.
void CopyColumns(const int* from, int count, int* to) {
  int c = 0;
  for (; c + 4 <= count; c += 4) std::memcpy(to + c, from + c, 4 * sizeof(int));
  for (; c < count; ++c) to[c] = from[c];
}
bool AreSameColumns(const int* a, const int* b, int count) {
  int c = 0;
  while (c < count && a[c] == b[c]) ++c;
  return c == count;
}

}  // namespace

RowBuilder::RowBuilder(const mjModel* m, mjData* d, StackFrame& frame) : m_(m), d_(d), sparse_(IsSparse(m)) {
  const int nv = static_cast<int>(m->nv);
  dofs_ = frame.Ints(nv);
  sides_ = frame.Ints(nv);
  identity_ = frame.Ints(nv);
  for (int i = 0; sparse_ && i < nv; ++i) identity_[i] = i;
}

void RowBuilder::StartWriting(double* weights) {
  writing_ = true;
  weights_ = weights;
  rows_ = nonzeros_ = 0;
}

bool RowBuilder::Open(int nrow, int ncol, const int* dof, RowBlock* block) {
  if (ncol == 0) return false;
  const int stride = sparse_ ? ncol : static_cast<int>(m_->nv);
  if (!writing_) {
    rows_ += nrow;
    nonzeros_ += nrow * stride;
    return false;
  }
  *block = {nrow, ncol, dof, d_->efc_J + nonzeros_, stride, sparse_ ? identity_ : dof};
  if (!sparse_) Zero(block->J, nrow * stride);
  return true;
}

void RowBuilder::Close(const RowBlock& block, const RowParameters& parameters) {
  if (!sparse_ && parameters.type < mjCNSTR_CONTACT_FRICTIONLESS && IsZero(block)) return;
  if (sparse_) WritePattern(block);
  for (int r = 0; r < block.nrow; ++r) {
    d_->efc_type[rows_ + r] = parameters.type;
    d_->efc_id[rows_ + r] = parameters.id;
    d_->efc_pos[rows_ + r] = parameters.pos[r];
    d_->efc_frictionloss[rows_ + r] = parameters.frictionloss;
  }
  WriteImpedance(m_, d_, parameters, rows_, block.nrow);
  if (weights_) std::copy_n(parameters.weight, block.nrow, weights_ + rows_);
  rows_ += block.nrow;
  nonzeros_ += block.nrow * block.stride;
}

// Until Finish, rowsuper tells whether the next row has the same columns: known inside a block, compared between
// blocks.
void RowBuilder::WritePattern(const RowBlock& block) {
  for (int r = 0; r < block.nrow; ++r) {
    const int row = rows_ + r, address = nonzeros_ + r * block.ncol;
    d_->efc_J_rownnz[row] = block.ncol;
    d_->efc_J_rowadr[row] = address;
    d_->efc_J_rowsuper[row] = r + 1 < block.nrow;
    CopyColumns(block.dof, block.ncol, d_->efc_J_colind + address);
  }
  const int last = rows_ - 1;
  if (last >= 0 && d_->efc_J_rownnz[last] == block.ncol) {
    d_->efc_J_rowsuper[last] = AreSameColumns(d_->efc_J_colind + d_->efc_J_rowadr[last], block.dof, block.ncol);
  }
}

// rowsuper becomes the number of rows that follow with the same columns.
void RowBuilder::Finish() {
  if (!sparse_) return;
  for (int row = rows_ - 2; row >= 0; --row) {
    if (d_->efc_J_rowsuper[row]) d_->efc_J_rowsuper[row] = d_->efc_J_rowsuper[row + 1] + 1;
  }
}

}  // namespace sinew::inline constraint
