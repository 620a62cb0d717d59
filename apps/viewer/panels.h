// The panels of the viewer, drawn with Dear ImGui into the frame that is open. They need no window.
#ifndef SINEW_APPS_VIEWER_PANELS_H_
#define SINEW_APPS_VIEWER_PANELS_H_

#include "viewer/session.h"
#include "viewer/view_state.h"

namespace sinew {

// Remembers what plots show of the step that was just taken.
void RecordPlots(Session& session, ViewState& view);

// All that is open. width and height of the window [pixel]
void DrawPanels(Session& session, ViewState& view, float width, float height);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_PANELS_H_
