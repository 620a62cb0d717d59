// Lines with a width in pixels, on top of a picture by rays.
#ifndef SINEW_RENDER_RAYS_SEGMENTS_H_
#define SINEW_RENDER_RAYS_SEGMENTS_H_

#include "render/draw_list.h"

namespace sinew::inline render::rays {

struct FrameBuffer;

// Draws the segments of a list where nothing nearer was drawn.
void DrawSegments(const DrawList& list, const DrawView& view, FrameBuffer& buffer);

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_SEGMENTS_H_
