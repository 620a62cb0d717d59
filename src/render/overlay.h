// Texts, overlays and figures, laid out once for every renderer: they reach it as rectangles and lines.
#ifndef SINEW_RENDER_OVERLAY_H_
#define SINEW_RENDER_OVERLAY_H_

#include <mujoco/mujoco.h>

#include <string_view>

#include "render/backend.h"
#include "render/draw_list.h"

namespace sinew::inline render {

// Text from (left, bottom) [pixel]; lines follow below each other. The font with shadow has a dark ground.
void WriteText(RenderBackend& to, int font, std::string_view text, float left, float bottom, Rgba color,
               const mjrContext& con);

// A filled rectangle, with text in its middle.
void WriteLabel(RenderBackend& to, mjrRect viewport, int font, std::string_view text, Rgba back, Rgba color,
                const mjrContext& con);

// Text in one or two columns at a place of the viewport (mjtGridPos).
void WriteOverlay(RenderBackend& to, int font, int place, mjrRect viewport, std::string_view left,
                  std::string_view right, const mjrContext& con);

// A diagram; sets the ends of its axes in the figure.
void WriteFigure(RenderBackend& to, mjrRect viewport, mjvFigure& figure, const mjrContext& con);

// Names of a scene's geoms, and the frames around its views.
void WriteLabels(RenderBackend& to, const DrawList& list, const mjrContext& con);
void WriteFrames(RenderBackend& to, const DrawList& list);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_OVERLAY_H_
