#include "model/kinds/reflex.h"

#include <cstddef>

#include "model/kinds/number_array.h"

namespace sinew::inline model {

Reflexes::Reflexes(const mjModel* m) : numbers_(FindNumberArray(m, kReflexArray)) {
  if (numbers_.size() < static_cast<std::size_t>(m->nu)) numbers_ = {};
}

ReflexList Reflexes::Of(int actuator) const {
  const mjtNum place = numbers_[static_cast<std::size_t>(actuator)], size = static_cast<mjtNum>(numbers_.size());
  if (!(place > 0 && place + 1 <= size)) return {};
  const mjtNum* list = numbers_.data() + static_cast<mjtSize>(place);
  const mjtNum count = list[0];
  if (!(count > 0 && count <= kMostReflexes && place + 1 + int{sinewNREFLEX} * count <= size)) return {};
  return {list + 1, static_cast<int>(count)};
}

}  // namespace sinew::inline model
