#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "core/thread_pool.h"

namespace sinew {
namespace {

// A loop that several threads work off, piece by piece.
class Loop {
 public:
  Loop(size_t count, const std::function<void(size_t)>& work) : work_(work), errors_(count) {}

  // Takes pieces until none is left.
  void Run() {
    for (size_t i = next_++; i < errors_.size(); i = next_++) {
      try {
        work_(i);
      } catch (...) {
        errors_[i] = std::current_exception();
      }
    }
  }

  // Of several errors, the one of the first piece.
  void Rethrow() const {
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  const std::function<void(size_t)>& work_;
  std::atomic<size_t> next_{0};
  std::vector<std::exception_ptr> errors_;  // by piece
};

void* RunTask(void* loop) {
  static_cast<Loop*>(loop)->Run();
  return nullptr;
}

}  // namespace

void ParallelFor(size_t count, const std::function<void(size_t)>& work) {
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const size_t helpers = std::min(count, processors) - std::min<size_t>(count, 1);
  if (helpers == 0) return SerialFor(count, work);

  Loop loop(count, work);
  std::vector<mjTask> tasks(helpers, mjTask{RunTask, &loop, mjTASK_NEW});
  {
    ThreadPool pool(helpers);
    for (mjTask& task : tasks) pool.Enqueue(&task);
    loop.Run();
  }
  loop.Rethrow();
}

void SerialFor(size_t count, const std::function<void(size_t)>& work) {
  Loop loop(count, work);
  loop.Run();
  loop.Rethrow();
}

}  // namespace sinew
