#include "model/kinds/number_array.h"

#include <cstring>

namespace sinew::inline model {

std::span<const mjtNum> SearchNumberArrays(const mjModel* m, const char* name) {
  for (int i = static_cast<int>(m->nnumeric) - 1; i >= 0; --i) {
    if (std::strcmp(m->names + m->name_numericadr[i], name) != 0) continue;
    return {m->numeric_data + m->numeric_adr[i], static_cast<std::size_t>(m->numeric_size[i])};
  }
  return {};
}

}  // namespace sinew::inline model
