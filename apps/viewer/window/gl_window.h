// A window with OpenGL 3.3, by GLFW, and what draws pictures from memory in it.
#ifndef SINEW_APPS_VIEWER_WINDOW_GL_WINDOW_H_
#define SINEW_APPS_VIEWER_WINDOW_GL_WINDOW_H_

#define GLFW_INCLUDE_GLCOREARB
#include <GLFW/glfw3.h>

#include <string>
#include <vector>

namespace sinew {

class GlfwWindow {
 public:
  // Throws std::runtime_error when there is no display or no OpenGL, with what to do. A size of 0 stands for the usual
  // one, which grows with the screen.
  GlfwWindow(int width, int height, const std::string& title);
  ~GlfwWindow();
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* get() const { return window_; }
  // The percentage at which text has its usual size on this screen.
  int text_percent() const { return text_percent_; }
  // Fills the screen, or goes back to where the window was.
  void ToggleFullScreen();

 private:
  GLFWwindow* window_ = nullptr;
  int text_percent_ = 100;
  int place_[4] = {100, 100, 1280, 800};  // of the window before it filled the screen
};

template <class F>
F GlFunction(const char* name) {
  return reinterpret_cast<F>(glfwGetProcAddress(name));
}

// Whether OpenGL of the current context runs without a graphics processor.
bool DrawsOnProcessor();

// Reads what the window shows, three bytes a pixel, from bottom to top.
void ReadWindow(int width, int height, std::vector<unsigned char>& rgb);

// A picture from memory behind the panels: rays draw where there is no graphics processor.
class Backdrop {
 public:
  void Show(const std::vector<unsigned char>& rgb, int width, int height, float shown_width, float shown_height);

 private:
  GLuint texture_ = 0;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_WINDOW_GL_WINDOW_H_
