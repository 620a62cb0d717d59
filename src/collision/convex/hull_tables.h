// The tables of a model's hulls, kept with the model (model/storage/kept.h): made when the first world of the model is,
// or at the first use; and places for what else is kept of meshes.
#ifndef SINEW_COLLISION_CONVEX_HULL_TABLES_H_
#define SINEW_COLLISION_CONVEX_HULL_TABLES_H_

#include <mujoco/mujoco.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "collision/convex/hull_table.h"
#include "model/storage/kept.h"

namespace sinew::inline collision {

// What is kept of a mesh beside its hull: its surface (triangles/surface_tables.h).
struct KeptOfMesh {
  virtual ~KeptOfMesh() = default;
};

// What a model keeps is this: there is nothing else that is found from it once.
class HullTables final : public Kept {
 public:
  explicit HullTables(int meshes)
      : count_(meshes),
        table_(new std::atomic<const HullTable*>[TableCount()] {}),
        surface_(new std::atomic<const KeptOfMesh*>[TableCount()] {}) {}
  ~HullTables() override;

  // The lists of a mesh, if they have been made.
  const HullLists* Find(int mesh) const {
    const HullTable* table = table_[static_cast<size_t>(mesh)].load(std::memory_order_acquire);
    return table ? &table->lists() : nullptr;
  }
  const HullLists& Make(const mjModel& m, int mesh) const;

  // Where the surface of a mesh is kept, null before it is made.
  std::atomic<const KeptOfMesh*>& SurfaceOf(int mesh) const { return surface_[static_cast<size_t>(mesh)]; }

  bool IsOf(const mjModel& m) const override;

 private:
  size_t TableCount() const { return static_cast<size_t>(count_); }

  int count_;
  std::unique_ptr<std::atomic<const HullTable*>[]> table_;
  std::unique_ptr<std::atomic<const KeptOfMesh*>[]> surface_;
};

const HullLists* MakeHullLists(const mjModel& m, int mesh);

// The lists of a mesh's hull; null where the model keeps nothing.
inline const HullLists* HullListsOf(const mjModel& m, int mesh) {
  if (const KeptPlace* place = KeptPlaceOf(m)) {
    const auto* tables = static_cast<const HullTables*>(place->kept.load(std::memory_order_acquire));
    if (const HullLists* lists = tables ? tables->Find(mesh) : nullptr) return lists;
  }
  return MakeHullLists(m, mesh);
}

// The tables of a model; null where it keeps nothing.
const HullTables* HullTablesOf(const mjModel& m);

// Makes a table for its place; one that another thread has put there is kept.
template <class Table, class Made>
const Table& PutFirst(std::atomic<const Table*>& place, std::unique_ptr<const Made> made) {
  const Table* before = nullptr;
  return place.compare_exchange_strong(before, made.get()) ? *made.release() : *before;
}

// Makes the tables of all meshes that have a hull, so that steps allocate none.
void MakeHullTables(const mjModel& m);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_TABLES_H_
