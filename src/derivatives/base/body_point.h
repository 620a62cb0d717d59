// Points that move with bodies, and rows that act between them: vertices and nodes of flexes.
#ifndef SINEW_DERIVATIVES_BASE_BODY_POINT_H_
#define SINEW_DERIVATIVES_BASE_BODY_POINT_H_

#include <vector>

#include "derivatives/base/scalar_force.h"
#include "math/vec3.h"

namespace sinew::inline derivatives {

struct BodyPoint {
  int body;
  Vec3<double> place;
  std::vector<int> dof;             // that move it, ascending
  std::vector<Vec3<double>> J;      // its velocity at unit speed of each
  std::vector<Vec3<double>> lever;  // what a force is multiplied by for each: J, but for bodies that slide alone
  std::vector<Vec3<double>> spin;   // of the body at unit speed of each
  std::vector<int> turn;            // first of the dofs that turn together with each
  bool turns;                       // whether any J changes with positions

  BodyPoint(const mjModel* m, const mjData* d, int body_id, const Vec3<double>& at);
  int count() const { return static_cast<int>(dof.size()); }

  // dJ_i/dq_j, for places i and j in the list: the axis of i moves with j, or stands still while the point moves.
  Vec3<double> Turned(int i, int j) const {
    const size_t a = static_cast<size_t>(i), b = static_cast<size_t>(j);
    const bool moves = dof[b] < dof[a] || turn[a] == turn[b];
    return moves ? Cross(spin[b], J[a]) : Cross(spin[a], J[b]);
  }
  // sum_i J_i x_i, and its change with the position of j.
  Vec3<double> Times(const double* x) const;
  Vec3<double> RotatedTimes(int j, const double* x) const;

  // Bodies that slide alone, along the axes of the world, take the component of an elastic force along x for their
  // first slide, and so on, and it does not act on their parents (force/flex_force.cc).
  void TakeForcesInSlides(const mjModel* m, const mjData* d);

  // column += J' f, or as the slides take the force.
  void Add(const Vec3<double>& f, double* column) const {
    for (int i = 0; i < count(); ++i) column[dof[Size(i)]] += Dot(lever[Size(i)], f);
  }
};

// A scalar function of points has the row J = sum_a g_a' J_a with its slopes g_a by their places, and
//   K_ij = sum_a g_a . dJ_a,i/dq_j + sum_ab J_a,i' (dg_a/dx_b) J_b,j
// `bend(a, b, dx)` returns the change of g_a with a motion dx of point b.
struct PointSlope {
  const BodyPoint* point;
  Vec3<double> slope;
};
template <class Bend>
OwnRow RowOfPoints(const std::vector<PointSlope>& points, const Bend& bend);

// The row of the distance between two points.
OwnRow RowOfDistance(const BodyPoint& from, const BodyPoint& to);

// ---- details

// The dofs of all points, ascending, with no memory yet for K.
OwnRow EmptyRowOf(const std::vector<PointSlope>& points);
int PlaceOf(const OwnRow& row, int dof);

template <class Bend>
OwnRow RowOfPoints(const std::vector<PointSlope>& points, const Bend& bend) {
  OwnRow row = EmptyRowOf(points);
  const size_t n = row.dof.size();
  row.J.assign(n, 0.0);
  row.K.assign(n * n, 0.0);
  for (size_t a = 0; a < points.size(); ++a) {
    const BodyPoint& point = *points[a].point;
    std::vector<size_t> place(point.dof.size());
    for (size_t i = 0; i < place.size(); ++i) {
      place[i] = Size(PlaceOf(row, point.dof[i]));
      row.J[place[i]] += Dot(points[a].slope, point.J[i]);
    }
    for (size_t i = 0; point.turns && i < place.size(); ++i) {
      for (size_t j = 0; j < place.size(); ++j) {
        const Vec3<double> turned = point.Turned(static_cast<int>(i), static_cast<int>(j));
        row.K[place[i] * n + place[j]] += Dot(points[a].slope, turned);
      }
    }
    for (size_t b = 0; b < points.size(); ++b) {
      const BodyPoint& other = *points[b].point;
      for (size_t j = 0; j < other.dof.size(); ++j) {
        const Vec3<double> change = bend(a, b, other.J[j]);
        const size_t column = Size(PlaceOf(row, other.dof[j]));
        for (size_t i = 0; i < place.size(); ++i) row.K[place[i] * n + column] += Dot(point.J[i], change);
      }
    }
  }
  return row;
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_BODY_POINT_H_
