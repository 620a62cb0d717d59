#include "viewer/window/input.h"

namespace sinew {
namespace {

Input& Of(GLFWwindow* window) { return *static_cast<Input*>(glfwGetWindowUserPointer(window)); }

MouseEvent EventAt(GLFWwindow* window, MouseEvent::Kind kind) {
  MouseEvent event = {.kind = kind, .seconds = glfwGetTime()};
  glfwGetCursorPos(window, &event.x, &event.y);
  return event;
}

void TakeButton(GLFWwindow* window, int button, int action, int mods) {
  if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
  MouseEvent event = EventAt(window, action == GLFW_RELEASE ? MouseEvent::Kind::kRelease : MouseEvent::Kind::kPress);
  event.button = button;
  event.mods = mods;
  Of(window).mouse.push_back(event);
}

void TakeWay(GLFWwindow* window, double x, double y) {
  MouseEvent event = EventAt(window, MouseEvent::Kind::kMove);
  event.x = x;
  event.y = y;
  const bool shift =
      glfwGetKey(window, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS || glfwGetKey(window, GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS;
  event.mods = shift ? GLFW_MOD_SHIFT : 0;
  Of(window).mouse.push_back(event);
}

void TakeWheel(GLFWwindow* window, double, double by) {
  MouseEvent event = EventAt(window, MouseEvent::Kind::kWheel);
  event.by = by;
  Of(window).mouse.push_back(event);
}

}  // namespace

void Input::Connect(GLFWwindow* window) {
  glfwSetWindowUserPointer(window, this);
  glfwSetKeyCallback(window, [](GLFWwindow* at, int key, int, int action, int mods) {
    if (action != GLFW_RELEASE) Of(at).keys.push_back({key, mods});
  });
  glfwSetMouseButtonCallback(window, TakeButton);
  glfwSetCursorPosCallback(window, TakeWay);
  glfwSetScrollCallback(window, TakeWheel);
  glfwSetDropCallback(
      window, [](GLFWwindow* at, int count, const char** paths) { Of(at).dropped.assign(paths, paths + count); });
}

}  // namespace sinew
