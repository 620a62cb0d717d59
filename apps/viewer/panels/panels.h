// The panels of the viewer, drawn with Dear ImGui into the frame that is open. They need no window.
#ifndef SINEW_APPS_VIEWER_PANELS_PANELS_H_
#define SINEW_APPS_VIEWER_PANELS_PANELS_H_

#include "viewer/session/session.h"
#include "viewer/view_state.h"

namespace sinew {

// Remembers what plots show of the step that was just taken.
void RecordPlots(Session& session, ViewState& view);

// All that is open. width and height of the window [pixel]
void DrawPanels(Session& session, ViewState& view, float width, float height);

// ---- sections of the left panel
void DrawFile(Session& session, ViewState& view);
void DrawSimulation(Session& session, ViewState& view);
void DrawPhysics(mjModel* m);
void DrawRendering(const mjModel* m, ViewState& view);
void DrawVisualization(mjModel* m);
void DrawGroups(mjvOption& option);
void DrawWatch(Session& session, ViewState& view);
void DrawLook(ViewState& view);

// ---- sections of the right panel
// While a slider is held, the simulation stands still, so that only its joint moves.
void DrawJoints(Session& session);
void DrawControls(Session& session);
void DrawEqualities(Session& session);

// ---- windows that float above the picture; x and y of their upper left corner where they first appear [pixel]
void DrawHelp(float x, float y);
void DrawInfo(Session& session, float x, float y);
void DrawProfiler(Session& session, const ViewState& view, float x, float y);
// `height`: of the window that it floats in
void DrawSensors(Session& session, const ViewState& view, float x, float y, float height);
void DrawFileDialog(ViewState& view);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_PANELS_PANELS_H_
