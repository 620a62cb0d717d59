#include "constraint/arena_fields.h"

#include <algorithm>

#include "core/stack.h"
#include "core/warning.h"
#include "model/fields.h"

namespace sinew {

bool TakeArenaFields(const mjModel* m, mjData* d, size_t first, size_t last) {
  for (const DataArray& field : kArenaFields) {
    if (field.offset < first || field.offset > last) continue;
    void* array = AllocArena(d, field.Bytes(*m, *d), ElementSize(field.kind));
    if (!array) return false;
    field.SetPointer(*d, array);
  }
  return true;
}

void ClearRows(mjData* d) {
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = 0;
  d->parena = static_cast<size_t>(d->ncon) * sizeof(mjContact);
}

void GiveUpRows(mjData* d) {
  RaiseWarning(d, mjWARN_CNSTRFULL, static_cast<int>(std::min<mjtSize>(d->narena, mjMAXVAL)));
  for (int i = 0; i < d->ncon; ++i) d->contact[i].efc_address = -1;
  ClearRows(d);
}

}  // namespace sinew
