// Meshes that collide by their triangles (docs/how/triangles.md).
//
// The compiler adds a number array to models that have any: for each mesh 1, or 0 for those that collide by their hull.
#ifndef SINEW_MODEL_KINDS_TRIANGLE_MESHES_H_
#define SINEW_MODEL_KINDS_TRIANGLE_MESHES_H_

#include <mujoco/mujoco.h>
#include <sinew/meshes.h>

#include "model/kinds/number_array.h"

namespace sinew::inline model {

inline constexpr char kTriangleArray[] = sinewTRIANGLES;

// The words of a mesh.
inline constexpr int kCollideHull = 0, kCollideTriangles = 1;

// Which meshes of a model do; null inside where none does.
class TriangleMeshes {
 public:
  explicit TriangleMeshes(const mjModel* m) : m_(m) {
    const auto array = FindNumberArray(m, kTriangleArray);
    if (!array.empty() && static_cast<mjtSize>(array.size()) == m->nmesh) numbers_ = array.data();
  }
  explicit operator bool() const { return numbers_ != nullptr; }

  bool HasMesh(int mesh) const { return numbers_ && mesh >= 0 && numbers_[mesh] == kCollideTriangles; }
  bool HasGeom(int geom) const {
    return numbers_ && m_->geom_type[geom] == mjGEOM_MESH && HasMesh(m_->geom_dataid[geom]);
  }
  // Whether contacts of two geoms are those of triangles: one has them, and the other is no plane and no field, which
  // have rules of their own.
  bool HavePair(int geom1, int geom2) const {
    return numbers_ && (HasGeom(geom1) || HasGeom(geom2)) && IsSolid(geom1) && IsSolid(geom2);
  }

 private:
  bool IsSolid(int geom) const { return m_->geom_type[geom] >= mjGEOM_SPHERE && m_->geom_type[geom] <= mjGEOM_MESH; }

  const mjModel* m_;
  const mjtNum* numbers_ = nullptr;
};

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_TRIANGLE_MESHES_H_
