#include "constraint/arena_fields.h"

#include <algorithm>
#include <limits>

#include "core/stack.h"
#include "core/warning.h"

namespace sinew {

// One piece of the arena for all arrays: each starts at a multiple of eight bytes.
bool TakeArenaFields(const mjModel* m, mjData* d, ArenaRange range) {
  size_t place[std::size(kArenaFields)], total = 0;
  for (int i = range.first; i <= range.last; ++i) {
    place[i] = total;
    total += (kArenaFields[i].Bytes(*m, *d) + 7) / 8 * 8;
  }
  char* memory = static_cast<char*>(AllocArena(d, total, alignof(double)));
  if (!memory) return false;
  for (int i = range.first; i <= range.last; ++i) kArenaFields[i].SetPointer(*d, memory + place[i]);
  return true;
}

void ClearRows(mjData* d) {
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = 0;
  d->parena = static_cast<size_t>(d->ncon) * sizeof(mjContact);
}

void GiveUpRows(mjData* d) {
  RaiseWarning(d, mjWARN_CNSTRFULL, static_cast<int>(std::min<mjtSize>(d->narena, std::numeric_limits<int>::max())));
  for (int i = 0; i < d->ncon; ++i) d->contact[i].efc_address = -1;
  ClearRows(d);
}

}  // namespace sinew
