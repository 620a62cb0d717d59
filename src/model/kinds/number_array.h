// Number arrays that the compiler adds for extensions (docs/how/extensions.md), by name.
#ifndef SINEW_MODEL_KINDS_NUMBER_ARRAY_H_
#define SINEW_MODEL_KINDS_NUMBER_ARRAY_H_

#include <span>

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// Finds the last array of a name; empty: the model has none. The compiler appends its arrays to those of the user.
std::span<const mjtNum> FindNumberArray(const mjModel* m, const char* name);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_NUMBER_ARRAY_H_
