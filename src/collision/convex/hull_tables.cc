// Threads that come to a table at once make it each; one of them is kept.
#include "collision/convex/hull_tables.h"

#include "model/files/validate.h"

namespace sinew::inline collision {

HullTables::~HullTables() {
  for (int mesh = 0; mesh < count_; ++mesh) {
    delete table_[static_cast<size_t>(mesh)].load();
    delete surface_[static_cast<size_t>(mesh)].load();
  }
}

const HullLists& HullTables::Make(const mjModel& m, int mesh) const {
  return PutFirst(table_[static_cast<size_t>(mesh)], std::make_unique<const HullTable>(Hull(&m, mesh))).lists();
}

// A copy of a model with surfaces makes them anew.
bool HullTables::IsOf(const mjModel& m) const {
  if (m.nmesh != count_) return false;
  for (int mesh = 0; mesh < count_; ++mesh) {
    const HullTable* table = table_[static_cast<size_t>(mesh)].load();
    if (table && (!HasWholeHull(m, mesh) || !table->IsOf(Hull(&m, mesh)))) return false;
    if (surface_[static_cast<size_t>(mesh)].load()) return false;
  }
  return true;
}

const HullTables* HullTablesOf(const mjModel& m) {
  KeptPlace* place = KeptPlaceOf(m);
  if (!place) return nullptr;
  const Kept* kept = place->kept.load();
  if (!kept) kept = KeepFirst(*place, new HullTables(static_cast<int>(m.nmesh)));
  return static_cast<const HullTables*>(kept);
}

const HullLists* MakeHullLists(const mjModel& m, int mesh) {
  const HullTables* tables = HullTablesOf(m);
  if (!tables) return nullptr;
  const HullLists* lists = tables->Find(mesh);
  return lists ? lists : &tables->Make(m, mesh);
}

void MakeHullTables(const mjModel& m) {
  for (int mesh = 0; mesh < m.nmesh; ++mesh) {
    if (m.mesh_graphadr[mesh] >= 0) HullListsOf(m, mesh);
  }
}

}  // namespace sinew::inline collision
