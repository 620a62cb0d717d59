// Flexes that are moved by nodes. Nodes stand on a lattice over a box of cells; in each cell the position of a point
// with coordinates s in [0, 1]^3 is
//
//     x(s) = sum_ijk  B_i(s_x) B_j(s_y) B_k(s_z) x_ijk
//
// over the (order + 1)^3 nodes of the cell, with the Lagrange polynomials B of that order at equidistant nodes: order 1
// is trilinear, order 2 quadratic interpolation.
#ifndef SINEW_KINEMATICS_NODE_LATTICE_H_
#define SINEW_KINEMATICS_NODE_LATTICE_H_

#include <algorithm>
#include <array>
#include <cmath>

#include <mujoco/mujoco.h>

#include "math/rows.h"
#include "math/vec3.h"

namespace sinew::inline kinematics {

// Values and slopes at s of the polynomials of one axis.
struct LagrangeBasis {
  std::array<double, 3> value, slope;
};

inline LagrangeBasis Lagrange(int order, double s) {
  if (order == 1) return {{1 - s, s, 0}, {-1, 1, 0}};
  return {{2 * s * s - 3 * s + 1, 4 * (s - s * s), 2 * s * s - s}, {4 * s - 3, 4 - 8 * s, 4 * s - 1}};
}

// Nodes and cells are numbered with the last coordinate running fastest.
struct NodeLattice {
  int order = 0;  // 0: no lattice
  int cells[3] = {1, 1, 1};

  int along(int axis) const { return cells[axis] * order + 1; }
  int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  int node_count() const { return along(0) * along(1) * along(2); }
  int nodes_per_cell() const { return (order + 1) * (order + 1) * (order + 1); }

  int Node(int i, int j, int k) const { return (i * along(1) + j) * along(2) + k; }
  int Cell(int i, int j, int k) const { return (i * cells[1] + j) * cells[2] + k; }

  int FirstNode(int cell) const {
    const int x = cell / (cells[1] * cells[2]), y = cell / cells[2] % cells[1], z = cell % cells[2];
    return Node(x * order, y * order, z * order);
  }
  // The node of a cell at (i, j, k), each from 0 to `order`.
  int CellNode(int cell, int i, int j, int k) const { return FirstNode(cell) + Node(i, j, k); }

  // Which of the cells along an axis a coordinate in [0, 1] lies in; the upper end belongs to the last one.
  int CellAlong(int axis, double coordinate) const {
    return std::clamp(static_cast<int>(std::floor(coordinate * cells[axis])), 0, cells[axis] - 1);
  }

  // Calls visit(local, node) for the nodes of a cell, local from 0 on.
  template <class Visit>
  void ForNodes(int cell, Visit&& visit) const {
    const int first = FirstNode(cell);
    int local = 0;
    for (int i = 0; i <= order; ++i) {
      for (int j = 0; j <= order; ++j) {
        for (int k = 0; k <= order; ++k) visit(local++, first + Node(i, j, k));
      }
    }
  }

  // The cell that has a point with coordinates in [0, 1]^3 of the whole box: its first node, and the functions there.
  struct PlaceInCell {
    int first;
    std::array<LagrangeBasis, 3> basis;

    const LagrangeBasis& Along(int axis) const { return basis[static_cast<size_t>(axis)]; }
  };
  PlaceInCell CellAt(const Vec3<double>& point) const {
    int at[3];
    PlaceInCell place;
    for (int a = 0; a < 3; ++a) {
      at[a] = CellAlong(a, point[a]);
      place.basis[static_cast<size_t>(a)] = Lagrange(order, point[a] * cells[a] - at[a]);
    }
    place.first = Node(at[0] * order, at[1] * order, at[2] * order);
    return place;
  }

  // Calls visit(node, weight) for what moves a point with coordinates in [0, 1]^3 of the whole box.
  template <class Visit>
  void ForWeights(const Vec3<double>& point, Visit&& visit) const {
    const PlaceInCell at = CellAt(point);
    for (int i = 0; i <= order; ++i) {
      for (int j = 0; j <= order; ++j) {
        for (int k = 0; k <= order; ++k) {
          const auto value = [&at](int axis, int n) { return at.Along(axis).value[static_cast<size_t>(n)]; };
          // the product in the order of MuJoCo 3.8.0, so that vertices have its bits
          visit(at.first + Node(i, j, k), value(0, i) * (value(1, j) * value(2, k)));
        }
      }
    }
  }

  // Calls visit(node, gradient) for the same nodes, with the gradient of the weight by the coordinates of the point.
  template <class Visit>
  void ForGradients(const Vec3<double>& point, Visit&& visit) const {
    const PlaceInCell at = CellAt(point);
    for (int n = 0; n < nodes_per_cell(); ++n) {
      const int width = order + 1, place[3] = {n / (width * width), n / width % width, n % width};
      Vec3<double> gradient;
      for (int along = 0; along < 3; ++along) {
        gradient[along] = cells[along];
        for (int a = 0; a < 3; ++a) {
          const auto& numbers = a == along ? at.Along(a).slope : at.Along(a).value;
          gradient[along] *= numbers[static_cast<size_t>(place[a])];
        }
      }
      visit(at.first + Node(place[0], place[1], place[2]), gradient);
    }
  }
};

// Coordinates in the box of a flex run from 0 to 1 but for rounding; what a file has instead, NaN too, ends in the box.
inline Vec3<double> InFlexBox(Vec3<double> p) {
  for (int a = 0; a < 3; ++a) p[a] = p[a] > 0 ? std::min(p[a], 1.0) : 0;
  return p;
}

// The lattice of a flex in a model.
inline NodeLattice LatticeOf(const mjModel* m, int flex) {
  const int* cells = Row3(m->flex_cellnum, flex);
  return {std::abs(m->flex_interp[flex]), {cells[0], cells[1], cells[2]}};
}

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_NODE_LATTICE_H_
