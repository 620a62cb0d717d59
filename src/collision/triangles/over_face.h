// Whether a point is over a triangle, seen along its normal.
#ifndef SINEW_COLLISION_TRIANGLES_OVER_FACE_H_
#define SINEW_COLLISION_TRIANGLES_OVER_FACE_H_

#include "collision/triangles/placed_surface.h"
#include "math/triangle.h"

namespace sinew::inline collision {

// Points up to `slack` [m] beside it count: between neighbours that are nearly flat nothing is lost.
inline bool IsOverFace(const PlacedFace& face, const Vec3<double>& point, double slack) {
  bool is_inside = true;
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> side = face.corner[(k + 1) % 3] - face.corner[k];
    const double inside = Dot(Cross(face.normal, side), point - face.corner[k]);
    if (inside < 0 && inside * inside > slack * slack * Dot(side, side)) return false;
    is_inside = is_inside && inside >= 0;
  }
  if (is_inside) return true;
  // beyond the tip of a sharp corner a point is near both of its sides
  const Vec3<double> over = point - face.normal * Dot(face.normal, point - face.corner[0]);
  return NearestOnTriangle(face.corner[0] - over, face.corner[1] - over, face.corner[2] - over).distance2 <=
         slack * slack;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_OVER_FACE_H_
