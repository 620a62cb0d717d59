// The compiler of meshes: from what a file or a user gives to what a model holds.
#ifndef SINEW_ASSETS_MESH_H_
#define SINEW_ASSETS_MESH_H_

#include <optional>
#include <vector>

#include <mujoco/mujoco.h>

#include "assets/mesh_data.h"
#include "assets/mesh_hull.h"
#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline assets {

struct MeshOptions {
  Vec3<double> refpos = {0, 0, 0};      // point of the data that becomes the origin
  Quat<double> refquat = {1, 0, 0, 0};  // orientation in the data that becomes the identity
  Vec3<double> scale = {1, 1, 1};       // after refpos and refquat
  mjtMeshInertia inertia = mjMESH_INERTIA_LEGACY;
  bool smooth_normals = false;  // computed normals are averaged over sharp edges too
  int max_hull_vertices = -1;   // -1: no bound
  bool needs_hull = false;      // it collides, or its inertia is that of its hull
  bool keeps_frame = false;     // it stays where it is: its frame is that of a distance function
};

// A polygon of the hull: its vertices, counter-clockwise seen from outside, and its outward normal.
struct MeshPolygon {
  std::vector<int> vertices;
  Vec3<double> normal;
};

// A mesh in the frame of its principal axes, unless it keeps its own.
struct CompiledMesh {
  MeshData data;
  std::vector<Vec3<double>> points;  // the vertices, before they were rounded to floats
  Vec3<double> pos;                  // that frame in the frame of the data, after scaling
  Quat<double> quat;
  double measure;             // volume [m^3]; area [m^2] in mode shell
  Vec3<double> half;          // half sizes of the box of the same inertia [m]
  Vec3<double> lower, upper;  // bounding box [m]
  std::vector<int> graph;     // layout of mjModel.mesh_graph; empty without hull
  std::vector<MeshPolygon> polygons;
};

// Throws Error on meshes that cannot be part of a model.
CompiledMesh CompileMesh(MeshData data, const MeshOptions& options);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_H_
