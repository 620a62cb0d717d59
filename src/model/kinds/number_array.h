// Number arrays that the compiler adds for extensions (docs/how/extensions.md), by name.
#ifndef SINEW_MODEL_KINDS_NUMBER_ARRAY_H_
#define SINEW_MODEL_KINDS_NUMBER_ARRAY_H_

#include <cstring>
#include <span>

#include <mujoco/mujoco.h>

namespace sinew {

// Finds the last array of a name; empty: the model has none. The compiler appends its arrays to those of the user.
inline std::span<const mjtNum> FindNumberArray(const mjModel* m, const char* name) {
  for (int i = static_cast<int>(m->nnumeric) - 1; i >= 0; --i) {
    if (std::strcmp(m->names + m->name_numericadr[i], name) != 0) continue;
    return {m->numeric_data + m->numeric_adr[i], static_cast<std::size_t>(m->numeric_size[i])};
  }
  return {};
}

}  // namespace sinew

#endif  // SINEW_MODEL_KINDS_NUMBER_ARRAY_H_
