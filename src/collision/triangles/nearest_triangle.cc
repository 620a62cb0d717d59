#include "collision/triangles/nearest_triangle.h"

#include <algorithm>
#include <cmath>

#include "collision/convex/convex_pair.h"
#include "collision/triangles/placed_surface.h"
#include "model/kinds/triangle_meshes.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr PlacedGeom<double> kWorld = {{0, 0, 0}, {{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};

// Looks for what is nearer than `nearest.dist`; boxes of nodes bound it from below.
class NearestSearch {
 public:
  NearestSearch(const mjModel* m, mjData* d, int mesh, ContactPoint<double>& nearest)
      : m_(m), surface_(m, d, mesh, kWorld), nearest_(nearest) {}

  // Looks at a convex shape, in a ball of this radius around its centre.
  void ToShape(const ConvexShape& shape, double radius) {
    surface_.table().faces().ForEach(
        [&](const SurfaceNode& node) {
          return Gap(node, shape.Centre(), {0, 0, 0}) - radius < nearest_.dist;
        },
        [&](int i) { Try(surface_.Face(i), shape); });
  }

  void ToSurface(const PlacedSurface& other) {
    if (surface_.table().faces().empty()) return;
    other.table().faces().ForEach(
        [&](const SurfaceNode& node) {
          return Gap(surface_.table().faces().node(0), other.NodeCentre(node), other.NodeHalf(node)) < nearest_.dist;
        },
        [&](int i) {
          const PlacedFace face = other.Face(i);
          const Vec centre = (face.corner[0] + face.corner[1] + face.corner[2]) * (1.0 / 3);
          double radius = 0;
          for (const Vec& corner : face.corner) radius = std::max(radius, Norm(corner - centre));
          ToShape(Triangle(face), radius);
        });
  }

 private:
  static ConvexShape Triangle(const PlacedFace& face) { return {face.corner, 3, 0}; }

  double Gap(const SurfaceNode& node, const Vec& centre, const Vec& half) const {
    const Vec apart = surface_.NodeCentre(node) - centre, reach = surface_.NodeHalf(node) + half;
    Vec gap;
    for (int k = 0; k < 3; ++k) gap[k] = std::max(std::fabs(apart[k]) - reach[k], 0.0);
    return Norm(gap);
  }

  void Try(const PlacedFace& face, const ConvexShape& shape) {
    ConvexContact found;
    if (FindNearest(m_->opt, Triangle(face), shape, nearest_.dist, found)) nearest_ = found.point;
  }

  const mjModel* m_;
  PlacedSurface surface_;
  ContactPoint<double>& nearest_;
};

}  // namespace

bool NearestOfTriangles(const mjModel* m, mjData* d, int g1, int g2, double limit, ContactPoint<double>& nearest) {
  const TriangleMeshes triangles(m);
  const bool is_second = !triangles.HasGeom(g1);
  const int mesh = is_second ? g2 : g1, other = is_second ? g1 : g2;
  nearest.dist = limit;
  NearestSearch search(m, d, mesh, nearest);
  if (triangles.HasGeom(other)) {
    search.ToSurface(PlacedSurface(m, d, other, kWorld));
  } else {
    search.ToShape(ConvexShape(m, d, other), m->geom_rbound[other]);
  }
  if (is_second) nearest.normal = -nearest.normal;
  return nearest.dist < limit;
}

}  // namespace sinew::inline collision
