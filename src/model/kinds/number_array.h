// Number arrays that the compiler adds for extensions (docs/how/extensions.md), by name.
#ifndef SINEW_MODEL_KINDS_NUMBER_ARRAY_H_
#define SINEW_MODEL_KINDS_NUMBER_ARRAY_H_

#include <span>

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// The same in a model that has some array.
std::span<const mjtNum> SearchNumberArrays(const mjModel* m, const char* name);

// Finds the last array of a name; empty: the model has none. The compiler appends its arrays to those of the user. A
// step asks some 18 times, of models that mostly have no array at all.
[[gnu::always_inline]] inline std::span<const mjtNum> FindNumberArray(const mjModel* m, const char* name) {
  if (m->nnumeric == 0) return {};
  return SearchNumberArrays(m, name);
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_NUMBER_ARRAY_H_
