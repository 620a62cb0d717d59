// Height fields are read from pictures and from binary files; their elevations are scaled to [0, 1].
#include "assets/hfield.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "assets/bytes.h"
#include "assets/image.h"
#include "assets/media_type.h"
#include "core/error.h"
#include "core/load_limits.h"
#include "spec/elements.h"

namespace sinew::inline assets {
namespace {

Elevation LoadPng(std::span<const std::byte> file) {
  Image image = DecodePng(file, 1);
  const LoadMemory held =
      HoldLoadMemory(static_cast<double>(image.pixels.capacity()), "the picture of the height field");
  Elevation elevation = {image.height, image.width, {}};
  CheckedGridSize(elevation.nrow, elevation.ncol);
  Flip(image, false, true);
  elevation.data.assign(image.pixels.begin(), image.pixels.end());
  return elevation;
}

Elevation LoadBinary(std::span<const std::byte> file) {
  if (file.size() < 2 * sizeof(int32_t)) throw Error("the height field has no complete header", "save it again");
  ByteReader reader(file);
  Elevation elevation;
  elevation.nrow = reader.Take<int32_t>();
  elevation.ncol = reader.Take<int32_t>();
  const size_t count = CheckedGridSize(elevation.nrow, elevation.ncol);
  if (reader.left() != count * sizeof(float)) {
    throw Error("the height field has " + std::to_string(reader.left()) + " bytes after its header; " +
                    std::to_string(elevation.nrow) + " by " + std::to_string(elevation.ncol) + " numbers take " +
                    std::to_string(count * sizeof(float)),
                "save it again");
  }
  elevation.data = reader.TakeArray<float>(count);
  return elevation;
}

}  // namespace

size_t CheckedGridSize(int nrow, int ncol) {
  if (nrow <= 0 || ncol <= 0) {
    throw Error("the height field has " + std::to_string(nrow) + " rows and " + std::to_string(ncol) + " columns",
                "give a file, or positive nrow and ncol");
  }
  const auto rows = static_cast<size_t>(nrow), columns = static_cast<size_t>(ncol);
  if (rows * columns > HField::kMaxPoints) {
    throw Error("the height field of " + std::to_string(nrow) + " by " + std::to_string(ncol) + " points is too large",
                "reduce nrow or ncol");
  }
  CheckLoadMemory(static_cast<double>(sizeof(float) * rows * columns), "the height field");
  return rows * columns;
}

Elevation LoadHField(std::span<const std::byte> file, std::string_view content_type, std::string_view name) {
  const std::string type = MediaType(content_type, name);
  const bool is_picture = type == "image/png";
  if (is_picture || type.empty() || type == "image/vnd.mujoco.hfield") {
    Elevation elevation = is_picture ? LoadPng(file) : LoadBinary(file);
    const double bytes = static_cast<double>(sizeof(float) * elevation.data.size());
    KeepLoadMemory(HoldLoadMemory(bytes, "the height field, with those before it,"));
    return elevation;
  }
  throw Error("content type '" + type + "' is not supported", "use image/png or image/vnd.mujoco.hfield");
}

void NormalizeElevation(std::vector<float>& elevation) {
  constexpr float kFlat = 1e-14f;
  if (elevation.empty()) return;
  for (const float e : elevation) {
    if (!std::isfinite(e)) throw Error("an elevation is not a finite number", "correct it");
  }
  const auto [lowest, highest] = std::minmax_element(elevation.begin(), elevation.end());
  const float base = *lowest, range = *highest - *lowest;
  if (!std::isfinite(range)) throw Error("the range of the elevations is too large", "scale them down");
  for (float& e : elevation) {
    e -= base;
    if (range > kFlat) e /= range;
  }
}

}  // namespace sinew::inline assets
