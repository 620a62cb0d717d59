#include "assets/hfield.h"

#include <algorithm>

namespace sinew {

void NormalizeElevation(std::vector<float>& elevation) {
  constexpr float kFlat = 1e-14f;
  if (elevation.empty()) return;
  const auto [lowest, highest] = std::minmax_element(elevation.begin(), elevation.end());
  const float base = *lowest, range = *highest - *lowest;
  for (float& e : elevation) {
    e -= base;
    if (range > kFlat) e /= range;
  }
}

}  // namespace sinew
