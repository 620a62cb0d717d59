// Threads wait for tasks in a queue; whoever joins a task waits for that one only.
#include "core/thread_pool.h"

#include <algorithm>

#include "core/error.h"
#include "core/fork.h"

namespace sinew::inline core {
namespace {

// The pool that the calling thread works for, and its number there.
thread_local const mjThreadPool* current_pool = nullptr;
thread_local int current_worker = 0;

// A worker looks this often for its next task, giving way to other threads in between, before it sleeps: it is still
// awake when a batch is stepped again at once. That takes some tens of microseconds, as long as waking a thread does.
constexpr int kLooks = 100;

// mjTask is a C struct, so its status is accessed through the compiler's atomics. The release in SetStatus makes the
// task's results visible to whoever acquires the status.
int Status(const mjTask& task) { return __atomic_load_n(&task.status, __ATOMIC_ACQUIRE); }
void SetStatus(mjTask& task, mjtTaskStatus status) { __atomic_store_n(&task.status, status, __ATOMIC_RELEASE); }

void Execute(mjTask& task) {
  task.args = task.func(task.args);
  SetStatus(task, mjTASK_COMPLETED);
}

}  // namespace

ThreadPool::ThreadPool(size_t threads) {
  nworker = static_cast<int>(std::min<size_t>(threads, mjMAXTHREAD));
  Start();
}

void ThreadPool::Start() {
  shared_ = std::make_unique<Shared>();
  shared_->threads.reserve(static_cast<size_t>(nworker));
  for (int worker = 1; worker <= nworker; ++worker) shared_->threads.emplace_back(&ThreadPool::Work, this, worker);
  forks_ = ForksSoFar();
}

ThreadPool::~ThreadPool() {
  if (forks_ != ForksSoFar()) {
    static_cast<void>(shared_.release());  // threads that are not there cannot be joined
    return;
  }
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->ending = true;
  }
  shared_->wake.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

void ThreadPool::Enqueue(mjTask* task) {
  if (!task->func) throw Error("task has no function", "set func of argument 'task'");
  if (Status(*task) != mjTASK_NEW) throw Error("task is not new", "call mju_defaultTask before it is enqueued again");
  if (forks_.load(std::memory_order_relaxed) != ForksSoFar()) {
    static_cast<void>(shared_.release());
    Start();
  }
  SetStatus(*task, mjTASK_QUEUED);
  {
    std::unique_lock lock(shared_->mutex);
    if (shared_->count == Shared::kCapacity || shared_->threads.empty()) {
      lock.unlock();
      Execute(*task);
      return;
    }
    shared_->queue[(shared_->first + shared_->count) % Shared::kCapacity] = task;
    ++shared_->count;
  }
  shared_->wake.notify_one();
}

void ThreadPool::Work(int worker) {
  current_pool = this;
  current_worker = worker;
  Shared& shared = *shared_;
  for (;;) {
    for (int look = 0; look < kLooks && shared.count.load(std::memory_order_relaxed) == 0; ++look) {
      std::this_thread::yield();
    }
    std::unique_lock lock(shared.mutex);
    shared.wake.wait(lock, [&] { return shared.count > 0 || shared.ending; });
    if (shared.count == 0) return;
    mjTask* task = shared.queue[shared.first];
    shared.first = (shared.first + 1) % Shared::kCapacity;
    --shared.count;
    lock.unlock();
    Execute(*task);
  }
}

void Join(const mjTask& task) {
  while (Status(task) != mjTASK_COMPLETED) std::this_thread::yield();
}

int WorkerOf(const mjThreadPool& pool) { return current_pool == &pool ? current_worker : 0; }

}  // namespace sinew::inline core
