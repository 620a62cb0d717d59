// Allocates images, whose size is checked, and mirrors them.
#include "assets/image.h"

#include <algorithm>
#include <climits>
#include <string>

#include "core/error.h"
#include "core/load_limits.h"

namespace sinew::inline assets {

Image FrameImage(int64_t width, int64_t height, int channels, mjtColorSpace colorspace) {
  const std::string image = "the image of " + std::to_string(width) + " by " + std::to_string(height) + " pixels";
  if (width <= 0 || height <= 0) throw Error(image + " is empty", "width and height must be positive");
  if (width > INT_MAX || height > INT_MAX) throw Error(image + " is too large", "reduce width or height");
  CheckLoadMemory(static_cast<double>(width) * static_cast<double>(height) * channels, image);
  return {static_cast<int>(width), static_cast<int>(height), channels, colorspace, {}};
}

Image MakeImage(int64_t width, int64_t height, int channels, mjtColorSpace colorspace) {
  Image image = FrameImage(width, height, channels, colorspace);
  image.pixels.resize(image.bytes());
  return image;
}

void Flip(Image& image, bool horizontal, bool vertical) {
  if (horizontal) {
    for (int row = 0; row < image.height; ++row) {
      for (int left = 0, right = image.width - 1; left < right; ++left, --right) {
        std::swap_ranges(image.Pixel(row, left), image.Pixel(row, left + 1), image.Pixel(row, right));
      }
    }
  }
  if (vertical) {
    for (int top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom) {
      std::swap_ranges(image.Pixel(top, 0), image.Pixel(top + 1, 0), image.Pixel(bottom, 0));
    }
  }
}

}  // namespace sinew::inline assets
