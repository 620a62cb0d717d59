// Textures from files: one picture, a picture of several squares, or a picture for each face of a cube.
#ifndef SINEW_ASSETS_TEXTURE_H_
#define SINEW_ASSETS_TEXTURE_H_

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "assets/image.h"

namespace sinew::inline assets {

enum class TextureFormat { kPng, kKtx, kRaw };

// Throws on media types that are no textures; files of unknown type are raw.
TextureFormat FindTextureFormat(std::string_view content_type, std::string_view file);

// PNG; KTX, which stays as it is: a row of bytes with one channel, for renderers that read it; or raw: int32 width and
// height, then three bytes a pixel. An image without colour space of its own is linear.
Image LoadTexture(std::span<const std::byte> file, TextureFormat format, int channels);

// The faces of a cube in the order in which an image of them has them one above the other: right, left, up, down,
// front, back.
constexpr int kCubeFaces = 6;
constexpr std::string_view kFaceLetters = "RLUDFB";
using CubeFaces = std::array<std::optional<Image>, kCubeFaces>;

// Stacks the faces, of which at least one must be there; those that are missing get a colour (RGB in [0, 1]). The
// colour space is that of the first.
Image StackFaces(const CubeFaces& faces, const double color[3]);

// Cuts an image into rows by columns squares and stacks those that the layout calls by their letters, row by row; a
// dot stands for a square that is not used. A single square stays as it is: it serves for all faces.
Image CutFaces(Image image, int rows, int columns, std::string_view layout, const double color[3]);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_TEXTURE_H_
