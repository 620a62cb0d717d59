#include "model/kinds/bushing.h"

#include <span>

#include "model/kinds/number_array.h"

namespace sinew::inline model {

MotionNumbers FindBushings(const mjModel* m) {
  const std::span<const mjtNum> array = FindNumberArray(m, kBushingArray);
  if (array.empty()) return {};
  return {array.data(), static_cast<mjtNum>(array.size())};
}

}  // namespace sinew::inline model
