// A fixed set of threads that execute tasks in the order in which they are handed over.
//
//   caller:    Enqueue(a) Enqueue(b) Enqueue(c)   ...own work...   Join(a) Join(b) Join(c)
//   worker 1:             [ a ]      [ c ]
//   worker 2:             [ b      ]
//
// Which worker runs a task is chance; results must not depend on it. Tasks write disjoint outputs and take their
// scratch memory from the stack of the thread that runs them (core/stack.h).
#ifndef SINEW_CORE_THREAD_POOL_H_
#define SINEW_CORE_THREAD_POOL_H_

#include <mujoco/mujoco.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew::inline core {

// The part that the C interface shows (mjThreadPool) is the base: mjThreadPool* and ThreadPool* convert.
//
// In a process that was forked from the one that made the pool, threads are made anew when the first task is handed
// over. Tasks that the parent had not joined by then are not executed there.
class ThreadPool : public mjThreadPool {
 public:
  // There may be at most mjMAXTHREAD threads.
  explicit ThreadPool(size_t threads);
  // Executes what is still queued, then ends the threads.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Hands over a new task, which must live until it is joined; throws when it is not new. With a full queue the calling
  // thread executes it, so that a task may itself enqueue tasks.
  void Enqueue(mjTask* task);

 private:
  // State that the threads share. It is allocated apart, since its locks may be in any state after a fork: the child
  // does not use it and makes another one.
  struct Shared {
    static constexpr size_t kCapacity = 640;

    std::mutex mutex;
    std::condition_variable wake;
    std::array<mjTask*, kCapacity> queue;  // ring buffer: enqueueing allocates nothing
    size_t first = 0;
    std::atomic<size_t> count{0};  // written under the mutex, read by workers that look for tasks without it
    bool ending = false;
    std::vector<std::thread> threads;
  };

  void Start();
  void Work(int worker);

  std::unique_ptr<Shared> shared_;
  std::atomic<int> forks_;  // ForksSoFar() when the threads were made
};

// Waits until a task is done. Only tasks that were handed to a pool may be waited for.
void Join(const mjTask& task);

// 1 to nworker in the threads of this pool, 0 in all others.
int WorkerOf(const mjThreadPool& pool);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_THREAD_POOL_H_
