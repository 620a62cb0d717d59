// Takes arrays of mjData from the arena, by their place in the table of fields.
#ifndef SINEW_CONSTRAINT_ARENA_FIELDS_H_
#define SINEW_CONSTRAINT_ARENA_FIELDS_H_

#include <mujoco/mujoco.h>

#include <cstddef>

namespace sinew {

// Takes all arrays from the one at offset `first` in mjData to the one at `last`, with the sizes that the counts of mjData
// (nefc, nJ, ...) give. False when the arena is full.
bool TakeArenaFields(const mjModel* m, mjData* d, size_t first, size_t last);

// Forgets constraint rows and islands; their part of the arena, behind the contacts, is free again.
void ClearRows(mjData* d);
// The same after a warning that the arena is full: the step continues without constraints.
void GiveUpRows(mjData* d);

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_ARENA_FIELDS_H_
