// Images: what textures and height fields are made of.
#ifndef SINEW_ASSETS_IMAGE_H_
#define SINEW_ASSETS_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mujoco/mujoco.h>

namespace sinew::inline assets {

// Pixels row by row from the top, channels interleaved: grey (1), RGB (3) or RGBA (4).
struct Image {
  int width, height, channels;
  mjtColorSpace colorspace;
  std::vector<mjtByte> pixels;

  mjtByte* Pixel(int row, int col) { return pixels.data() + Offset(row, col); }
  const mjtByte* Pixel(int row, int col) const { return pixels.data() + Offset(row, col); }
  // Bytes of all pixels, whether they are there or not.
  size_t bytes() const { return Offset(height, 0); }

 private:
  size_t Offset(int row, int col) const {
    return (static_cast<size_t>(row) * static_cast<size_t>(width) + static_cast<size_t>(col)) *
           static_cast<size_t>(channels);
  }
};

// An image without pixels yet. Throws on sizes that are not positive or no `int`, and on an image that takes more
// memory than a load may (core/load_limits.h).
Image FrameImage(int64_t width, int64_t height, int channels, mjtColorSpace colorspace);

// An image of zeros; throws as above.
Image MakeImage(int64_t width, int64_t height, int channels, mjtColorSpace colorspace);

// Mirrors an image: columns (`horizontal`), rows (`vertical`).
void Flip(Image& image, bool horizontal, bool vertical);

// Decodes a PNG file of any colour type and depth. Samples of 16 bits keep their upper byte; one channel is the grey
// of a grey image and the red of a coloured one; a fourth channel that the file lacks is opaque. The colour space is
// sRGB if the file says so, else linear. Throws on damaged files.
Image DecodePng(std::span<const std::byte> file, int channels);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_IMAGE_H_
