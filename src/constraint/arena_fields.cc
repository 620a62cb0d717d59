#include "constraint/arena_fields.h"

#include <algorithm>
#include <limits>

#include "core/stack.h"
#include "core/warning.h"

namespace sinew::inline constraint {

void ClearRows(mjData* d) {
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = 0;
  d->parena = static_cast<size_t>(d->ncon) * sizeof(mjContact);
}

void DropConstraints(mjData* d) {
  RaiseWarning(d, mjWARN_CNSTRFULL, static_cast<int>(std::min<mjtSize>(d->narena, std::numeric_limits<int>::max())));
  for (int i = 0; i < d->ncon; ++i) d->contact[i].efc_address = -1;
  ClearRows(d);
}

}  // namespace sinew::inline constraint
