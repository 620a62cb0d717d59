// A progress bar on the standard error stream, redrawn in place; nothing where that is no terminal.
#ifndef SINEW_APPS_PROGRESS_H_
#define SINEW_APPS_PROGRESS_H_

#include <chrono>
#include <string>

namespace sinew {

class Progress {
 public:
  Progress(std::string label, long total);
  void Update(long done);
  void Finish();

 private:
  void Draw(long done);

  std::string label_;
  long total_;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_, drawn_;
};

}  // namespace sinew

#endif  // SINEW_APPS_PROGRESS_H_
