// Shares the pieces of a loop among threads; the first error in the order of the pieces is thrown at the end.
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "core/load_limits.h"
#include "core/thread_pool.h"

namespace sinew::inline core {
namespace {

// A loop in pieces on several threads: keeps the exception of each piece until all are done.
class Loop {
 public:
  Loop(size_t count, const std::function<void(size_t)>& work) : work_(work), errors_(count) {}

  // The threads take part in the load of the one that began the loop.
  void RunPiece(size_t i) {
    const LoadMember member(load_);
    try {
      work_(i);
    } catch (...) {
      errors_[i] = std::current_exception();
    }
  }

  // Several errors leave as that of the first piece.
  void Rethrow() const {
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  const std::function<void(size_t)>& work_;
  std::vector<std::exception_ptr> errors_;  // by piece
  const std::shared_ptr<Load> load_ = CurrentLoad();
};

// Pieces of a loop on several threads, each of which takes the next free piece.
struct PooledLoop {
  int count;
  void (*work)(void* context, int i);
  void* context;
  std::atomic<int> next{0};

  void Run() {
    for (int i = next++; i < count; i = next++) work(context, i);
  }
};

void* RunPooled(void* loop) {
  static_cast<PooledLoop*>(loop)->Run();
  return nullptr;
}

}  // namespace

void ParallelFor(size_t count, const std::function<void(size_t)>& work) {
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const size_t helpers = std::min(count, processors) - std::min<size_t>(count, 1);
  if (helpers == 0) return SerialFor(count, work);

  Loop loop(count, work);
  ThreadPool pool(helpers);
  PooledFor(
      pool, static_cast<int>(count),
      [](void* context, int i) { static_cast<Loop*>(context)->RunPiece(static_cast<size_t>(i)); }, &loop);
  loop.Rethrow();
}

void PooledFor(mjThreadPool& pool, int count, void (*work)(void* context, int i), void* context) {
  PooledLoop loop{count, work, context};
  mjTask tasks[mjMAXTHREAD];
  const int helpers = std::min(pool.nworker, count - 1);
  for (int i = 0; i < helpers; ++i) {
    tasks[i] = {RunPooled, &loop, mjTASK_NEW};
    static_cast<ThreadPool&>(pool).Enqueue(&tasks[i]);
  }
  loop.Run();
  for (int i = 0; i < helpers; ++i) Join(tasks[i]);
}

void SerialFor(size_t count, const std::function<void(size_t)>& work) {
  Loop loop(count, work);
  for (size_t i = 0; i < count; ++i) loop.RunPiece(i);
  loop.Rethrow();
}

}  // namespace sinew::inline core
