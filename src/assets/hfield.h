// Height fields from numbers and files.
#ifndef SINEW_ASSETS_HFIELD_H_
#define SINEW_ASSETS_HFIELD_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace sinew::inline assets {

// Elevations row by row; row 0 is at the smallest y.
struct Elevation {
  int nrow, ncol;
  std::vector<float> data;
};

// The number of grid points. Throws on sizes that are not positive, and on fields that are too large
// (HField::kMaxPoints).
size_t CheckedGridSize(int nrow, int ncol);

// PNG, whose brightness (0 to 255) is the elevation and whose first row is at the largest y; or binary: int32 rows and
// columns, then floats. `content_type` and the name decide which.
Elevation LoadHField(std::span<const std::byte> file, std::string_view content_type, std::string_view name);

// Scales elevations to [0, 1]; where all are the same, to 0. Throws on numbers that are not finite.
void NormalizeElevation(std::vector<float>& elevation);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_HFIELD_H_
