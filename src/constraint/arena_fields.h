// Takes arrays of mjData from the arena, by their place in the table of fields.
#ifndef SINEW_CONSTRAINT_ARENA_FIELDS_H_
#define SINEW_CONSTRAINT_ARENA_FIELDS_H_

#include <mujoco/mujoco.h>

#include <cstddef>

#include "core/stack.h"
#include "model/view/fields.h"
#include "simd/unroll.h"

namespace sinew::inline constraint {

// Consecutive entries of kArenaFields.
struct ArenaRange {
  int first, last;
};

consteval int ArenaFieldAt(size_t offset) {
  int index = 0;
  while (kArenaFields[index].offset != offset) ++index;
  return index;
}
// The arrays of mjData from one offset to another.
consteval ArenaRange ArenaFields(size_t first, size_t last) { return {ArenaFieldAt(first), ArenaFieldAt(last)}; }

// Takes these arrays as one piece of the arena, with the sizes that the counts of mjData (nefc, nJ, ...) give; each
// starts at a multiple of eight bytes. False when the arena is full. The table is constant at compile time, for speed:
// a step takes forty arrays.
template <ArenaRange kRange>
bool TakeArenaFields(const mjModel* m, mjData* d) {
  constexpr size_t kCount = kRange.last - kRange.first + 1;
  size_t offset[kCount], total = 0;
  Unroll<0, kCount>([&](auto i) {
    constexpr const DataArray& kField = kArenaFields[kRange.first + i];
    offset[i] = total;
    total += (kField.Bytes(*m, *d) + 7) / 8 * 8;
  });
  char* memory = static_cast<char*>(AllocArena(d, total, alignof(double)));
  if (!memory) return false;
  Unroll<0, kCount>([&](auto i) { kArenaFields[kRange.first + i].SetPointer(*d, memory + offset[i]); });
  return true;
}

// The same for several pieces, in their order.
template <ArenaRange kFirst, ArenaRange kSecond, ArenaRange... kRest>
bool TakeArenaFields(const mjModel* m, mjData* d) {
  return TakeArenaFields<kFirst>(m, d) && TakeArenaFields<kSecond, kRest...>(m, d);
}

// Forgets constraint rows and islands; their part of the arena, behind the contacts, is free again.
void ClearRows(mjData* d);
// The same after a warning that the arena is full: the step continues without constraints.
void DropConstraints(mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ARENA_FIELDS_H_
