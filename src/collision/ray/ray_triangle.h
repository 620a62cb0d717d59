// Rays against triangles and surfaces of triangles, from both sides.
#ifndef SINEW_COLLISION_RAY_RAY_TRIANGLE_H_
#define SINEW_COLLISION_RAY_RAY_TRIANGLE_H_

#include "math/vec3.h"

namespace sinew::inline collision {

// The x >= 0 at which point + x direction lies in the triangle, edges included, or -1. A ray in the plane of the
// triangle misses it.
double RayTriangle(const Vec3<double> vertex[3], const Vec3<double>& point, const Vec3<double>& direction);

// Triangles that share vertices.
struct TriangleSurface {
  int count;
  const int* vertices;     // three per triangle
  const float* positions;  // three per vertex, world frame
};

// The smallest such x over a surface, or -1. On a hit, `nearest` is the vertex of that triangle that is closest to the
// hit.
double RaySurface(const TriangleSurface& surface, const Vec3<double>& point, const Vec3<double>& direction,
                  int* nearest);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_RAY_RAY_TRIANGLE_H_
