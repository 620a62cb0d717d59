// Convex hulls of point sets, by qhull (Barber, Dobkin, Huhdanpaa: The Quickhull Algorithm for Convex Hulls, 1996).
#ifndef SINEW_ASSETS_MESH_HULL_H_
#define SINEW_ASSETS_MESH_HULL_H_

#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew::inline assets {

// A triangulated hull. Hull vertices are numbered in qhull's order; `vertices` maps them to points.
struct MeshHull {
  std::vector<int> vertices;    // point of each hull vertex
  std::vector<int> edge_start;  // where the neighbours of each hull vertex begin in `edges`
  std::vector<int> edges;       // hull vertices next to each hull vertex, every list closed by -1
  std::vector<int> faces;       // points of each triangle, counter-clockwise seen from outside

  size_t vertex_count() const { return vertices.size(); }
  size_t face_count() const { return faces.size() / 3; }

  // The layout of mjModel.mesh_graph: counts of vertices and faces, edge_start, vertices, edges, faces.
  std::vector<int> Graph() const;
};

// The hull of points, at least 4 of them. `max_vertices` is -1 for no bound, or at least 4. Throws when
// qhull finds the points flat or gives up.
MeshHull ConvexHull(std::span<const Vec3<double>> points, int max_vertices);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_HULL_H_
