// The geoms of a scene as instances of shapes.
#ifndef SINEW_RENDER_DRAW_GEOMS_H_
#define SINEW_RENDER_DRAW_GEOMS_H_

#include "render/draw_list.h"

namespace sinew::inline render {

// Between the eyes.
struct DrawHead {
  float pos[3], forward[3], far;
};

// Appends what the geoms consist of, in their order, and writes into each what programs may read there: transparency
// and distance from the head [m].
void AddGeoms(const DrawAssets& assets, const DrawHead& head, mjvScene& scene, DrawList& list);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_DRAW_GEOMS_H_
