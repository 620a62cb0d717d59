#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>

namespace sinew {
namespace {

// A context is too large for the stack.
std::unique_ptr<mjrContext> GarbageContext() {
  auto context = std::make_unique<mjrContext>();
  std::fill_n(reinterpret_cast<unsigned char*>(context.get()), sizeof(mjrContext), static_cast<unsigned char>(0xAB));
  return context;
}

bool IsZero(const mjrContext& context) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&context);
  return std::all_of(bytes, bytes + sizeof(mjrContext), [](unsigned char byte) { return byte == 0; });
}

TEST(ContextTest, DefaultIsZero) {
  const auto context = GarbageContext();
  mjr_defaultContext(context.get());
  EXPECT_TRUE(IsZero(*context));
}

TEST(ContextTest, UnmadeContextIsFreedAsOftenAsOneLikes) {
  const auto context = GarbageContext();
  mjr_defaultContext(context.get());
  mjr_freeContext(context.get());
  mjr_freeContext(context.get());
  EXPECT_TRUE(IsZero(*context));
}

}  // namespace
}  // namespace sinew
