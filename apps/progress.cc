#include "progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace sinew {
namespace {

constexpr int kWidth = 40;
constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(std::string label, long total)
    : label_(std::move(label)), total_(total > 0 ? total : 1), terminal_(isatty(STDERR_FILENO) != 0) {
  begin_ = drawn_ = std::chrono::steady_clock::now();
}

void Progress::Update(long done) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < kInterval) return;
  drawn_ = now;
  Draw(done);
}

void Progress::Finish() {
  if (!terminal_) return;
  Draw(total_);
  std::fputc('\n', stderr);
}

void Progress::Draw(long done) {
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double left = done > 0 ? elapsed * static_cast<double>(total_ - done) / static_cast<double>(done) : 0;
  const int filled = static_cast<int>(kWidth * done / total_);
  std::string bar(static_cast<size_t>(filled), '#');
  bar.resize(kWidth, '.');
  std::fprintf(stderr, "\r%s [%s] %3ld %%  %.1f s left ", label_.c_str(), bar.c_str(), 100 * done / total_, left);
  std::fflush(stderr);
}

}  // namespace sinew
