#include "viewer/window/recorder.h"

#include <algorithm>
#include <filesystem>

namespace sinew {

std::vector<unsigned char> Upright(const std::vector<unsigned char>& rgb, int width, int height) {
  std::vector<unsigned char> rows(rgb.size());
  const size_t row = 3 * static_cast<size_t>(width);
  for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
    std::copy_n(rgb.begin() + static_cast<long>(y * row), row,
                rows.begin() + static_cast<long>((static_cast<size_t>(height) - 1 - y) * row));
  }
  return rows;
}

std::string NextFile(const std::string& stem, const std::string& extension) {
  for (int i = 1;; ++i) {
    std::string path = stem + "-" + std::to_string(i) + extension;
    if (!std::filesystem::exists(path)) return path;
  }
}

void Recorder::Start(const std::string& path, int width, int height, double now) {
  video_ = std::make_unique<VideoWriter>(path, width, height, kRate);
  path_ = path;
  width_ = width;
  height_ = height;
  next_ = now;
}

std::string Recorder::Finish() {
  video_->Finish();
  video_.reset();
  return path_;
}

bool Recorder::Add(const std::vector<unsigned char>& rgb, int width, int height, double now) {
  if (width != width_ || height != height_) return false;
  const std::vector<unsigned char> rows = Upright(rgb, width, height);
  for (; next_ <= now; next_ += 1.0 / kRate) video_->Add(rows);
  return true;
}

}  // namespace sinew
