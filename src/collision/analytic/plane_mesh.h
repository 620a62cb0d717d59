// The vertices of a mesh at which it is in contact with a plane, for one world and for each lane of a pack.
#ifndef SINEW_COLLISION_ANALYTIC_PLANE_MESH_H_
#define SINEW_COLLISION_ANALYTIC_PLANE_MESH_H_

#include <mujoco/mujoco.h>

#include "collision/analytic/mesh_feet.h"
#include "collision/convex/hull.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// The plane in the frame of the mesh (plane_mesh_kernel.h), and what else decides: the margin, and the radius of the
// ball around the mesh.
struct MeshQuery {
  Vec3<double> down;
  double centre, margin, radius;
};

// In the order of contacts; none where all are farther from the plane than the margin.
struct MeshFeet {
  Vec3<double> vertex[kMaxFeet];
  int count = 0;

  void Add(const Vec3<double>& foot) { vertex[count++] = foot; }
};

// So many blocks are room for a search.
int RoomForFeet(const Hull& hull);
MeshFeet FindMeshFeet(const mjModel& m, int mesh, const MeshQuery& query, PointBlock* room);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_PLANE_MESH_H_
