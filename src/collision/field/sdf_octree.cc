// Looks up the distance that the octree of a mesh samples: descends to the leaf of a point, and interpolates between
// its corners.
#include "collision/field/sdf_octree.h"

#include <algorithm>

#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

// The box of a cell.
struct Cell {
  Vec3<double> center, half;
};

Cell CellAt(const mjModel* m, int cell) {
  const double* box = ViewOf(m).oct_aabb(cell);
  return {LoadVec3(box), LoadVec3(box + 3)};
}

// A point outside of the tree: how far, and where its value is taken, a micrometre below the nearest face.
struct Projection {
  Vec3<double> inside;
  double distance;
};

Projection Project(const mjModel* m, int mesh, const Vec3<double>& point) {
  constexpr double kInset = 1e-6;  // m
  const Cell root = CellAt(m, m->mesh_octadr[mesh]);
  Projection projection = {point, 0};
  Vec3<double> beyond;
  for (int k = 0; k < 3; ++k) {
    const double lower = root.center[k] - root.half[k], upper = root.center[k] + root.half[k];
    beyond[k] = point[k] - std::clamp(point[k], lower, upper);
    if (beyond[k] < 0) projection.inside[k] = lower + kInset;
    if (beyond[k] > 0) projection.inside[k] = upper - kInset;
  }
  projection.distance = Norm(beyond);
  return projection;
}

// A leaf, and where a point is in it: from 0 to 1 along each axis.
struct Location {
  const double* corner;  // the distances at its corners; bits 0, 1, 2 of the index are x, y, z
  double at[3];
};

Location Locate(const mjModel* m, int mesh, const Vec3<double>& point) {
  const int root = m->mesh_octadr[mesh];
  int cell = root;
  for (;;) {
    const Cell box = CellAt(m, cell);
    const int octant =
        (point.x >= box.center.x ? 1 : 0) | (point.y >= box.center.y ? 2 : 0) | (point.z >= box.center.z ? 4 : 0);
    const int child = ViewOf(m).oct_child(cell)[octant];
    if (child < 0) break;
    cell = root + child;
  }
  const Cell box = CellAt(m, cell);
  Location location = {ViewOf(m).oct_coeff(cell), {}};
  for (int k = 0; k < 3; ++k) location.at[k] = (point[k] - box.center[k] + box.half[k]) / (2 * box.half[k]);
  return location;
}

// The sum over corners of weights that are products of one factor per axis: from[axis][bit].
double Interpolate(const double* corner, const double (&from)[3][2]) {
  double sum = 0;
  for (int c = 0; c < 8; ++c) sum += from[0][c & 1] * from[1][(c >> 1) & 1] * from[2][(c >> 2) & 1] * corner[c];
  return sum;
}

double ValueIn(const Location& location) {
  const double* u = location.at;
  return Interpolate(location.corner, {{1 - u[0], u[0]}, {1 - u[1], u[1]}, {1 - u[2], u[2]}});
}

}  // namespace

double OctreeDistance(const mjModel* m, int mesh, const Vec3<double>& point) {
  const Projection projection = Project(m, mesh, point);
  return ValueIn(Locate(m, mesh, projection.inside)) + projection.distance;
}

Vec3<double> OctreeGradient(const mjModel* m, int mesh, const Vec3<double>& point) {
  constexpr double kStep = 1e-8;  // m
  Vec3<double> gradient;
  if (Project(m, mesh, point).distance > 0) {
    const double here = OctreeDistance(m, mesh, point);
    for (int k = 0; k < 3; ++k) {
      Vec3<double> moved = point;
      moved[k] += kStep;
      gradient[k] = (OctreeDistance(m, mesh, moved) - here) / kStep;
    }
    return gradient;
  }
  const Location location = Locate(m, mesh, point);
  for (int k = 0; k < 3; ++k) {
    double from[3][2];
    for (int i = 0; i < 3; ++i) {
      from[i][0] = i == k ? -1 : 1 - location.at[i];
      from[i][1] = i == k ? 1 : location.at[i];
    }
    gradient[k] = Interpolate(location.corner, from);
  }
  return gradient;
}

}  // namespace sinew::inline collision
