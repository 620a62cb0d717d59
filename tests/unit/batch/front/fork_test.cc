// What holds threads works in a process that was forked from the one that made it, as Python's multiprocessing forks
// them, or says why not; nothing waits for threads that are not there.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "batch/front/worlds.h"
#include "core/error.h"
#include "core/thread_pool.h"

namespace sinew {
namespace {

#if defined(__SANITIZE_THREAD__)
#define SINEW_SKIP_IN_SANITIZERS GTEST_SKIP() << "the thread sanitizer has no threads behind a fork"
#elif defined(__SANITIZE_ADDRESS__)
#define SINEW_SKIP_IN_SANITIZERS GTEST_SKIP() << "the address sanitizer forks with locks that other threads may hold"
#else
#define SINEW_SKIP_IN_SANITIZERS static_cast<void>(0)
#endif

constexpr int kWorlds = 40, kThreads = 3;

// Runs `work` in a child of this process and returns whether it said true before it was 20 s old.
bool HoldsInChild(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    bool holds = false;
    try {
      holds = work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    _exit(holds ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

ModelPtr Scene() {
  constexpr char kText[] = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1"/><body pos=".2 0 0"><joint axis="0 1 0"/><geom size=".03"/></body></body>
    <body pos="1 0 .1"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>)";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "scene.xml", kText, sizeof(kText) - 1);
  char error[500] = "";
  ModelPtr m(mj_loadXML("scene.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  EXPECT_NE(m.get(), nullptr) << error;
  return m;
}

std::vector<double> StatesOf(Worlds& worlds) {
  return {worlds.states(), worlds.states() + static_cast<ptrdiff_t>(worlds.count()) * worlds.state_size()};
}

// Hands tasks to a pool and waits for them.
bool Doubles(ThreadPool& pool) {
  int values[50];
  mjTask tasks[50];
  for (int i = 0; i < 50; ++i) {
    values[i] = i;
    tasks[i] = {[](void* value) -> void* {
                  *static_cast<int*>(value) *= 2;
                  return nullptr;
                },
                &values[i], mjTASK_NEW};
    pool.Enqueue(&tasks[i]);
  }
  for (const mjTask& task : tasks) Join(task);
  for (int i = 0; i < 50; ++i) {
    if (values[i] != 2 * i) return false;
  }
  return true;
}

TEST(Fork, PoolsHaveThreadsInChildrenAndTheirChildren) {
  SINEW_SKIP_IN_SANITIZERS;
  ThreadPool pool(kThreads);
  ASSERT_TRUE(Doubles(pool));
  EXPECT_TRUE(HoldsInChild([&] { return Doubles(pool) && HoldsInChild([&] { return Doubles(pool); }); }));
  EXPECT_TRUE(Doubles(pool));  // the parent's threads are as they were
}

TEST(Fork, PoolsAreDeletedInChildrenThatDoNotUseThem) {
  SINEW_SKIP_IN_SANITIZERS;
  auto pool = std::make_unique<ThreadPool>(kThreads);
  EXPECT_TRUE(HoldsInChild([&] {
    pool.reset();
    return true;
  }));
}

TEST(Fork, WorldsGoOnWithTheNumbersOfTheParent) {
  SINEW_SKIP_IN_SANITIZERS;
  const ModelPtr m = Scene();
  for (const bool persistent : {false, true}) {
    Worlds worlds(*m, kWorlds, {.threads = kThreads, .persistent = persistent});
    Worlds same(*m, kWorlds, {.threads = kThreads, .persistent = persistent});
    worlds.Step({}, 5, mjSTAGE_NONE);
    same.Step({}, 10, mjSTAGE_NONE);
    EXPECT_TRUE(HoldsInChild([&] {
      worlds.Step({}, 3, mjSTAGE_NONE);
      worlds.StepAsync({}, 2, mjSTAGE_NONE);
      worlds.Wait();
      return StatesOf(worlds) == StatesOf(same);
    }));
    worlds.Step({}, 5, mjSTAGE_NONE);
    EXPECT_EQ(StatesOf(worlds), StatesOf(same));
  }
}

TEST(Fork, StepsOfOneWorldUseTheirPool) {
  SINEW_SKIP_IN_SANITIZERS;
  const ModelPtr m = Scene();
  const DataPtr d(mj_makeData(m.get())), alone(mj_makeData(m.get()));
  mjThreadPool* pool = mju_threadPoolCreate(kThreads);
  mju_bindThreadPool(d.get(), pool);
  for (int i = 0; i < 20; ++i) mj_step(m.get(), alone.get());
  EXPECT_TRUE(HoldsInChild([&] {
    for (int i = 0; i < 20; ++i) mj_step(m.get(), d.get());
    return std::equal(d->qpos, d->qpos + m->nq, alone->qpos);
  }));
  d->threadpool = 0;
  mju_threadPoolDestroy(pool);
}

// Its end is in the parent: the child is told once, and has worlds that work.
TEST(Fork, AStepThatIsUnderWayIsAnErrorInTheChild) {
  SINEW_SKIP_IN_SANITIZERS;
  const ModelPtr m = Scene();
  Worlds worlds(*m, kWorlds, {.threads = kThreads});
  worlds.StepAsync({}, 200, mjSTAGE_NONE);
  const auto refuses = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what()).find("when this process was forked") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(HoldsInChild([&] {
    if (!refuses([&] { worlds.Wait(); })) return false;
    worlds.Reset({}, nullptr, mjSTAGE_NONE);
    return worlds.Step({}, 1, mjSTAGE_NONE) == 0;
  }));
  EXPECT_TRUE(HoldsInChild([&] { return refuses([&] { worlds.Step({}, 1, mjSTAGE_NONE); }); }));
  EXPECT_TRUE(HoldsInChild([&] { return refuses([&] { worlds.StepAsync({}, 1, mjSTAGE_NONE); }); }));
  EXPECT_EQ(worlds.Wait(), 0);
}

}  // namespace
}  // namespace sinew
