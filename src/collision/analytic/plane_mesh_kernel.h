// A mesh over a plane, as its contacts see it: in one world, or in the lanes of a pack. Which vertices are contacts is
// found in each lane alone (plane_mesh.h).
#ifndef SINEW_COLLISION_ANALYTIC_PLANE_MESH_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_PLANE_MESH_KERNEL_H_

#include "collision/geom.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

template <class S>
struct MeshOverPlane {
  PlacedGeom<S> mesh;
  Vec3<S> normal;  // of the plane
  Vec3<S> down;    // its opposite in the frame of the mesh
  S centre;        // height of the mesh's origin over the plane

  MeshOverPlane(const PlacedGeom<S>& plane, const PlacedGeom<S>& geom)
      : mesh(geom),
        normal(plane.Axis()),
        down(-MulTransposed(geom.mat, normal)),
        centre(Dot(normal, geom.pos - plane.pos)) {}

  // Returns the contact at a vertex, which is given in the frame of the mesh.
  ContactPoint<S> ContactAt(const Vec3<S>& vertex) const {
    const S height = centre - Dot(down, vertex);
    return {height, mesh.ToWorld(vertex) - normal * (S(0.5) * height), normal};
  }
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_PLANE_MESH_KERNEL_H_
