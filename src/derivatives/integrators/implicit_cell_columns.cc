#include "derivatives/integrators/implicit_cell_columns.h"

#include "core/error.h"
#include "derivatives/base/names.h"
#include "derivatives/terms/cell_columns.h"
#include "integrate/implicit_cells.h"
#include "integrate/velocity_derivative/smooth.h"
#include "math/band.h"

namespace sinew::inline derivatives {
namespace {

BandShape FullShape(const std::vector<int>& dof) {
  const int n = static_cast<int>(dof.size());
  return {n, n, 0};
}

// Of a symmetric matrix by rows.
std::vector<double> Factored(const std::vector<double>& matrix, const BandShape& shape) {
  std::vector<double> factor(matrix.size());
  DenseToBand(factor.data(), matrix.data(), shape);
  if (FactorBand(factor.data(), shape, 0, 0) <= 0) {
    throw Error("the cells of flexes have no step: their matrix is not positive definite",
                "give the nodes mass, or lower their stiffness");
  }
  return factor;
}

}  // namespace

// The matrix of `implicit` need not be symmetric, of which the equations of the cells take one triangle.
std::string ObstacleOfImplicitCells(const mjModel* m) {
  for (int f = 0; m->opt.integrator == mjINT_IMPLICIT && f < m->nflex; ++f) {
    if (HasElasticCells(m, f)) {
      return NameOf(m, mjOBJ_FLEX, f) + " has cells that the integrator 'implicit' steps together (not 'implicitfast')";
    }
  }
  return {};
}

ImplicitCells::ImplicitCells(const mjModel* m, mjData* d, const double* b) : m_(m), d_(d), after_(b, b + m->nv) {
  CellMatrices matrices = MakeCellMatrices(m, d);
  if (matrices.dof.empty()) throw Error("the stack is too small for derivatives", "raise memory in <size>");
  dof_ = std::move(matrices.dof);
  factor_ = Factored(matrices.with_cells, FullShape(dof_));
  plain_factor_ = Factored(matrices.plain, FullShape(dof_));
  plain_ = std::move(matrices.plain);
  ApplyImplicitCells(m, d, after_.data());
}

std::vector<double> ImplicitCells::Difference(const double* b) const {
  std::vector<double> difference(after_.size());
  for (size_t i = 0; i < after_.size(); ++i) difference[i] = b[i] - after_[i];
  return difference;
}

std::vector<double> ImplicitCells::PartOf(const double* x) const {
  std::vector<double> part;
  for (const int dof : dof_) part.push_back(x[dof]);
  return part;
}

std::vector<double> ImplicitCells::PlainTimes(const std::vector<double>& x) const {
  const size_t n = dof_.size();
  std::vector<double> y(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) y[i] += plain_[i * n + j] * x[j];
  }
  return y;
}

void ImplicitCells::AddColumns(const Columns& change_of_matrix, Columns& step) const {
  const StateSizes sizes(m_);
  const double h = m_->opt.timestep;
  std::vector<double> ahead(Size(sizes.nv));
  for (const int dof : dof_) ahead[Size(dof)] = after_[Size(dof)];
  Columns cells(sizes);
  for (int f = 0; f < m_->nflex; ++f) {
    if (!HasElasticCells(m_, f)) continue;
    AddCellColumns(m_, d_, f, {0, h, h * h + h * m_->flex_damping[f], ahead.data()}, cells);
  }
  std::vector<double> whole(Size(sizes.nv)), product(Size(sizes.nv));
  for (int c = 0; c < sizes.all(); ++c) {
    std::vector<double> e;
    bool any = false;
    for (const int dof : dof_) {
      e.push_back(-change_of_matrix[c][dof] - cells[c][dof]);
      any |= e.back() != 0;
    }
    if (!any) continue;
    SolveBand(e.data(), plain_factor_.data(), e.data(), FullShape(dof_));
    for (size_t i = 0; i < dof_.size(); ++i) whole[Size(dof_[i])] = e[i];
    MulImplicit(m_, d_, product.data(), whole.data());
    for (int i = 0; i < sizes.nv; ++i) step[c][i] += product[Size(i)];
  }
}

void ImplicitCells::Advance(double* x) const {
  std::vector<double> part = PlainTimes(PartOf(x));
  SolveBand(part.data(), factor_.data(), part.data(), FullShape(dof_));
  for (size_t i = 0; i < dof_.size(); ++i) x[dof_[i]] = part[i];
}

void ImplicitCells::AdvanceTransposed(double* x) const {
  std::vector<double> part = PartOf(x);
  SolveBand(part.data(), factor_.data(), part.data(), FullShape(dof_));
  part = PlainTimes(part);
  for (size_t i = 0; i < dof_.size(); ++i) x[dof_[i]] = part[i];
}

}  // namespace sinew::inline derivatives
