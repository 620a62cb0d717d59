#include "core/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <limits>

#include "core/error.h"
#include "core/load_limits.h"

namespace sinew::inline core {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The type of `resource` is that of the system's constants.
double ResourceLimit(auto resource) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kInfinity;
  }
  return static_cast<double>(limit.rlim_cur);
}

// The number at the beginning of a file; `otherwise` where there is none ("max", no such file).
double NumberIn(const char* path, double otherwise) {
  double number = 0;
  return std::ifstream(path) >> number ? number : otherwise;
}

// Files of a control group (containers), of version 2 and version 1; what of its use is only a copy of files, and given
// back when memory is short.
constexpr struct {
  const char *limit, *use, *details, *inactive, *active;
} kGroups[] = {
    {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat", "inactive_file ",
     "active_file "},
    {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
     "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file ", "total_active_file "},
};

// The sum of the numbers behind these words, each at the beginning of a line; `otherwise` where no line has one.
double SumIn(const char* path, std::initializer_list<const char*> words, double otherwise) {
  std::ifstream file(path);
  double sum = 0;
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    for (const std::string word : words) {
      if (!line.starts_with(word)) continue;
      sum += std::strtod(line.c_str() + word.size(), nullptr);
      found = true;
    }
  }
  return found ? sum : otherwise;
}

// /proc counts in kB.
constexpr double kKilobyte = 1024;

}  // namespace

double MachineMemory() {
  double least = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  for (const double limit : {ResourceLimit(RLIMIT_AS), ResourceLimit(RLIMIT_DATA)}) least = std::min(least, limit);
  for (const auto& group : kGroups) least = std::min(least, NumberIn(group.limit, kInfinity));
  return least;
}

double FreeMachineMemory() {
  const char* const status = "/proc/self/status";
  double least =
      std::min(MachineMemory(), kKilobyte * SumIn("/proc/meminfo", {"MemAvailable:", "SwapFree:"}, kInfinity));
  least = std::min(least, ResourceLimit(RLIMIT_AS) - kKilobyte * SumIn(status, {"VmSize:"}, 0));
  least = std::min(least, ResourceLimit(RLIMIT_DATA) - kKilobyte * SumIn(status, {"VmData:"}, 0));
  for (const auto& group : kGroups) {
    const double files = SumIn(group.details, {group.inactive, group.active}, 0);
    least = std::min(least, NumberIn(group.limit, kInfinity) - NumberIn(group.use, 0) + files);
  }
  return std::max(least, 0.0);
}

void CheckFreeMemory(size_t bytes_of_each, size_t count, const std::string& things) {
  // what is small next to any machine is not worth reading files for
  constexpr double kSmall = 64e6;
  const double each = static_cast<double>(bytes_of_each), bytes = each * static_cast<double>(count);
  if (bytes <= kSmall) return;
  const double free = FreeMachineMemory();
  if (bytes <= free) return;
  char fit[32];
  std::snprintf(fit, sizeof(fit), "%.0f", std::floor(free / each));
  throw Error(std::to_string(count) + " " + things + " take " + BytesText(bytes) + " of memory, and " +
                  BytesText(free) + " are free",
              std::string("ask for fewer: ") + fit + " fit");
}

}  // namespace sinew::inline core
