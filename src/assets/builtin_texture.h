// Textures made by the library: gradients, checkers and flat colours, with marks.
#ifndef SINEW_ASSETS_BUILTIN_TEXTURE_H_
#define SINEW_ASSETS_BUILTIN_TEXTURE_H_

#include <vector>

#include <mujoco/mujoco.h>

namespace sinew {

// An image, three bytes a pixel, row by row from the top. A cube is six squares one above the other: right, left, up,
// down, front, back.
struct Image {
  int width, height;
  std::vector<mjtByte> pixels;
};

// Renders a texture with `builtin` set. Throws Error on sizes that are not positive.
Image RenderBuiltin(const mjsTexture& texture);

}  // namespace sinew

#endif  // SINEW_ASSETS_BUILTIN_TEXTURE_H_
