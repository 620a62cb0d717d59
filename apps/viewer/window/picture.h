// The picture of the model in the window, its screenshots and videos.
#ifndef SINEW_APPS_VIEWER_WINDOW_PICTURE_H_
#define SINEW_APPS_VIEWER_WINDOW_PICTURE_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

#include "viewer/session/session.h"
#include "viewer/view_state.h"
#include "viewer/window/gl_window.h"
#include "viewer/window/recorder.h"

namespace sinew {

class WindowPicture {
 public:
  // Needs a current context. Pictures are drawn by rays where OpenGL has no graphics processor, or SINEW_RENDER says
  // so.
  WindowPicture();
  ~WindowPicture();
  WindowPicture(const WindowPicture&) = delete;
  WindowPicture& operator=(const WindowPicture&) = delete;

  // Prepares for a model; text_percent: of its labels
  void Take(const mjModel* m, int text_percent, mjvScene& scene);
  bool has_model() const { return has_model_; }
  void ChangeText(int percent);

  // Draws the model into the window, behind the panels of the frame that is open, and writes what is due. Returns what
  // there is to tell, or "". width and height of the picture, shown_...: of the window [pixel]
  std::string Draw(Session& session, ViewState& view, int width, int height, int shown_width, int shown_height);

  // Writes the next picture to a file, without panels.
  void Keep(const std::string& path) { kept_as_ = path; }
  Recorder& recorder() { return recorder_; }

 private:
  // Reads the picture that was drawn.
  void Read(int width, int height);
  std::string WriteKept(int width, int height);

  std::unique_ptr<mjrContext> context_ = std::make_unique<mjrContext>();  // too large for the stack
  Backdrop backdrop_;
  Recorder recorder_;
  std::vector<unsigned char> pixels_;  // of the last picture, from bottom to top
  std::string kept_as_;
  bool rays_ = false, has_model_ = false;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_WINDOW_PICTURE_H_
