// What mouse and keyboard did since the last picture, in order.
#ifndef SINEW_APPS_VIEWER_WINDOW_INPUT_H_
#define SINEW_APPS_VIEWER_WINDOW_INPUT_H_

#include <string>
#include <vector>

#include "viewer/window/gl_window.h"

namespace sinew {

// Presses, turns of the wheel and ways of the mouse wait here until the panels of the next picture have said whether
// they are meant for them: before, a press right after a way onto a panel would count for the picture behind it.
struct MouseEvent {
  enum class Kind { kPress, kRelease, kMove, kWheel };
  Kind kind;
  int button = 0, mods = 0;
  double x = 0, y = 0;  // of the mouse, in the window [pixel]
  double by = 0;        // of the wheel
  double seconds = 0;   // of the clock
};

struct KeyEvent {
  int key, mods;
};

struct Input {
  std::vector<MouseEvent> mouse;
  std::vector<KeyEvent> keys;
  std::vector<std::string> dropped;  // paths of files

  // Listens to a window, before Dear ImGui does, which calls the functions that it finds. `this` must not move.
  void Connect(GLFWwindow* window);
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_WINDOW_INPUT_H_
