#include "viewer/mouse.h"

#include <algorithm>

namespace sinew {
namespace {
constexpr double kDoubleClick = 0.25;  // seconds between two clicks
}  // namespace

void Mouse::Press(const MouseView& view, MouseButton button, bool control, double x, double y, double seconds) {
  x_ = x;
  y_ = y;
  dragged_ = static_cast<int>(button);
  const bool twice = dragged_ == pressed_ && seconds - pressed_at_ < kDoubleClick;
  pressed_ = twice ? -1 : dragged_;
  pressed_at_ = seconds;
  if (twice) return Select(view, button, control);
  if (!control || view.perturb->select <= 0) return;
  const int kind = button == MouseButton::kLeft    ? static_cast<int>(mjPERT_ROTATE)
                   : button == MouseButton::kRight ? static_cast<int>(mjPERT_TRANSLATE)
                                                   : 0;
  if (kind) mjv_initPerturb(view.m, view.d, view.scene, view.perturb);
  view.perturb->active = kind;
}

void Mouse::Release(const MouseView& view) {
  view.perturb->active = 0;
  dragged_ = -1;
}

void Mouse::Select(const MouseView& view, MouseButton button, bool control) const {
  mjtNum point[3];
  int geom = -1, flex = -1, skin = -1;
  const int body = mjv_select(view.m, view.d, view.option, static_cast<mjtNum>(view.width) / view.height,
                              x_ / view.width, 1 - y_ / view.height, view.scene, point, &geom, &flex, &skin);
  if (button == MouseButton::kLeft) {
    mjvPerturb& perturb = *view.perturb;
    perturb.select = std::max(body, 0);
    perturb.flexselect = flex;
    perturb.skinselect = skin;
    perturb.active = 0;
    if (body < 0) return;
    mjtNum arm[3];
    mju_sub3(arm, point, view.d->xpos + 3 * body);
    mju_mulMatTVec3(perturb.localpos, view.d->xmat + 9 * body, arm);
  } else if (body >= 0) {
    mjvCamera& camera = *view.camera;
    mju_copy3(camera.lookat, point);
    camera.type = control && body > 0 ? mjCAMERA_TRACKING : mjCAMERA_FREE;
    camera.trackbodyid = control && body > 0 ? body : -1;
  }
}

void Mouse::Drag(const MouseView& view, double x, double y, bool shift) {
  const double dx = (x - x_) / view.height, dy = (y - y_) / view.height;
  x_ = x;
  y_ = y;
  if (dragged_ < 0) return;
  int action = mjMOUSE_ZOOM;
  if (dragged_ == static_cast<int>(MouseButton::kRight)) action = shift ? mjMOUSE_MOVE_H : mjMOUSE_MOVE_V;
  if (dragged_ == static_cast<int>(MouseButton::kLeft)) action = shift ? mjMOUSE_ROTATE_H : mjMOUSE_ROTATE_V;
  if (view.perturb->active) {
    mjv_movePerturb(view.m, view.d, action, dx, dy, view.scene, view.perturb);
  } else {
    mjv_moveCamera(view.m, action, dx, dy, view.scene, view.camera);
  }
}

void Mouse::Zoom(const MouseView& view, double by) {
  mjv_moveCamera(view.m, mjMOUSE_ZOOM, 0, by, view.scene, view.camera);
}

}  // namespace sinew
