// How errors name an element: its type with its name, or its number where it has none.
#ifndef SINEW_DERIVATIVES_BASE_NAMES_H_
#define SINEW_DERIVATIVES_BASE_NAMES_H_

#include <mujoco/mujoco.h>

#include <string>

#include "model/kinds/names.h"

namespace sinew::inline derivatives {

inline std::string NameOf(const mjModel* m, int type, int id) {
  const char* name = Id2Name(*m, type, id);
  const std::string kind = TypeToString(type);
  return name && *name ? kind + " '" + name + "'" : kind + " " + std::to_string(id);
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_NAMES_H_
