// Cells of flexes that nodes move: which cells are empty, and the stiffness of the others as finite elements with
// linear or quadratic shape functions (docs/how/flex-compile.md).
#include "compile/flex/flex_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

#include "math/mat3.h"
#include "math/symmetric_eigen.h"

namespace sinew::inline compile {
namespace {

// ---- empty cells

// Marks the cells that the box of some element touches.
std::vector<bool> TouchedCells(const NodeLattice& lattice, int corners, const std::vector<int>& elements,
                               const std::vector<Vec3<double>>& points) {
  Vec3<double> lower = points[0], upper = lower;
  const auto grow = [](const Vec3<double>& p, Vec3<double>& low, Vec3<double>& high) {
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], p[a]);
      high[a] = std::max(high[a], p[a]);
    }
  };
  for (const Vec3<double>& p : points) grow(p, lower, upper);
  const auto cell_along = [&](int axis, double x) {
    const double extent = upper[axis] - lower[axis];
    return extent > 0 ? lattice.CellAlong(axis, (x - lower[axis]) / extent) : 0;
  };

  std::vector<bool> touched(static_cast<size_t>(lattice.cell_count()));
  for (size_t e = 0; e < elements.size(); e += static_cast<size_t>(corners)) {
    Vec3<double> low = points[static_cast<size_t>(elements[e])], high = low;
    for (int k = 1; k < corners; ++k) {
      grow(points[static_cast<size_t>(elements[e + static_cast<size_t>(k)])], low, high);
    }
    int from[3], to[3];
    for (int a = 0; a < 3; ++a) {
      from[a] = cell_along(a, low[a]);
      to[a] = cell_along(a, high[a]);
    }
    for (int i = from[0]; i <= to[0]; ++i) {
      for (int j = from[1]; j <= to[1]; ++j) {
        for (int k = from[2]; k <= to[2]; ++k) touched[static_cast<size_t>(lattice.Cell(i, j, k))] = true;
      }
    }
  }
  return touched;
}

// Untouched cells that can be reached from outside of the box through other untouched ones.
std::vector<bool> OutsideCells(const NodeLattice& lattice, const std::vector<bool>& touched) {
  std::vector<bool> outside(touched.size());
  std::queue<std::array<int, 3>> front;
  const auto visit = [&](int i, int j, int k) {
    const auto cell = static_cast<size_t>(lattice.Cell(i, j, k));
    if (touched[cell] || outside[cell]) return;
    outside[cell] = true;
    front.push({i, j, k});
  };
  const int* n = lattice.cells;
  for (int i = 0; i < n[0]; ++i) {
    for (int j = 0; j < n[1]; ++j) {
      for (int k = 0; k < n[2]; ++k) {
        const bool at_border = i == 0 || j == 0 || k == 0 || i == n[0] - 1 || j == n[1] - 1 || k == n[2] - 1;
        if (at_border) visit(i, j, k);
      }
    }
  }
  for (; !front.empty(); front.pop()) {
    for (size_t axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        std::array<int, 3> next = front.front();
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < n[axis]) visit(next[0], next[1], next[2]);
      }
    }
  }
  return outside;
}

// ---- stiffness

// A quadrature rule on [0, 1]. The outer points of the one for order 2 lie outside of the cell, at 1/2 +- sqrt(5/3)/2
// where Gauss has 1/2 +- sqrt(3/5)/2: the numbers of models that exist come from it, to the last bit in this order of
// points.
struct Quadrature {
  int count;
  double point[3], weight[3];
};

Quadrature QuadratureOf(int order) {
  if (order == 1) {
    const double offset = 0.5 / std::sqrt(3.0);
    return {2, {0.5 - offset, 0.5 + offset}, {0.5, 0.5}};
  }
  const double offset = 0.5 / std::sqrt(0.6);
  return {3, {0.5, 0.5 - offset, 0.5 + offset}, {8.0 / 18, 5.0 / 18, 5.0 / 18}};
}

// Strains, at one point of the cell, of its nodes moving by one unit along each axis: with the gradient g of the
// function that interpolates from a node, the symmetric part of e_r g'.
std::vector<Mat3<double>> Strains(int order, const Vec3<double>& size, const double (&s)[3]) {
  const LagrangeBasis x = Lagrange(order, s[0]), y = Lagrange(order, s[1]), z = Lagrange(order, s[2]);
  std::vector<Mat3<double>> strains;
  const auto n = static_cast<size_t>(order) + 1;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < n; ++k) {
        const Vec3<double> gradient = {x.slope[i] * y.value[j] * z.value[k] * (1 / size.x),
                                       x.value[i] * y.slope[j] * z.value[k] * (1 / size.y),
                                       x.value[i] * y.value[j] * z.slope[k] * (1 / size.z)};
        for (int r = 0; r < 3; ++r) {
          Mat3<double> strain = {};
          for (int c = 0; c < 3; ++c) strain(r, c) = strain(c, r) = 0.5 * gradient[c];
          strain(r, r) = gradient[r];
          strains.push_back(strain);
        }
      }
    }
  }
  return strains;
}

double Trace(const Mat3<double>& e) { return e(0, 0) + e(1, 1) + e(2, 2); }

// e : f, the sum over all components.
double Contract(const Mat3<double>& e, const Mat3<double>& f) {
  return Dot(e.Row(0), f.Row(0)) + Dot(e.Row(1), f.Row(1)) + Dot(e.Row(2), f.Row(2));
}

// Adds -weight (lambda tr(e_a) tr(e_b) + mu e_a : e_b).
void AddStiffness(const std::vector<Mat3<double>>& strains, double lambda, double mu, double weight, double* K) {
  const size_t width = strains.size();
  for (size_t a = 0; a < width; ++a) {
    const double pressure = lambda * Trace(strains[a]);
    for (size_t b = 0; b < width; ++b) {
      double& k = K[a * width + b];
      k -= pressure * Trace(strains[b]) * weight;
      k -= mu * Contract(strains[a], strains[b]) * weight;
    }
  }
}

}  // namespace

// A triangle mesh is the surface of a solid, so that only cells outside of it are empty.
std::vector<bool> EmptyCells(const NodeLattice& lattice, int dim, const std::vector<int>& elements,
                             const std::vector<Vec3<double>>& points) {
  const std::vector<bool> touched = TouchedCells(lattice, dim + 1, elements, points);
  if (dim == 2) return OutsideCells(lattice, touched);
  std::vector<bool> empty = touched;
  empty.flip();
  return empty;
}

// Lame's constants follow from Young's modulus and Poisson's ratio; the integral is taken by quadrature.
std::vector<double> CellStiffness(int order, const Vec3<double>& size, const ElasticMaterial& material) {
  const double E = material.young, nu = material.poisson;
  const double lambda = E * nu / (1 + nu) / (1 - 2 * nu), mu = E / (2 * (1 + nu));
  const Quadrature rule = QuadratureOf(order);
  const double volume = size.x * size.y * size.z;
  const auto width = static_cast<size_t>(3 * (order + 1) * (order + 1) * (order + 1));
  std::vector<double> K(width * width);
  for (int i = 0; i < rule.count; ++i) {
    for (int j = 0; j < rule.count; ++j) {
      for (int k = 0; k < rule.count; ++k) {
        const double s[3] = {rule.point[i], rule.point[j], rule.point[k]};
        const double weight = rule.weight[i] * rule.weight[j] * rule.weight[k] * volume;
        AddStiffness(Strains(order, size, s), lambda, mu, weight, K.data());
      }
    }
  }
  return K;
}

// The material only scales the modes, which are constraints: its numbers matter no further.
std::vector<double> CellStrainModes(int order, const Vec3<double>& size) {
  constexpr ElasticMaterial kMaterial = {10, 0.3, 0};
  constexpr double kRigid = 1e-8;  // of the largest eigenvalue: below are rigid motions
  const auto width = static_cast<size_t>(3 * (order + 1) * (order + 1) * (order + 1));
  std::vector<double> modes(width * width);
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) return modes;

  std::vector<double> A = CellStiffness(order, size, kMaterial), V(A.size());
  for (double& a : A) a = -a;
  SymmetricEigen(A.data(), V.data(), static_cast<int>(width));
  double largest = 0;
  for (size_t i = 0; i < width; ++i) largest = std::max(largest, A[i * (width + 1)]);
  size_t next = 1;
  for (size_t i = 0; i < width; ++i) {
    const double value = A[i * (width + 1)];
    if (!(value > kRigid * largest)) continue;
    for (size_t k = 0; k < width; ++k) modes[next++] = std::sqrt(value) * V[k * width + i];
    ++modes[0];
  }
  return modes;
}

}  // namespace sinew::inline compile
