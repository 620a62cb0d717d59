// Convex polygons in space: clipped against each other, and reduced to few vertices, where faces of polytopes touch.
#ifndef SINEW_COLLISION_CONVEX_POLYGON_H_
#define SINEW_COLLISION_CONVEX_POLYGON_H_

#include "math/vec3.h"

namespace sinew {

inline constexpr int kMaxPolygonSides = 128;  // of a polygon before it is clipped

// A convex polygon, clockwise about its normal, or with two vertices an edge.
struct Polygon {
  Vec3<double> vertex[2 * kMaxPolygonSides];
  int count = 0;
  Vec3<double> normal = Zero3<double>();  // unit, outward

  void Add(const Vec3<double>& v) { vertex[count++] = v; }
};

// Cuts away what lies beside the face, seen along its normal.
void ClipBySides(const Polygon& face, Polygon& polygon);

// Removes vertices that equal an earlier one.
void RemoveDoubles(Polygon& polygon);

// Keeps four of more vertices, which mostly span a large area.
void KeepFour(Polygon& polygon);

}  // namespace sinew

#endif  // SINEW_COLLISION_CONVEX_POLYGON_H_
