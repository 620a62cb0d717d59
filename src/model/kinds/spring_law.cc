#include "model/kinds/spring_law.h"

#include <cstddef>
#include <span>

#include "model/kinds/number_array.h"

namespace sinew::inline model {

MotionNumbers FindSpringLaws(const mjModel* m) {
  const std::span<const mjtNum> array = FindNumberArray(m, kSpringLawArray);
  if (array.empty() || array.size() < static_cast<std::size_t>(m->njnt + m->ntendon)) return {};
  return {array.data(), static_cast<mjtNum>(array.size())};
}

}  // namespace sinew::inline model
