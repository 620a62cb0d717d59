#include "viewer/window/picture.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

constexpr int kFineSamples = 4;  // of a pixel by rays, where time does not press

// The nearest size of labels.
int FontScale(int percent) {
  return std::clamp((percent + 25) / 50 * 50, static_cast<int>(mjFONTSCALE_50), static_cast<int>(mjFONTSCALE_300));
}

bool WantsRays() {
  const char* chosen = std::getenv("SINEW_RENDER");
  if (!chosen || chosen == std::string_view("auto")) return DrawsOnProcessor();
  return chosen == std::string_view("cpu");
}

}  // namespace

WindowPicture::WindowPicture() : rays_(WantsRays()) {
  setenv("SINEW_RENDER", rays_ ? "cpu" : "gl", 1);
  setenv("SINEW_LIGHT", "pixels", 0);  // no program has learned from these pictures
  mjr_defaultContext(context_.get());
}

WindowPicture::~WindowPicture() {
  if (recorder_.is_on()) recorder_.Finish();
  mjr_freeContext(context_.get());
}

void WindowPicture::Take(const mjModel* m, int text_percent, mjvScene& scene) {
  constexpr int kGeoms = 10000;
  mjtByte flags[mjNRNDFLAG];
  std::copy_n(scene.flags, mjNRNDFLAG, flags);
  mjv_makeScene(m, &scene, kGeoms);
  if (has_model_) std::copy_n(flags, mjNRNDFLAG, scene.flags);
  mjr_makeContext(m, context_.get(), FontScale(text_percent));
  has_model_ = true;
}

void WindowPicture::ChangeText(int percent) {
  if (has_model_) mjr_changeFont(FontScale(percent), context_.get());
}

std::string WindowPicture::Draw(Session& session, ViewState& view, int width, int height, int shown_width,
                                int shown_height) {
  mjv_updateScene(session.m(), session.d(), &view.option, &session.perturb, &view.camera, mjCAT_ALL, &view.scene);
  if (rays_ && (context_->offWidth != width || context_->offHeight != height)) {
    mjr_resizeOffscreen(width, height, context_.get());
  }
  if (rays_) context_->offSamples = session.paused || !kept_as_.empty() ? kFineSamples : 1;
  mjr_setBuffer(rays_ ? mjFB_OFFSCREEN : mjFB_WINDOW, context_.get());
  mjr_render({0, 0, width, height}, &view.scene, context_.get());
  const bool film = recorder_.IsDue(glfwGetTime());
  if (rays_ || film || !kept_as_.empty()) Read(width, height);
  std::string told;
  if (film && !recorder_.Add(pixels_, width, height, glfwGetTime())) {
    view.recording = false;
    told = "the size has changed: wrote " + recorder_.Finish();
  }
  if (!kept_as_.empty()) told = WriteKept(width, height);
  if (rays_) backdrop_.Show(pixels_, width, height, static_cast<float>(shown_width), static_cast<float>(shown_height));
  return told;
}

void WindowPicture::Read(int width, int height) {
  pixels_.resize(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
  mjr_readPixels(pixels_.data(), nullptr, {0, 0, width, height}, context_.get());
}

std::string WindowPicture::WriteKept(int width, int height) {
  const std::string path = std::exchange(kept_as_, "");
  try {
    WritePicture(path, width, height, Upright(pixels_, width, height));
    return "wrote " + path;
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace sinew
