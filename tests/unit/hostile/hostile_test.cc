// Every case is loaded in a process of its own, whose time and memory are limited: it must end as the table says, in
// two seconds and one gigabyte.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include "tests/unit/hostile/cases.h"

namespace sinew::hostile {
namespace {

// Sanitizers reserve terabytes and take their time.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
constexpr int kSeconds = 40;
#elif defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
constexpr int kSeconds = 200;
#else
constexpr bool kSanitized = false;
constexpr int kSeconds = 2;  // of CPU: other processes on the machine do not count
#endif
constexpr rlim_t kBytes = rlim_t{1} << 30;
constexpr double kLoadSeconds = 20;  // of wall time, on a machine that has other work

// What a child tells its parent by its exit status; by a signal, it crashed.
enum Status { kLoaded = 10, kRefused = 11, kSilent = 12 };

void Limit(int resource, rlim_t value) {
  const rlimit limit = {value, value};
  setrlimit(resource, &limit);
}

Status Load(const Case& hostile, int message_pipe) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  for (const auto& [name, content] : hostile.files) {
    mj_addBufferVFS(&vfs, name.c_str(), content.data(), static_cast<int>(content.size()));
  }
  mj_addBufferVFS(&vfs, "hostile.xml", hostile.xml.data(), static_cast<int>(hostile.xml.size()));
  std::array<char, 400> error = {};
  mjModel* m = mj_loadXML("hostile.xml", &vfs, error.data(), static_cast<int>(error.size()));
  const std::string text = error.data();
  if (write(message_pipe, text.data(), text.size()) < 0) return kSilent;
  if (!m) return text.empty() ? kSilent : kRefused;

  // What loads must be usable.
  mjData* d = mj_makeData(m);
  if (!d) return kSilent;
  mj_forward(m, d);
  return kLoaded;
}

[[noreturn]] void RunChild(const Case& hostile, int message_pipe) {
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_CPU, kSeconds);
  if (!kSanitized) Limit(RLIMIT_DATA, kBytes);
  sinew_setLoadLimits(0, kLoadSeconds);
  mju_user_warning = [](const char*) {};
  mju_user_error = [](const char*) { _exit(kSilent); };
  _exit(Load(hostile, message_pipe));
}

std::string ReadAll(int pipe) {
  std::string text;
  std::array<char, 512> buffer;
  for (ssize_t n; (n = read(pipe, buffer.data(), buffer.size())) > 0;) text.append(buffer.data(), size_t(n));
  return text;
}

class HostileTest : public testing::TestWithParam<Case> {};

TEST_P(HostileTest, EndsInTimeAndMemory) {
  const Case& hostile = GetParam();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) RunChild(hostile, ends[1]);
  close(ends[1]);
  const std::string message = ReadAll(ends[0]);
  close(ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);

  ASSERT_FALSE(WIFSIGNALED(status)) << "signal " << WTERMSIG(status)
                                    << (WTERMSIG(status) == SIGXCPU ? ", it took too long" : "");
  const int end = WEXITSTATUS(status);
  EXPECT_TRUE(end == kLoaded || end == kRefused) << "status " << end << ": " << message;
  EXPECT_FALSE(hostile.outcome == Outcome::kError && end == kLoaded) << "it should be refused";
  EXPECT_FALSE(hostile.outcome == Outcome::kLoads && end == kRefused) << message;
  EXPECT_EQ(message.find("bad_alloc"), std::string::npos) << "an error that does not tell what is too large";
}

Cases AllCases() {
  Cases all;
  for (const Cases& cases : {CountCases(), StructureCases(), FileCases(), NumberCases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Cases, HostileTest, testing::ValuesIn(AllCases()),
                         [](const auto& test) { return test.param.name; });

TEST(HostileCases, AreAtLeastTwoHundred) { EXPECT_GE(AllCases().size(), 200u); }

}  // namespace

// Where memory cannot be limited, single allocations are.
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZER_OPTIONS __asan_default_options
#elif defined(__SANITIZE_THREAD__)
#define SANITIZER_OPTIONS __tsan_default_options
#endif
#ifdef SANITIZER_OPTIONS
extern "C" __attribute__((visibility("default"))) const char* SANITIZER_OPTIONS() {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}
#endif

// gtest prints parameters byte by byte otherwise; some are megabytes.
void PrintTo(const Case& hostile, std::ostream* out) { *out << hostile.name; }

}  // namespace sinew::hostile
