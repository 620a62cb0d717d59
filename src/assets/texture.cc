// Textures are read from files: the format is found, a grid is cut into the faces of a cube, and six squares are put
// into one image.
#include "assets/texture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "assets/bytes.h"
#include "assets/media_type.h"
#include "core/error.h"
#include "core/ktx.h"

namespace sinew::inline assets {
namespace {

constexpr int kMaxSquares = 12;  // of an image that is cut

// ---- files

Image LoadKtx(std::span<const std::byte> file) {
  if (!IsKtx(reinterpret_cast<const uint8_t*>(file.data()), file.size())) {
    throw Error("the file does not begin as KTX pictures of version 1 or 2 do", "save it again, or as PNG");
  }
  Image image = MakeImage(static_cast<int64_t>(file.size()), 1, 1, mjCOLORSPACE_LINEAR);
  std::transform(file.begin(), file.end(), image.pixels.begin(), [](std::byte b) { return static_cast<mjtByte>(b); });
  return image;
}

Image LoadRaw(std::span<const std::byte> file, int channels) {
  constexpr size_t kHeader = 2 * sizeof(int32_t), kBytes = 3;
  if (file.size() < kHeader) throw Error("the file is no PNG, and too short for raw pixels", "save it as PNG");
  ByteReader reader(file);
  const int32_t width = reader.Take<int32_t>(), height = reader.Take<int32_t>();
  const bool fits = width > 0 && height > 0 &&
                    static_cast<uint64_t>(width) * static_cast<uint64_t>(height) == reader.left() / kBytes &&
                    reader.left() % kBytes == 0;
  if (!fits) {
    throw Error("the file is no PNG, and has not the length of raw pixels of its size",
                "save it as PNG, or write width, height and three bytes for each pixel");
  }
  Image image = MakeImage(width, height, channels, mjCOLORSPACE_LINEAR);
  const auto count = static_cast<size_t>(width) * static_cast<size_t>(height), stride = static_cast<size_t>(channels);
  const std::byte* from = file.data() + kHeader;
  for (size_t i = 0; i < count; ++i) {
    for (size_t c = 0; c < stride; ++c) {
      image.pixels[stride * i + c] = c < kBytes ? static_cast<mjtByte>(from[kBytes * i + c]) : mjtByte{255};
    }
  }
  return image;
}

// ---- cubes

// Copies a square out of an image.
Image Crop(const Image& image, int top, int left, int size) {
  Image square = MakeImage(size, size, image.channels, image.colorspace);
  for (int row = 0; row < size; ++row) {
    std::copy(image.Pixel(top + row, left), image.Pixel(top + row, left + size), square.Pixel(row, 0));
  }
  return square;
}

Image FlatSquare(const double color[3], const Image& like) {
  Image square = MakeImage(like.width, like.width, like.channels, like.colorspace);
  const auto channels = static_cast<size_t>(like.channels);
  for (size_t i = 0; i < square.pixels.size(); ++i) {
    const size_t c = i % channels;
    square.pixels[i] = c < 3 ? static_cast<mjtByte>(std::clamp(std::floor(255 * color[c]), 0.0, 255.0)) : mjtByte{255};
  }
  return square;
}

void CheckGrid(const Image& image, int rows, int columns) {
  if (rows < 1 || columns < 1 || rows > kMaxSquares || rows * columns > kMaxSquares) {
    throw Error("gridsize is " + std::to_string(rows) + " by " + std::to_string(columns),
                "rows and columns must be positive, and make 12 squares at most");
  }
  if (image.width % columns != 0 || image.height % rows != 0 || image.width / columns != image.height / rows) {
    throw Error("a picture of " + std::to_string(image.width) + " by " + std::to_string(image.height) +
                    " pixels is not a grid of " + std::to_string(columns) + " by " + std::to_string(rows) + " squares",
                "correct gridsize, or give a square picture");
  }
}

}  // namespace

TextureFormat FindTextureFormat(std::string_view content_type, std::string_view file) {
  const std::string type = MediaType(content_type, file);
  if (type == "image/png") return TextureFormat::kPng;
  if (type == "image/ktx") return TextureFormat::kKtx;
  if (type.empty() || type == "image/vnd.mujoco.texture") return TextureFormat::kRaw;
  throw Error("content type '" + type + "' is not supported", "use image/png, image/ktx or image/vnd.mujoco.texture");
}

Image LoadTexture(std::span<const std::byte> file, TextureFormat format, int channels) {
  switch (format) {
    case TextureFormat::kPng:
      return DecodePng(file, channels);
    case TextureFormat::kKtx:
      return LoadKtx(file);
    default:
      return LoadRaw(file, channels);
  }
}

Image StackFaces(const CubeFaces& faces, const double color[3]) {
  const Image* first = nullptr;
  for (const auto& face : faces) {
    if (!face) continue;
    if (!first) first = &*face;
    if (face->width != face->height || face->width != first->width || face->channels != first->channels) {
      throw Error("a face of " + std::to_string(face->width) + " by " + std::to_string(face->height) + " pixels",
                  "the faces of a cube must be squares of equal size");
    }
  }
  Image stack = MakeImage(first->width, kCubeFaces * first->width, first->channels, first->colorspace);
  auto to = stack.pixels.begin();
  for (const auto& face : faces) {
    const std::vector<mjtByte>& pixels = face ? face->pixels : FlatSquare(color, *first).pixels;
    to = std::copy(pixels.begin(), pixels.end(), to);
  }
  return stack;
}

Image CutFaces(Image image, int rows, int columns, std::string_view layout, const double color[3]) {
  CheckGrid(image, rows, columns);
  if (rows == 1 && columns == 1) return image;
  const int size = image.width / columns;
  CubeFaces faces;
  for (int i = 0; i < rows * columns; ++i) {
    const char letter = static_cast<size_t>(i) < layout.size() ? layout[static_cast<size_t>(i)] : '.';
    if (letter == '.' || letter == '\0') continue;
    const size_t face = kFaceLetters.find(letter);
    if (face == std::string_view::npos) {
      throw Error(std::string("gridlayout has '") + letter + "'", "use the letters R, L, U, D, F, B and dots");
    }
    faces[face] = Crop(image, i / columns * size, i % columns * size, size);
  }
  const bool none = std::none_of(faces.begin(), faces.end(), [](const auto& face) { return face.has_value(); });
  if (none) faces[0] = FlatSquare(color, Crop(image, 0, 0, size));
  return StackFaces(faces, color);
}

}  // namespace sinew::inline assets
