// Pictures and videos of what a window shows.
#ifndef SINEW_APPS_VIEWER_WINDOW_RECORDER_H_
#define SINEW_APPS_VIEWER_WINDOW_RECORDER_H_

#include <memory>
#include <string>
#include <vector>

#include "picture_file.h"

namespace sinew {

// Rows from top to bottom of a picture whose rows are from bottom to top, three bytes a pixel.
std::vector<unsigned char> Upright(const std::vector<unsigned char>& rgb, int width, int height);

// STEM-1.EXTENSION, or the first number for which there is no file.
std::string NextFile(const std::string& stem, const std::string& extension);

// A video with kRate pictures for each second of the clock, however many are shown.
class Recorder {
 public:
  static constexpr int kRate = 30;

  // Throws std::runtime_error when it cannot be written. `now`: seconds of the clock
  void Start(const std::string& path, int width, int height, double now);
  // Without it, the video is not complete. Returns its path.
  std::string Finish();
  bool is_on() const { return video_ != nullptr; }
  bool IsDue(double now) const { return video_ && now >= next_; }
  // Whether a picture of this size fits, which is from bottom to top; if so, it is added.
  bool Add(const std::vector<unsigned char>& rgb, int width, int height, double now);

 private:
  std::unique_ptr<VideoWriter> video_;
  std::string path_;
  int width_ = 0, height_ = 0;
  double next_ = 0;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_WINDOW_RECORDER_H_
