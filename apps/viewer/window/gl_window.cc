#include "viewer/window/gl_window.h"

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "viewer/panels/style.h"

namespace sinew {
namespace {

std::string LastError() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "unknown";
}

void StartGlfw() {
  if (glfwInit()) return;
  throw std::runtime_error("there is no display for a window (" + LastError() +
                           "): start it from a desktop or with xvfb-run; without one, use sinew render or sinew "
                           "simulate --video");
}

// Of the first screen; 100 percent without one.
int TextPercentOfScreen() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return 100;
  float scale = 1, unused = 1;
  glfwGetMonitorContentScale(monitor, &scale, &unused);
  return UsualTextPercent(scale, mode->height);
}

}  // namespace

GlfwWindow::GlfwWindow(int width, int height, const std::string& title) {
  StartGlfw();
  text_percent_ = TextPercentOfScreen();
  if (width == 0) width = 1280 * text_percent_ / 100;
  if (height == 0) height = 800 * text_percent_ / 100;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_STENCIL_BITS, 8);
  glfwWindowHint(GLFW_SAMPLES, 4);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string error = LastError();
    glfwTerminate();
    throw std::runtime_error("no window with OpenGL 3.3 could be opened (" + error +
                             "): install a graphics driver, or libgl1-mesa-dri for drawing on the processor");
  }
  glfwMakeContextCurrent(window_);
}

GlfwWindow::~GlfwWindow() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlfwWindow::ToggleFullScreen() {
  if (glfwGetWindowMonitor(window_)) {
    glfwSetWindowMonitor(window_, nullptr, place_[0], place_[1], place_[2], place_[3], 0);
    return;
  }
  glfwGetWindowPos(window_, &place_[0], &place_[1]);
  glfwGetWindowSize(window_, &place_[2], &place_[3]);
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (mode) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool DrawsOnProcessor() {
  const auto get = GlFunction<PFNGLGETSTRINGPROC>("glGetString");
  const auto* name = reinterpret_cast<const char*>(get(GL_RENDERER));
  return name && std::string_view(name).find("llvmpipe") != std::string_view::npos;
}

void ReadWindow(int width, int height, std::vector<unsigned char>& rgb) {
  rgb.resize(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
  GlFunction<PFNGLPIXELSTOREIPROC>("glPixelStorei")(GL_PACK_ALIGNMENT, 1);
  GlFunction<PFNGLREADPIXELSPROC>("glReadPixels")(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
}

void Backdrop::Show(const std::vector<unsigned char>& rgb, int width, int height, float shown_width,
                    float shown_height) {
  const auto bind = GlFunction<PFNGLBINDTEXTUREPROC>("glBindTexture");
  const auto parameter = GlFunction<PFNGLTEXPARAMETERIPROC>("glTexParameteri");
  if (!texture_) GlFunction<PFNGLGENTEXTURESPROC>("glGenTextures")(1, &texture_);
  bind(GL_TEXTURE_2D, texture_);
  parameter(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  parameter(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  GlFunction<PFNGLPIXELSTOREIPROC>("glPixelStorei")(GL_UNPACK_ALIGNMENT, 1);
  GlFunction<PFNGLTEXIMAGE2DPROC>("glTexImage2D")(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE,
                                                  rgb.data());
  bind(GL_TEXTURE_2D, 0);
  const auto id = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture_));
  ImGui::GetBackgroundDrawList()->AddImage(id, ImVec2(0, 0), ImVec2(shown_width, shown_height), ImVec2(0, 1),
                                           ImVec2(1, 0));
}

}  // namespace sinew
