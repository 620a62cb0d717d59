#include "collision/triangles/surface_tables.h"

#include <atomic>
#include <memory>
#include <vector>

#include "collision/convex/hull_tables.h"
#include "math/rows.h"
#include "model/kinds/triangle_meshes.h"

namespace sinew::inline collision {
namespace {

// A table in the place that the model has for it.
struct KeptSurface final : KeptOfMesh {
  explicit KeptSurface(const std::vector<Vec3<double>>& points, const std::vector<int>& corners)
      : table(points, corners) {}
  SurfaceTable table;
};

std::unique_ptr<const KeptSurface> MakeSurface(const mjModel& m, int mesh) {
  std::vector<Vec3<double>> points;
  for (int i = 0; i < m.mesh_vertnum[mesh]; ++i) {
    const float* p = Row3(m.mesh_vert, m.mesh_vertadr[mesh] + i);
    points.push_back({p[0], p[1], p[2]});
  }
  const int* corners = Row3(m.mesh_face, m.mesh_faceadr[mesh]);
  int count = m.mesh_facenum[mesh];
  if (!TriangleMeshes(&m).HasMesh(mesh) && m.mesh_graphadr[mesh] >= 0) {  // the last numbers of a hull's graph
    const int *graph = m.mesh_graph + m.mesh_graphadr[mesh], vertices = graph[0];
    count = graph[1];
    corners = graph + 2 + 3 * vertices + 3 * count;
  }
  return std::make_unique<const KeptSurface>(points,
                                             std::vector<int>(corners, corners + 3 * static_cast<ptrdiff_t>(count)));
}

}  // namespace

const SurfaceTable* SurfaceTableOf(const mjModel& m, int mesh) {
  const HullTables* tables = HullTablesOf(m);
  if (!tables) return nullptr;
  std::atomic<const KeptOfMesh*>& place = tables->SurfaceOf(mesh);
  const KeptOfMesh* kept = place.load(std::memory_order_acquire);
  if (!kept) kept = &PutFirst(place, MakeSurface(m, mesh));
  return &static_cast<const KeptSurface*>(kept)->table;
}

void MakeMeshTables(const mjModel& m) {
  MakeHullTables(m);
  if (!TriangleMeshes(&m)) return;
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (m.geom_type[geom] == mjGEOM_MESH) SurfaceTableOf(m, m.geom_dataid[geom]);
  }
}

}  // namespace sinew::inline collision
