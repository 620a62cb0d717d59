// Rays are intersected with one triangle, and with surfaces that have no tree.
#include "collision/ray/ray_triangle.h"

#include "math/rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

void LoadTriangle(const TriangleSurface& surface, int triangle, Vec vertex[3]) {
  const int* id = Row3(surface.vertices, triangle);
  for (int k = 0; k < 3; ++k) {
    const float* p = Row3(surface.positions, id[k]);
    vertex[k] = {p[0], p[1], p[2]};
  }
}

}  // namespace

double RayTriangle(const Vec3<double> vertex[3], const Vec3<double>& point, const Vec3<double>& direction) {
  // Moeller and Trumbore, "Fast, minimum storage ray/triangle intersection", J. Graphics Tools 2(1), 1997:
  //   point + x direction = (1 - u - v) vertex_0 + u vertex_1 + v vertex_2, by Cramer's rule
  const Vec edge1 = vertex[1] - vertex[0], edge2 = vertex[2] - vertex[0], from = point - vertex[0];
  const Vec p = Cross(direction, edge2), q = Cross(from, edge1);
  const double determinant = Dot(edge1, p);
  if (std::fabs(determinant) < kMinVal) return -1;
  const double u = Dot(from, p) / determinant, v = Dot(direction, q) / determinant, x = Dot(edge2, q) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && x >= 0 ? x : -1;
}

double RaySurface(const TriangleSurface& surface, const Vec3<double>& point, const Vec3<double>& direction,
                  int* nearest) {
  // of equal hits, the first one counts
  Vec vertex[3];
  double best = -1;
  int hit = -1;
  for (int i = 0; i < surface.count; ++i) {
    LoadTriangle(surface, i, vertex);
    const double x = RayTriangle(vertex, point, direction);
    if (x >= 0 && (best < 0 || x < best)) {
      best = x;
      hit = i;
    }
  }
  if (hit < 0 || !nearest) return best;

  LoadTriangle(surface, hit, vertex);
  const Vec at = point + direction * best;
  double distance[3];
  for (int k = 0; k < 3; ++k) distance[k] = Norm(at - vertex[k]);
  *nearest = surface.vertices[3 * static_cast<ptrdiff_t>(hit) + (std::min_element(distance, distance + 3) - distance)];
  return best;
}

}  // namespace sinew::inline collision
