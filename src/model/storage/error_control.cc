// Looks up the parameters and the state of integrators with error control, which live in arrays that mjModel and mjData
// have anyway: a layout that is fixed for binary compatibility has no room for them elsewhere.
#include "model/storage/error_control.h"

#include <cstring>

namespace sinew {

const mjtNum* FindErrorControl(const mjModel* m) {
  // The compiler appends the array, so it stands behind the numbers of the user.
  for (int i = static_cast<int>(m->nnumeric) - 1; i >= 0; --i) {
    const bool found = std::strcmp(m->names + m->name_numericadr[i], kErrorControlArray) == 0;
    if (found && m->numeric_size[i] == kErrorControlNumbers) return m->numeric_data + m->numeric_adr[i];
  }
  return nullptr;
}

ErrorControlState* FindErrorControlState(const mjModel* m, mjData* d) {
  if (!FindErrorControl(m) || m->nhistory < kErrorControlStates) return nullptr;
  return reinterpret_cast<ErrorControlState*>(d->history + m->nhistory - kErrorControlStates);
}

}  // namespace sinew
