// Random sequences of calls of every function of the C interface, with what programs give by mistake: every call
// returns or reports an error that names the function, and none reads or writes memory that is not its own.
//
// SINEW_CALL_SEQUENCES sets how many sequences are tried, SINEW_CALL_SEED where they begin, and with SINEW_CALL_TRACE
// each call is named before it is made.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>

#include "tests/support/calls_generated.h"
#include "tests/support/random_arguments.h"
#include "tests/testing/longer.h"

namespace sinew {
namespace {

using testing::RandomArguments;

std::jmp_buf jump;
bool in_call = false;
std::string last_error;

// Installed anew before each call, since functions take handlers away. It jumps out of the call, as a program may.
void InstallHandlers() {
  mju_user_error = [](const char* text) {
    last_error = text;
    if (in_call) std::longjmp(jump, 1);
  };
  mju_user_warning = [](const char*) {};
}

// Returns whether the body came to its end.
bool Ends(void (*body)(void*), void* argument) {
  in_call = true;
  const bool ended = setjmp(jump) == 0;
  if (ended) body(argument);
  in_call = false;
  return ended;
}

// ---- what functions return and the caller owns

template <class T>
void Release(std::string_view, const T&) {}
void Release(std::string_view, mjModel* m) { mj_deleteModel(m); }
void Release(std::string_view, mjData* d) { mj_deleteData(d); }
void Release(std::string_view, mjThreadPool* pool) { mju_threadPoolDestroy(pool); }
void Release(std::string_view, mjResource* resource) { mju_closeResource(resource); }
void Release(std::string_view function, mjSpec* s) {
  if (!function.starts_with("mjs_")) mj_deleteSpec(s);
}
void Release(std::string_view function, void* memory) {
  if (function == "mju_malloc") mju_free(memory);
}

template <class Result, class... Types>
void CallWith(RandomArguments& any, std::string_view function, Result (*call)(Types...), std::string_view names) {
  [[maybe_unused]] const auto next = [&names] {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 2));
    return name;
  };
  struct Bound {
    Result (*call)(Types...);
    std::tuple<Types...> arguments;
    std::conditional_t<std::is_void_v<Result>, char, Result> result;
  } bound{call, {any.Any<Types>(next())...}, {}};
  const bool ended = Ends(
      [](void* argument) {
        auto& b = *static_cast<Bound*>(argument);
        if constexpr (std::is_void_v<Result>) std::apply(b.call, b.arguments);
        if constexpr (!std::is_void_v<Result>) b.result = std::apply(b.call, b.arguments);
      },
      &bound);
  if constexpr (std::is_pointer_v<Result>) {
    if constexpr (!std::is_const_v<std::remove_pointer_t<Result>>) {
      const bool is_argument =
          std::apply([&](auto... argument) { return (... || any.IsSame(argument, bound.result)); }, bound.arguments);
      if (ended && !is_argument) Release(function, bound.result);
    }
  }
}

struct Function {
  const char* name;
  void (*call)(RandomArguments&);
};
constexpr Function kFunctions[] = {
#define SINEW_CALL(name, parameters) {#name, [](RandomArguments& any) { CallWith(any, #name, &name, parameters); }},
    SINEW_CALLS(SINEW_CALL)
#undef SINEW_CALL
};

// A run of functions that stand together, as those of one purpose do in the table, or any.
void RunSequence(unsigned seed, bool trace) {
  InstallHandlers();
  RandomArguments any(seed);
  const int first = any.Below(std::size(kFunctions)), length = any.Below(30) + 10;
  const bool stays_near = any.Below(2) == 0;
  for (int i = 0; i < length; ++i) {
    const size_t count = std::size(kFunctions);
    const size_t at =
        stays_near ? static_cast<size_t>(first + any.Below(25)) % count : static_cast<size_t>(any.Below(count));
    const Function& function = kFunctions[at];
    if (trace) std::fprintf(stderr, "%u: %s\n", seed, function.name);
    InstallHandlers();
    any.BeginCall(function.name);
    last_error.clear();
    function.call(any);
    // a stage may report what happened in it under its own name
    const std::string text = last_error.substr(0, 4);
    if (std::string_view(function.name).starts_with("mju_error") || last_error.empty()) continue;
    EXPECT_TRUE(text.starts_with("mj")) << function.name << ": " << last_error;
    EXPECT_NE(last_error.find(": "), std::string::npos) << function.name << ": " << last_error;
  }
  InstallHandlers();
}

// Who jumps out of an error, or makes a file system twice, loses memory: that is no finding.
void CountLeaks(bool counts) {
#ifdef __SANITIZE_ADDRESS__
  counts ? __lsan_enable() : __lsan_disable();
#endif
  static_cast<void>(counts);
}

// Files that functions write go to a folder of their own, what they print nowhere.
class RandomCalls : public ::testing::Test {
 protected:
  RandomCalls() {
    CountLeaks(false);
    char name[] = "/tmp/random_calls_XXXXXX";
    folder_ = mkdtemp(name);
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    std::fflush(stdout);
    printed_ = dup(STDOUT_FILENO);
    std::FILE* nowhere = std::fopen("/dev/null", "w");
    dup2(fileno(nowhere), STDOUT_FILENO);
    std::fclose(nowhere);
  }
  ~RandomCalls() override {
    std::fflush(stdout);
    dup2(printed_, STDOUT_FILENO);
    close(printed_);
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
    mju_user_error = mju_user_warning = nullptr;
    CountLeaks(true);
  }

 private:
  std::filesystem::path folder_, before_;
  int printed_;
};

TEST_F(RandomCalls, EndInAResultOrAnError) {
  const int first = CountOr("SINEW_CALL_SEED", 0), count = CountOr("SINEW_CALL_SEQUENCES", 200);
  const bool trace = std::getenv("SINEW_CALL_TRACE") != nullptr;
  for (int seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("sequence " + std::to_string(seed));
    RunSequence(static_cast<unsigned>(seed), trace);
  }
}

}  // namespace
}  // namespace sinew

// Programs ask for more memory than there is: the sanitizer is to refuse it, as the system does.
#ifdef __SANITIZE_ADDRESS__
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}
#endif
