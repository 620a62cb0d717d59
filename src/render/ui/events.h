// Reactions of a user interface to mouse and keys.
#ifndef SINEW_RENDER_UI_EVENTS_H_
#define SINEW_RENDER_UI_EVENTS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline render {

// The item that an event has changed, or null. A text field that another event ended is in ui.editchanged. While a text
// field is edited, keys are its own, and the state's key becomes zero.
mjuiItem* HandleEvent(mjUI& ui, mjuiState& state, const mjrContext& con);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_UI_EVENTS_H_
