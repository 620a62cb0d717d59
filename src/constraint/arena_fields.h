// Takes arrays of mjData from the arena, by their place in the table of fields.
#ifndef SINEW_CONSTRAINT_ARENA_FIELDS_H_
#define SINEW_CONSTRAINT_ARENA_FIELDS_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <iterator>

#include "core/stack.h"
#include "model/fields.h"

namespace sinew {

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

// Takes these arrays, with the sizes that the counts of mjData (nefc, nJ, ...) give. False when the arena is full.
bool TakeArenaFields(const mjModel* m, mjData* d, ArenaRange range);

// Forgets constraint rows and islands; their part of the arena, behind the contacts, is free again.
void ClearRows(mjData* d);
// The same after a warning that the arena is full: the step continues without constraints.
void GiveUpRows(mjData* d);

// Runs a stage whose scratch memory may not fit beside the rows. Then the step continues without constraints, too.
template <class Stage>
void RunOrGiveUpRows(mjData* d, Stage&& stage) {
  try {
    stage();
  } catch (const StackOverflow&) {
    GiveUpRows(d);
  }
}

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_ARENA_FIELDS_H_
