// Rays against the faces of a mesh: the mesh itself, not its convex hull.
#include "collision/ray/ray_geom.h"
#include "collision/ray/ray_tree.h"
#include "collision/ray/ray_triangle.h"
#include "math/rows.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

// Keeps the nearest of a mesh's faces; of equal ones that with the lowest id, in whatever order they come.
class NearestFace {
 public:
  NearestFace(const mjModel* m, int mesh, const Ray& ray)
      : vertices_(Row3(m->mesh_vert, m->mesh_vertadr[mesh])),
        faces_(Row3(m->mesh_face, m->mesh_faceadr[mesh])),
        ray_(ray),
        reach_(ray.reach) {}

  const double& reach() const { return reach_; }

  void Try(int face) {
    Vec corner[3];
    Load(face, corner);
    const double x = RayTriangle(corner, ray_.point, ray_.direction);
    if (x < 0 || x > reach_ || (x == reach_ && face_ >= 0 && face > face_)) return;
    reach_ = x;
    face_ = face;
  }

  RayHit Result() const {
    if (face_ < 0) return {};
    Vec corner[3];
    Load(face_, corner);
    return {reach_, Normalized(Cross(corner[1] - corner[0], corner[2] - corner[0]))};
  }

 private:
  void Load(int face, Vec corner[3]) const {
    for (int k = 0; k < 3; ++k) {
      const float* p = Row3(vertices_, faces_[3 * static_cast<ptrdiff_t>(face) + k]);
      corner[k] = {p[0], p[1], p[2]};
    }
  }

  const float* vertices_;
  const int* faces_;
  Ray ray_;
  double reach_;
  int face_ = -1;
};

}  // namespace

RayHit RayMesh(const mjModel* m, int mesh, const Ray& ray) {
  NearestFace nearest(m, mesh, ray);
  if (m->mesh_bvhadr[mesh] >= 0) {
    RayTree(m, m->mesh_bvhadr[mesh], ray).Visit(nearest.reach(), [&](int face) { nearest.Try(face); });
  } else {
    for (int face = 0; face < m->mesh_facenum[mesh]; ++face) nearest.Try(face);
  }
  return nearest.Result();
}

}  // namespace sinew::inline collision
