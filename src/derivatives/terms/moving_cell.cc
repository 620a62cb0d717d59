#include "derivatives/terms/moving_cell.h"

#include <cmath>

#include "core/error.h"
#include "derivatives/base/names.h"

namespace sinew::inline derivatives {
namespace {

// Of a symmetric matrix, by cofactors; of zeros where it is singular.
Mat3<double> InverseOf(const Mat3<double>& A, double& determinant) {
  const Vec3<double> a = A.Column(0), b = A.Column(1), c = A.Column(2);
  const Vec3<double> row[3] = {Cross(b, c), Cross(c, a), Cross(a, b)};
  determinant = Dot(a, row[0]);
  Mat3<double> inverse = {};
  for (int i = 0; determinant != 0 && i < 3; ++i) {
    for (int j = 0; j < 3; ++j) inverse(i, j) = row[i][j] / determinant;
  }
  return inverse;
}

}  // namespace

MovingCell::MovingCell(const mjModel* m, const mjData* d, int flex, int cell, bool in_slides)
    : cell_(LoadCell(m, d, flex, cell)) {
  CellGradients(LatticeOf(m, flex).order, gradient_);
  for (int i = 0; i < cell_.count; ++i) node_.emplace_back(m, d, m->flex_nodebodyid[cell_.node[i]], cell_.position[i]);
  for (BodyPoint& node : node_) {
    if (in_slides) node.TakeForcesInSlides(m, d);
  }
  const Mat3<double> A = CellDeformation(cell_, gradient_);
  Mat3<double> Z = {};  // tr(S) 1 - S, of the symmetric part of S = R'A
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double S = 0.5 * (Dot(cell_.rotation.Column(i), A.Column(j)) + Dot(cell_.rotation.Column(j), A.Column(i)));
      Z(i, j) -= S;
      if (i == j) {
        for (int k = 0; k < 3; ++k) Z(k, k) += S;
      }
    }
  }
  double determinant = 0, size = 0;
  inverse_ = InverseOf(Z, determinant);
  for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(Z(k, k)));
  constexpr double kSingular = 1e-9;  // relative; the rotation's own error
  if (determinant > kSingular * size * size * size) return;
  throw Error("a cell of " + NameOf(m, mjOBJ_FLEX, flex) + " is flat or inside out: its axes have no derivatives",
              "take the derivative at a state nearby");
}

Vec3<double> MovingCell::TurnBy(int k, const Vec3<double>& dx) const {
  return inverse_ * Cross(gradient_[k], Inside(dx));
}

}  // namespace sinew::inline derivatives
