#include "core/thread_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/error.h"
#include "core/stack.h"
#include "model/storage/data.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

void* Double(void* argument) {
  *static_cast<int*>(argument) *= 2;
  return nullptr;
}

TEST(ThreadPoolTest, ExecutesEveryTaskOnce) {
  // More tasks than the queue holds, with fewer and more threads than processors.
  for (const size_t threads : {0, 1, 2, 7}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.nworker, threads);
    std::vector<int> values(2000, 1);
    std::vector<mjTask> tasks(values.size());
    for (size_t i = 0; i < tasks.size(); ++i) {
      tasks[i] = {Double, &values[i], mjTASK_NEW};
      pool.Enqueue(&tasks[i]);
    }
    for (const mjTask& task : tasks) Join(task);
    for (const int value : values) ASSERT_EQ(value, 2);
  }
}

TEST(ThreadPoolTest, TaskKeepsItsResult) {
  ThreadPool pool(1);
  int value = 0;
  mjTask task = {[](void* argument) { return argument; }, &value, mjTASK_NEW};
  pool.Enqueue(&task);
  Join(task);
  EXPECT_EQ(task.args, &value);
  EXPECT_EQ(task.status, mjTASK_COMPLETED);
}

TEST(ThreadPoolTest, OnlyNewTasksAreTaken) {
  ThreadPool pool(1);
  int value = 1;
  mjTask task = {Double, &value, mjTASK_NEW};
  pool.Enqueue(&task);
  Join(task);
  EXPECT_THROW(pool.Enqueue(&task), Error);
}

TEST(ThreadPoolTest, HasAtMostTheDocumentedThreads) { EXPECT_EQ(ThreadPool(1000).nworker, mjMAXTHREAD); }

TEST(ThreadPoolTest, EndingExecutesWhatIsQueued) {
  std::vector<int> values(100, 1);
  std::vector<mjTask> tasks(values.size());
  {
    ThreadPool pool(2);
    for (size_t i = 0; i < tasks.size(); ++i) {
      tasks[i] = {Double, &values[i], mjTASK_NEW};
      pool.Enqueue(&tasks[i]);
    }
  }
  for (const int value : values) EXPECT_EQ(value, 2);
}

// What a task needs to use the stack of a world.
struct StackUser {
  mjData* d;
  const mjThreadPool* pool;
  int sum;
  bool was_worker;

  static void* Run(void* argument) {
    StackUser& user = *static_cast<StackUser*>(argument);
    user.was_worker = WorkerOf(*user.pool) > 0;
    StackFrame frame(user.d);
    int* numbers = frame.Ints(100);
    for (int i = 0; i < 100; ++i) numbers[i] = i;
    for (int i = 0; i < 100; ++i) user.sum += numbers[i];
    return nullptr;
  }
};

TEST(ThreadPoolTest, EveryThreadHasAStackOfItsOwn) {
  const ModelPtr m = MakeSmallModel();
  const DataPtr d(MakeData(*m));
  ThreadPool pool(3);
  d->threadpool = reinterpret_cast<uintptr_t>(static_cast<mjThreadPool*>(&pool));
  StackFrame frame(d.get());
  int* mine = frame.Ints(1);
  *mine = 42;
  const size_t used = d->pstack;
  std::vector<StackUser> users(500, StackUser{d.get(), &pool, 0, false});
  std::vector<mjTask> tasks(users.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    tasks[i] = {StackUser::Run, &users[i], mjTASK_NEW};
    pool.Enqueue(&tasks[i]);
  }
  for (const mjTask& task : tasks) Join(task);
  for (const StackUser& user : users) {
    EXPECT_EQ(user.sum, 4950);
    EXPECT_TRUE(user.was_worker);
  }
  EXPECT_EQ(*mine, 42);
  EXPECT_EQ(d->pstack, used) << "workers do not use the main stack";
  EXPECT_EQ(WorkerOf(pool), 0);
}

}  // namespace
}  // namespace sinew
