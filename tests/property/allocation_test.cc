// A step allocates nothing: everything lives in mjData.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <string>

#include "tests/testing/model.h"

namespace {

std::atomic<long> allocations{0};

void* Count(size_t size) {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}

}  // namespace

[[gnu::noinline]] void* operator new(size_t size) {
  if (void* p = Count(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept { return Count(size); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }

namespace sinew {
namespace {

// How often memory is asked for in some steps, by the engine's allocator or by operator new.
long AllocationsOfSteps(World& w, int steps) {
  mju_user_malloc = Count;
  const long before = allocations;
  for (int i = 0; i < steps; ++i) mj_step(w.m.get(), w.d.get());
  mju_user_malloc = nullptr;
  return allocations - before;
}

class AllocationOfSolvers : public testing::TestWithParam<int> {};

TEST_P(AllocationOfSolvers, AStepAllocatesNothing) {
  World w(ModelFromFile("humanoid.xml"));
  w.m->opt.solver = GetParam();
  mj_resetDataKeyframe(w.m.get(), w.d.get(), 1);
  EXPECT_EQ(AllocationsOfSteps(w, 500), 0);
  EXPECT_GT(w.d->ncon, 0);
}

// Tables of hulls are made with the world.
TEST(Allocation, NorDoesTheFirstContactOfHulls) {
  std::string vertices;
  for (int i = 0; i < 100; ++i) {
    const double z = (i + 0.5) / 50 - 1, r = std::sqrt(1 - z * z);
    for (const double x : {r * std::cos(2.4 * i), r * std::sin(2.4 * i), z}) vertices += std::to_string(0.1 * x) + " ";
  }
  const std::string body = "<freejoint/><geom type='mesh' mesh='ball'/></body>";
  World w(ModelFromText("<mujoco><asset><mesh name='ball' vertex='" + vertices +
                        "'/></asset><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .2'>" + body +
                        "<body pos='.1 0 .35'>" + body + "</worldbody></mujoco>"));
  EXPECT_EQ(AllocationsOfSteps(w, 300), 0);
  EXPECT_GT(w.d->ncon, 0);
}

INSTANTIATE_TEST_SUITE_P(Solvers, AllocationOfSolvers, testing::Values(mjSOL_PGS, mjSOL_CG, mjSOL_NEWTON));

}  // namespace
}  // namespace sinew
