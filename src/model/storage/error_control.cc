// Looks up the parameters and the state of integrators with error control, which live in arrays that mjModel and mjData
// have anyway: a layout that is fixed for binary compatibility has no room for them elsewhere.
#include "model/storage/error_control.h"

#include "model/kinds/number_array.h"

namespace sinew::inline model {

const mjtNum* FindErrorControl(const mjModel* m) {
  const std::span<const mjtNum> array = FindNumberArray(m, kErrorControlArray);
  return array.size() == kErrorControlNumbers ? array.data() : nullptr;
}

ErrorControlState* FindErrorControlState(const mjModel* m, mjData* d) {
  if (!FindErrorControl(m) || m->nhistory < kErrorControlStates) return nullptr;
  return reinterpret_cast<ErrorControlState*>(d->history + m->nhistory - kErrorControlStates);
}

}  // namespace sinew::inline model
