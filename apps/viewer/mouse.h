// What the mouse does to a view of a model: cameras, selection, pulls. Shared by the window and the page for browsers.
#ifndef SINEW_APPS_VIEWER_MOUSE_H_
#define SINEW_APPS_VIEWER_MOUSE_H_

#include <mujoco/mujoco.h>

namespace sinew {

enum class MouseButton { kLeft, kRight, kMiddle };

// What is seen, and where: places of the mouse are in pixels from the upper left corner of width x height.
struct MouseView {
  const mjModel* m;
  mjData* d;
  const mjvOption* option;
  const mjvScene* scene;
  mjvCamera* camera;
  mjvPerturb* perturb;
  int width, height;
};

class Mouse {
 public:
  // `seconds` of a clock tell double clicks, which select (left) or look at what is under the mouse (right; with Ctrl
  // they follow it). With Ctrl, the selected body is turned (left) or pulled (right).
  void Press(const MouseView& view, MouseButton button, bool control, double x, double y, double seconds);
  void Release(const MouseView& view);
  void Drag(const MouseView& view, double x, double y, bool shift);
  static void Zoom(const MouseView& view, double by);

 private:
  void Select(const MouseView& view, MouseButton button, bool control) const;

  double x_ = 0, y_ = 0, pressed_at_ = -1;
  int pressed_ = -1, dragged_ = -1;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_MOUSE_H_
