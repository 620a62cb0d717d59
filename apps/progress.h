// A progress bar on the standard error stream: redrawn in place on a terminal, a line per tenth elsewhere.
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
  long next_line_ = 0;
  std::chrono::steady_clock::time_point begin_, drawn_;
};

}  // namespace sinew

#endif  // SINEW_APPS_PROGRESS_H_
