#include "integrate/implicit_cells.h"

#include <algorithm>
#include <numeric>

#include "core/stack.h"
#include "core/warning.h"
#include "kinematics/flex_cell.h"
#include "kinematics/jacobian.h"
#include "math/band.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/sparse_lu.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "model/kinds/flex_equality.h"
#include "model/kinds/integrator.h"
#include "model/state/awake.h"

namespace sinew::inline integrate {
namespace {

bool IsElastic(const mjModel* m, int flex) {
  return !m->flex_rigid[flex] && m->flex_interp[flex] != 0 && m->flex_edgeequality[flex] != flex_equality::kCells;
}

// Cells that are empty, or of no stiffness, begin with a zero.
bool HasStiffness(const mjModel* m, int flex, int cell) { return CellNumbers(m, flex, cell)[0] != 0; }

// The equations of the dofs F, counted in the order in which nodes name them.
class CellEquations {
 public:
  // Memory belongs to the frame; the equations are of no use when it reports that it is full.
  CellEquations(const mjModel* m, mjData* d, StackFrame& frame)
      : m_(m), d_(d), position_(frame.Ints(m->nv)), dof_(frame.Ints(m->nv)), chain_(frame.Ints(m->nv)) {
    if (frame.full()) return;
    CollectDofs();
    const int half_width = std::min(*std::max_element(m->flex_bandwidth, m->flex_bandwidth + m->nflex), count_ - 1);
    shape_ = {count_, half_width + 1, 0};
    const ptrdiff_t entries = static_cast<ptrdiff_t>(count_) * shape_.width;
    const ptrdiff_t columns = static_cast<ptrdiff_t>(FlexCell::kMaxNodes) * longest_;
    band_ = frame.Doubles(entries);
    push_ = frame.Doubles(count_);
    column_position_ = frame.Ints(columns);
    column_ = frame.Alloc<Vec3<double>>(columns);
    if (frame.full()) return;
    std::fill_n(band_, entries, 0.0);
    std::fill_n(push_, count_, 0.0);
    ForEntries([this](int i, int j, double x) { AddToBand(i, j, x); });
    ForCells([this](const FlexCell& cell, int flex, const double* K) { AddCell(cell, flex, K); });
  }

  int count() const { return count_; }
  int dof(int i) const { return dof_[i]; }
  double* band() { return band_; }
  const BandShape& shape() const { return shape_; }
  // The part of the right side that the cells add to the equations: h sum_cells J_F' R K R' J v.
  const double* push() const { return push_; }

  // Calls visit(i, j, x) for the entries of X_FF.
  template <class Visit>
  void ForEntries(const Visit& visit) const;

 private:
  void CollectDofs();
  void CollectDof(int dof);
  void AddToBand(int i, int j, double x) {
    if (j <= i && i - j < shape_.width) band_[shape_.Address(i, j)] += x;
  }
  template <class Visit>
  void ForCells(const Visit& visit) const;
  void SetColumns(const FlexCell& cell);
  void AddCell(const FlexCell& cell, int flex, const double* K);

  const mjModel* m_;
  mjData* d_;
  int count_ = 0;
  // position_ says where a dof stands in F, and is -1 for dofs outside of F; dof_ is its inverse. Both have nv entries.
  int *position_, *dof_;
  int* chain_;       // scratch for the dofs that move one body
  int longest_ = 0;  // the largest number of dofs that move one node
  double *band_ = nullptr, *push_ = nullptr;
  BandShape shape_ = {};

  // Data of the current cell: the columns of F in the Jacobian of its nodes, in the axes of the cell, node by
  // node. Those of node i stand from begin_[i] to begin_[i + 1], each with its position in F.
  int begin_[FlexCell::kMaxNodes + 1] = {};
  int* column_position_ = nullptr;
  Vec3<double>* column_ = nullptr;
};

void CellEquations::CollectDof(int dof) {
  if (position_[dof] >= 0) return;
  position_[dof] = count_;
  dof_[count_++] = dof;
}

void CellEquations::CollectDofs() {
  std::fill_n(position_, m_->nv, -1);
  for (int flex = 0; flex < m_->nflex; ++flex) {
    if (!m_->flex_interp[flex]) continue;
    for (int n = m_->flex_nodeadr[flex]; n < m_->flex_nodeadr[flex] + m_->flex_nodenum[flex]; ++n) {
      const int body = m_->flex_nodebodyid[n];
      longest_ = std::max(longest_, BodyChain(m_, body, chain_));
      const int dofs = NodeDofs(m_, body, chain_);
      for (int k = 0; k < dofs; ++k) CollectDof(chain_[k]);
    }
  }
}

// With `implicit`, X has the pattern D; with `implicitfast`, the pattern of M, of which the lower triangle is stored.
template <class Visit>
void CellEquations::ForEntries(const Visit& visit) const {
  const double h = m_->opt.timestep;
  const auto both = [this](int i, int j) { return position_[i] >= 0 && position_[j] >= 0; };
  if (m_->opt.integrator == mjINT_IMPLICIT) {
    for (int i = 0; i < m_->nv; ++i) {
      for (int k = m_->D_rowadr[i]; k < m_->D_rowadr[i] + m_->D_rownnz[i]; ++k) {
        const int j = m_->D_colind[k], entry = m_->mapM2D[k];
        const double x = (entry >= 0 ? d_->M[entry] : 0) - h * d_->qDeriv[k];
        if (both(i, j)) visit(position_[i], position_[j], x);
      }
    }
    return;
  }
  for (int i = 0; i < m_->nv; ++i) {
    for (int k = m_->M_rowadr[i]; k < m_->M_rowadr[i] + m_->M_rownnz[i]; ++k) {
      const int j = m_->M_colind[k];
      if (!both(i, j)) continue;
      const double x = d_->M[k] - h * d_->qDeriv[m_->mapD2M[k]];
      visit(position_[i], position_[j], x);
      if (j != i) visit(position_[j], position_[i], x);
    }
  }
}

template <class Visit>
void CellEquations::ForCells(const Visit& visit) const {
  for (int flex = 0; flex < m_->nflex; ++flex) {
    const int cells = IsElastic(m_, flex) ? LatticeOf(m_, flex).cell_count() : 0;
    for (int c = 0; c < cells; ++c) {
      if (HasStiffness(m_, flex, c)) visit(LoadCell(m_, d_, flex, c), flex, CellNumbers(m_, flex, c));
    }
  }
}

void CellEquations::SetColumns(const FlexCell& cell) {
  const DataView<double> data(d_);
  int next = 0;
  for (int i = 0; i < cell.count; ++i) {
    begin_[i] = next;
    const int body = m_->flex_nodebodyid[cell.node[i]], moving = BodyChain(m_, body, chain_);
    const Vec3<double> offset = cell.position[i] - data.subtree_com(m_->body_rootid[body]);
    for (int k = 0; k < moving; ++k) {
      if (position_[chain_[k]] < 0) continue;
      const Spatial<double>& axis = data.cdof(chain_[k]);
      column_position_[next] = position_[chain_[k]];
      column_[next++] = MulTransposed(cell.rotation, PointVelocity(axis, offset));
    }
  }
  begin_[cell.count] = next;
}

// K is stored as it acts: negative definite but for rigid motions.
void CellEquations::AddCell(const FlexCell& cell, int flex, const double* K) {
  const double h = m_->opt.timestep, weight = h * h + h * m_->flex_damping[flex];
  const int width = 3 * cell.count;
  const DataView<double> data(d_);
  SetColumns(cell);
  double rate[3 * FlexCell::kMaxNodes];
  for (int i = 0; i < cell.count; ++i) {
    const int body = m_->flex_nodebodyid[cell.node[i]];
    const Vec3<double> offset = cell.position[i] - data.subtree_com(m_->body_rootid[body]);
    StoreVec3(MulTransposed(cell.rotation, PointVelocity(data.cvel(body), offset)), rate + 3 * i);
  }
  for (int i = 0; i < cell.count; ++i) {
    const double* rows = K + 3 * i * width;
    const auto times = [&](const double* x, int from, int n) {  // rows of node i, columns from..from + n
      return Vec3<double>{Dot(rows + from, x, n), Dot(rows + width + from, x, n), Dot(rows + 2 * width + from, x, n)};
    };
    const Vec3<double> force = times(rate, 0, width);
    for (int p = begin_[i]; p < begin_[i + 1]; ++p) push_[column_position_[p]] -= h * Dot(column_[p], force);
    for (int j = 0; j < cell.count; ++j) {
      for (int q = begin_[j]; q < begin_[j + 1]; ++q) {
        double column[3];
        StoreVec3(column_[q], column);
        const Vec3<double> pull = times(column, 3 * j, 3) * weight;
        for (int p = begin_[i]; p < begin_[i + 1]; ++p) {
          AddToBand(column_position_[p], column_position_[q], -Dot(column_[p], pull));
        }
      }
    }
  }
}

void Gather(const CellEquations& cells, const double* acceleration, double* x) {
  for (int i = 0; i < cells.count(); ++i) x[i] = acceleration[cells.dof(i)];
}
void Scatter(const CellEquations& cells, const double* x, double* acceleration) {
  for (int i = 0; i < cells.count(); ++i) acceleration[cells.dof(i)] = x[i];
}

void WarnOfStack(mjData* d) { RaiseWarning(d, mjWARN_CNSTRFULL, d->nefc); }

// x = A^-1 x of any matrix, stored by rows; A is overwritten.
void SolveDense(double* A, double* x, int n, StackFrame& frame) {
  int *all = frame.Ints(n), *count = frame.Ints(n), *address = frame.Ints(n);
  if (frame.full()) return;
  std::iota(all, all + n, 0);
  std::fill_n(count, n, n);
  for (int i = 0; i < n; ++i) address[i] = i * n;
  // FactorLU takes the columns of each row: they are the same for all, at places of one list of lists
  int* columns = frame.Ints(static_cast<ptrdiff_t>(n) * n);
  if (frame.full()) return;
  for (int i = 0; i < n; ++i) std::copy_n(all, n, columns + i * n);
  const SquarePattern pattern = {n, count, address, all, columns};
  FactorLU(pattern, A);
  SolveLU(pattern, A, x);
}

}  // namespace

bool HasImplicitCells(const mjModel* m, const mjData* d) {
  if (m->nflex == 0 || !IsImplicit(m) || AnyAsleep(m, d)) return false;
  for (int flex = 0; flex < m->nflex; ++flex) {
    const int cells = IsElastic(m, flex) ? LatticeOf(m, flex).cell_count() : 0;
    for (int c = 0; c < cells; ++c) {
      if (HasStiffness(m, flex, c)) return true;
    }
  }
  return false;
}

void ApplyImplicitCells(const mjModel* m, mjData* d, double* acceleration) {
  StackFrame frame(d, WhenFull::kReport);
  CellEquations cells(m, d, frame);
  double *x = frame.Doubles(cells.count()), *side = frame.Doubles(cells.count());
  if (frame.full()) return WarnOfStack(d);
  Gather(cells, acceleration, x);
  for (int i = 0; i < cells.count(); ++i) side[i] = -cells.push()[i];
  cells.ForEntries([&](int i, int j, double entry) { side[i] += entry * x[j]; });
  if (FactorBand(cells.band(), cells.shape(), 0, 0) <= 0) return RaiseWarning(d, mjWARN_INERTIA, cells.dof(0));
  SolveBand(x, cells.band(), side, cells.shape());
  Scatter(cells, x, acceleration);
}

void UndoImplicitCells(const mjModel* m, mjData* d, double* acceleration) {
  StackFrame frame(d, WhenFull::kReport);
  CellEquations cells(m, d, frame);
  const int n = cells.count();
  double *x = frame.Doubles(n), *side = frame.Doubles(n), *X = frame.Doubles(static_cast<ptrdiff_t>(n) * n);
  if (frame.full()) return WarnOfStack(d);
  Gather(cells, acceleration, x);
  MulBand(side, cells.band(), x, cells.shape(), 1, /*symmetric=*/true);
  for (int i = 0; i < n; ++i) side[i] += cells.push()[i];
  std::fill_n(X, static_cast<ptrdiff_t>(n) * n, 0.0);
  cells.ForEntries([&](int i, int j, double entry) { X[static_cast<ptrdiff_t>(i) * n + j] += entry; });
  SolveDense(X, side, n, frame);
  if (frame.full()) return WarnOfStack(d);
  Scatter(cells, side, acceleration);
}

CellMatrices MakeCellMatrices(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  CellEquations cells(m, d, frame);
  CellMatrices matrices;
  if (frame.full()) return matrices;
  const size_t n = static_cast<size_t>(cells.count());
  for (int i = 0; i < cells.count(); ++i) matrices.dof.push_back(cells.dof(i));
  matrices.plain.resize(n * n);
  matrices.with_cells.resize(n * n);
  cells.ForEntries(
      [&](int i, int j, double x) { matrices.plain[static_cast<size_t>(i) * n + static_cast<size_t>(j)] += x; });
  BandToDense(matrices.with_cells.data(), cells.band(), cells.shape(), /*symmetric=*/true);
  return matrices;
}

}  // namespace sinew::inline integrate
