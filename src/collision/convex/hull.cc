#include "collision/convex/hull.h"

namespace sinew::inline collision {
namespace {

constexpr int kFewVertices = 10;

}  // namespace

// Layout of mesh_graph: V, F, first edge of each vertex (V), mesh vertex of each (V), edges (V + 3 F), faces (3 F).
Hull::Hull(const mjModel* m, int mesh)
    : vertices_(Row3(m->mesh_vert, m->mesh_vertadr[mesh])),
      count_(m->mesh_vertnum[mesh]),
      small_mesh_(count_ < kFewVertices) {
  if (m->mesh_graphadr[mesh] < 0) return;
  const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
  count_ = graph[0];
  edge_start_ = graph + 2;
  mesh_vertex_ = edge_start_ + count_;
  edges_ = mesh_vertex_ + count_;
}

int Hull::SearchAll(const Vec3<double>& direction) const {
  const auto comes_first = [this](int i, int j) { return small_mesh_ && MeshVertex(i) < MeshVertex(j); };
  int best = 0;
  double most = Dot(direction, Vertex(0));
  for (int i = 1; i < count_; ++i) {
    const double projection = Dot(direction, Vertex(i));
    if (projection > most || (projection == most && comes_first(i, best))) {
      most = projection;
      best = i;
    }
  }
  return best;
}

}  // namespace sinew::inline collision
