// Data of a model in a rendering context: the settings of mjVisual, the offscreen buffer's size, and the texture of
// each material. The context's renderer draws (backends.h).
#ifndef SINEW_RENDER_CONTEXT_H_
#define SINEW_RENDER_CONTEXT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline render {

// Fills a context. Without a model it has a buffer of 800 x 600 pixels and nothing else. Throws when the model has more
// textures or materials than a context has room for.
void MakeContext(const mjModel* m, int font_scale, mjrContext& con);

// The nearest of the sizes that fonts come in, 100 to 300 in steps of 50.
int NearestFontScale(int font_scale);

// The window or the offscreen buffer, whichever there is.
int AvailableBuffer(const mjrContext& con, int framebuffer);

// All of the current buffer. The size of a window is not known without a graphics driver.
mjrRect WholeBuffer(const mjrContext& con);

// Whether a rectangle holds a point in pixels; right and upper borders belong to the neighbour. Rectangles may be of
// any size.
inline bool Contains(const mjrRect& r, double x, double y) {
  return x >= r.left && x - r.left < r.width && y >= r.bottom && y - r.bottom < r.height;
}

// The first of the rectangles that contains a pixel, -1 for none.
int FindRectangle(int x, int y, int count, const mjrRect* rectangles);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_CONTEXT_H_
