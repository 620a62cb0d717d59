#include "model/kinds/number_array.h"

#include <cstring>

namespace sinew::inline model {

// Programs may write to the arrays of the model: what lies outside of the texts or of the numbers is none.
std::span<const mjtNum> SearchNumberArrays(const mjModel* m, const char* name) {
  if (m->names[m->nnames - 1] != '\0') return {};
  for (int i = static_cast<int>(m->nnumeric) - 1; i >= 0; --i) {
    const int text = m->name_numericadr[i], begin = m->numeric_adr[i], size = m->numeric_size[i];
    if (text < 0 || text >= m->nnames || std::strcmp(m->names + text, name) != 0) continue;
    if (begin < 0 || size < 0 || size > m->nnumericdata || begin > m->nnumericdata - size) continue;
    return {m->numeric_data + begin, static_cast<std::size_t>(size)};
  }
  return {};
}

}  // namespace sinew::inline model
