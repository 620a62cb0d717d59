// The convex hull of a mesh, as collision uses it: vertices, and for each the vertices that share an edge with it.
//
// Vertices are named by their index in the hull. A mesh without a hull graph counts as its own hull, in which every
// vertex is a neighbour of every other.
#ifndef SINEW_COLLISION_CONVEX_HULL_H_
#define SINEW_COLLISION_CONVEX_HULL_H_

#include <mujoco/mujoco.h>

#include "math/rows.h"
#include "math/vec3.h"

namespace sinew::inline collision {

class Hull {
 public:
  Hull() = default;
  Hull(const mjModel* m, int mesh);

  bool HasGraph() const { return edge_start_ != nullptr; }
  // Whether the mesh has less than ten vertices. Then among equal ones the first in the mesh counts.
  bool IsOfSmallMesh() const { return small_mesh_; }
  int Count() const { return count_; }
  int MeshVertex(int i) const { return mesh_vertex_ ? mesh_vertex_[i] : i; }
  const float* Coordinates(int i) const { return Row3(vertices_, MeshVertex(i)); }
  Vec3<double> Vertex(int i) const {
    const float* p = Coordinates(i);
    return {p[0], p[1], p[2]};
  }

  // The vertex with the largest projection on `direction`, in the mesh frame, of all. Of equal ones the first counts,
  // in the order of the mesh if it is small, of the hull otherwise. Steps ask a table
  // (collision/convex/hull_support.h).
  int SearchAll(const Vec3<double>& direction) const;

 private:
  friend class HullNeighbours;

  const float* vertices_ = nullptr;
  int count_ = 0;
  bool small_mesh_ = false;
  const int* mesh_vertex_ = nullptr;  // hull vertex -> mesh vertex
  const int* edge_start_ = nullptr;   // hull vertex -> first of its neighbours in edges_
  const int* edges_ = nullptr;        // neighbours, each list closed by -1
};

// Walks over the neighbours of a hull vertex.
class HullNeighbours {
 public:
  HullNeighbours(const Hull& hull, int vertex)
      : edges_(hull.HasGraph() ? hull.edges_ + hull.edge_start_[vertex] : nullptr),
        count_(hull.Count()),
        centre_(vertex) {
    SkipCentre();
  }
  bool AtEnd() const { return edges_ ? *edges_ < 0 : index_ >= count_; }
  int Get() const { return edges_ ? *edges_ : index_; }
  void Advance() {
    if (edges_) {
      ++edges_;
    } else {
      ++index_;
      SkipCentre();
    }
  }

 private:
  void SkipCentre() {
    if (!edges_ && index_ == centre_) ++index_;
  }

  const int* edges_;
  int count_, centre_;
  int index_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_H_
