#include "core/handlers.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>

#include "capi/boundary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/warning.h"
#include "model/storage/data.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

std::string last_text;
std::jmp_buf jump;

void Keep(const char* text) { last_text = text; }
void KeepAndJump(const char* text) {
  last_text = text;
  std::longjmp(jump, 1);
}

class HandlersTest : public testing::Test {
 protected:
  void SetUp() override { last_text.clear(); }
  void TearDown() override {
    ClearHandlers();
    SetThreadErrorHandler(nullptr);
    SetThreadWarningHandler(nullptr);
  }
};

TEST_F(HandlersTest, ErrorsGoToTheUsersHandlerWhichMayReturn) {
  mju_user_error = Keep;
  mju_error("bad %s number %d", "index", 7);
  EXPECT_EQ(last_text, "bad index number 7");
  mju_error_i("number %d", 3);
  EXPECT_EQ(last_text, "number 3");
  mju_error_s("text %s", "x");
  EXPECT_EQ(last_text, "text x");
}

TEST_F(HandlersTest, HandlerOfTheThreadGoesFirstAndIsOfThatThreadOnly) {
  mju_user_warning = Keep;
  SetThreadWarningHandler([](const char*) { last_text = "thread"; });
  mju_warning("process");
  EXPECT_EQ(last_text, "thread");
  std::thread([] { mju_warning("process"); }).join();
  EXPECT_EQ(last_text, "process");
}

TEST_F(HandlersTest, LongTextsAreCut) {
  mju_user_error = Keep;
  mju_error("%s", std::string(5000, 'x').c_str());
  EXPECT_EQ(last_text.size(), 1023);
}

TEST_F(HandlersTest, WithoutAHandlerAnErrorEndsTheProcess) {
  EXPECT_EXIT(mju_error("the end"), testing::ExitedWithCode(EXIT_FAILURE), "");
}

// What has a destructor must be gone when the handler leaves by longjmp.
struct Counted {
  static inline int alive = 0;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};

TEST_F(HandlersTest, BoundaryDestroysEverythingBeforeItCallsTheHandler) {
  mju_user_error = KeepAndJump;
  if (setjmp(jump) == 0) {
    capi::Guard("function", [] {
      const Counted counted;
      throw Error("problem", "remedy");
    });
    FAIL() << "the handler was not called";
  }
  EXPECT_EQ(last_text, "function: problem; remedy");
  EXPECT_EQ(Counted::alive, 0);
}

TEST_F(HandlersTest, FullStackIsReportedByItsOwnName) {
  mju_user_error = Keep;
  capi::Guard("function", [] { throw StackOverflow("full"); });
  EXPECT_EQ(last_text, "mj_stackAlloc: full");
}

TEST_F(HandlersTest, ExceptionsOfCallbacksPass) {
  struct OfAProgram {};
  EXPECT_THROW(capi::Guard("function", [] { throw OfAProgram(); }), OfAProgram);
}

TEST_F(HandlersTest, BoundaryReturnsZeroWhenTheHandlerReturns) {
  mju_user_error = Keep;
  EXPECT_EQ(capi::Guard("function", []() -> int { throw Error("problem"); }), 0);
  EXPECT_EQ(capi::Guard("function", [] { return 5; }), 5);
}

TEST_F(HandlersTest, BoundaryFillsATextOfAnyCapacity) {
  char text[5] = "old";
  const auto fail = []() -> int { throw Error("problem"); };
  EXPECT_EQ(capi::GuardWithText("function", text, sizeof(text), -1, fail), -1);
  EXPECT_STREQ(text, "prob");
  EXPECT_EQ(capi::GuardWithText("function", nullptr, 0, -1, fail), -1);
  EXPECT_EQ(capi::GuardWithText("function", text, sizeof(text), -1, [] { return 2; }), 2);
  EXPECT_STREQ(text, "");
}

TEST_F(HandlersTest, WarningsOfAWorldAreCountedAndReportedOnce) {
  mju_user_warning = Keep;
  const ModelPtr m = MakeSmallModel();
  const DataPtr d(MakeData(*m));
  d->time = 1.5;
  RaiseWarning(d.get(), mjWARN_BADQVEL, 3);
  EXPECT_EQ(last_text, "Nan, Inf or huge value in QVEL at DOF 3. The simulation is unstable. Time = 1.5000.");
  last_text.clear();
  RaiseWarning(d.get(), mjWARN_BADQVEL, 4);
  EXPECT_EQ(last_text, "");
  EXPECT_EQ(d->warning[mjWARN_BADQVEL].number, 2);
  EXPECT_EQ(d->warning[mjWARN_BADQVEL].lastinfo, 4);
}

TEST_F(HandlersTest, UnknownWarningsHaveAText) {
  EXPECT_STREQ(WarningText(mjNWARNING, 0), "Unknown warning type 7.");
  EXPECT_STREQ(WarningText(-1, 0), "Unknown warning type -1.");
}

size_t requested = 0;
int freed = 0;

TEST_F(HandlersTest, UsersFunctionsReplaceTheHeap) {
  mju_user_malloc = [](size_t bytes) {
    requested = bytes;
    return std::aligned_alloc(64, bytes);
  };
  mju_user_free = [](void* memory) {
    ++freed;
    std::free(memory);
  };
  void* memory = mju_malloc(100);
  EXPECT_EQ(requested, 128) << "rounded up to a multiple of the alignment";
  mju_free(memory);
  mju_free(nullptr);
  EXPECT_EQ(freed, 1);
}

TEST(MemoryTest, IsAlignedAndEndsInAnError) {
  for (const size_t bytes : {1, 63, 64, 1000}) {
    const MemoryPtr<void> memory(AllocateMemory(bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.get()) % 64, 0);
  }
  EXPECT_EQ(AllocateMemory(0), nullptr);
  EXPECT_THROW(AllocateMemory(SIZE_MAX), Error);
  EXPECT_THROW(AllocateMemory(SIZE_MAX / 2 + 1), Error);
  mju_user_malloc = [](size_t) -> void* { return nullptr; };
  EXPECT_THROW(AllocateMemory(1), Error);
  mju_user_malloc = nullptr;
}

}  // namespace
}  // namespace sinew
