// The viewer's window: GLFW for the window, mouse and keys, Dear ImGui for panels, mjr_* for the picture.
#ifndef SINEW_APPS_VIEWER_WINDOW_WINDOW_H_
#define SINEW_APPS_VIEWER_WINDOW_WINDOW_H_

#include <string>

#include "viewer/session/session.h"

namespace sinew {

struct WindowOptions {
  int width = 0, height = 0;  // 0: as the screen has room for
  int text_percent = 0;       // of the usual size of text; 0: as the screen asks for
  std::string record;         // video of all that is shown; empty: none
  std::string screenshot;     // picture of the window, panels included, written before it closes
  double seconds = 0;         // after which it closes; 0: when the user closes it
  bool all_panels = false;
};

// Shows the session until the window is closed. Throws std::runtime_error when there is no display or no OpenGL, with
// what to install.
void ShowWindow(Session& session, const WindowOptions& options);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_WINDOW_WINDOW_H_
