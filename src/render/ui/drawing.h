// Draws a user interface into its auxiliary buffer, and shows that.
#ifndef SINEW_RENDER_UI_DRAWING_H_
#define SINEW_RENDER_UI_DRAWING_H_

#include <mujoco/mujoco.h>

#include "render/backend.h"

namespace sinew::inline render {

// Everything, into the buffer that is current. state: for the choice under the mouse, or null
void DrawUi(RenderBackend& to, const mjUI& ui, const mjuiState* state, const mjrContext& con);

// Copies the part that is scrolled to into the interface's rectangle, and draws the scroll bar.
void ShowUi(RenderBackend& to, const mjUI& ui, const mjuiState& state, const mjrContext& con);

// The themes of colours and sizes; indices out of range mean the last one.
mjuiThemeSpacing ThemeSpacing(int index);
mjuiThemeColor ThemeColor(int index);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_UI_DRAWING_H_
