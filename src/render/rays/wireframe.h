// Shapes as the edges of their triangles.
#ifndef SINEW_RENDER_RAYS_WIREFRAME_H_
#define SINEW_RENDER_RAYS_WIREFRAME_H_

#include "render/draw_list.h"

namespace sinew::inline render::rays {

// The same list with segments instead of instances.
DrawList WireframeOf(const DrawAssets& assets, const DrawList& list);

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_WIREFRAME_H_
