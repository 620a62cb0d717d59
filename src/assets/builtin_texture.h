// Textures made by the library: gradients, checkers and flat colours, with marks.
#ifndef SINEW_ASSETS_BUILTIN_TEXTURE_H_
#define SINEW_ASSETS_BUILTIN_TEXTURE_H_

#include <mujoco/mujoco.h>

#include "assets/image.h"

namespace sinew::inline assets {

// The image of a texture with `builtin` set, in RGB, without its pixels: they are drawn into the model's memory, since
// large images are slow to move. Throws Error on sizes that are not positive, and on images that are too large.
Image FrameBuiltin(const mjsTexture& texture);

// Draws such a texture: three bytes for each pixel of its frame. A cube is six squares one above the other: right,
// left, up, down, front, back.
void DrawBuiltin(const mjsTexture& texture, mjtByte* pixels);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_BUILTIN_TEXTURE_H_
