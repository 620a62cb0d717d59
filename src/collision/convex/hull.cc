// Supports of a hull are found by walking uphill from neighbour to neighbour; small hulls are searched whole.
#include "collision/convex/hull.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "math/rows.h"
#include "simd/functions.h"

namespace sinew::inline collision {
namespace {

constexpr int kFewVertices = 10;  // below, looking at all vertices is faster than walking
constexpr int kSamples = 8;       // vertices that are looked at to find where to start

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

int Hull::FindSupport(const Vec3<double>& direction, int start) const {
  if (!HasGraph() || count_ < kFewVertices) return Scan(direction);
  return Climb(direction, start < 0 ? FindStart(direction) : start);
}

// The best of some vertices spread over the list.
int Hull::FindStart(const Vec3<double>& direction) const {
  int best = 0;
  double most = -kInfinity;
  for (int i = 0; i < count_; i += (count_ - 1) / kSamples + 1) {
    const double projection = Dot(direction, Vertex(i));
    if (projection > most) {
      most = projection;
      best = i;
    }
  }
  return best;
}

// A linear function on a convex polytope has no local maxima: the first better neighbour is followed until there is
// none.
int Hull::Climb(const Vec3<double>& direction, int start) const {
  const auto project = [&, vertices = vertices_, number = mesh_vertex_](int i) {
    const float* p = Row3(vertices, number[i]);
    return direction.x * p[0] + direction.y * p[1] + direction.z * p[2];
  };
  int best = start;
  double most = project(start);
  for (const int* next = edges_ + edge_start_[best]; *next >= 0;) {
    const double projection = project(*next);
    if (projection > most) {
      most = projection;
      best = *next;
      next = edges_ + edge_start_[best];
    } else {
      ++next;
    }
  }
  return best;
}

int Hull::Scan(const Vec3<double>& direction) const {
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

void HullColumns::SortByMesh(const Hull& hull) {
  in_mesh_order_ = true;
  int* const end = id_ + hull.Count();
  std::iota(id_, end, 0);
  std::sort(id_, end, [&hull](int a, int b) { return hull.MeshVertex(a) < hull.MeshVertex(b); });
}

void HullColumns::Load(const Hull& hull) {
  const int count = hull.Count();
  if (hull.IsOfSmallMesh()) SortByMesh(hull);
  for (int i = 0; i < count; ++i) {
    const float* p = Row3(hull.vertices_, hull.MeshVertex(in_mesh_order_ ? id_[i] : i));
    x_[i] = p[0];
    y_[i] = p[1];
    z_[i] = p[2];
  }
  padded_ = (count + kArgMaxStride - 1) / kArgMaxStride * kArgMaxStride;
  for (int i = count; i < padded_; ++i) {
    x_[i] = x_[0];
    y_[i] = y_[0];
    z_[i] = z_[0];
  }
}

const LoadedHull& HullCache::Get(int mesh, const LoadedHull* beside) {
  int slot = mesh % kSlots;
  if (mesh_[slot] != mesh && &slot_[slot].loaded == beside) slot = kSlots;
  if (mesh_[slot] != mesh) std::construct_at(&slot_[slot].loaded, m_, mesh);
  mesh_[slot] = mesh;
  return slot_[slot].loaded;
}

}  // namespace sinew::inline collision
