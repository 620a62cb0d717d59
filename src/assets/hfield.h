// Height fields from numbers.
#ifndef SINEW_ASSETS_HFIELD_H_
#define SINEW_ASSETS_HFIELD_H_

#include <vector>

namespace sinew {

// Scales elevations to [0, 1]; where all are the same, to 0.
void NormalizeElevation(std::vector<float>& elevation);

}  // namespace sinew

#endif  // SINEW_ASSETS_HFIELD_H_
