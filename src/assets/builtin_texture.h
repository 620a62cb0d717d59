// Textures made by the library: gradients, checkers and flat colours, with marks.
#ifndef SINEW_ASSETS_BUILTIN_TEXTURE_H_
#define SINEW_ASSETS_BUILTIN_TEXTURE_H_

#include <mujoco/mujoco.h>

#include "assets/image.h"

namespace sinew {

// Renders a texture with `builtin` set, in RGB. A cube is six squares one above the other: right, left, up, down,
// front, back. Throws Error on sizes that are not positive, and on images that are too large.
Image RenderBuiltin(const mjsTexture& texture);

}  // namespace sinew

#endif  // SINEW_ASSETS_BUILTIN_TEXTURE_H_
