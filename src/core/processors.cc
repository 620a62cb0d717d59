#include "core/processors.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace sinew::inline core {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Version 2 of control groups has one hierarchy: the line "0::/path" of /proc/self/cgroup. A limit holds for all groups
// below, so the least of those on the way counts.
int QuotaOfUnifiedGroups() {
  std::ifstream groups("/proc/self/cgroup");
  std::string line, path;
  while (std::getline(groups, line)) {
    if (line.starts_with("0::")) path = line.substr(3);
  }
  int least = 0;
  for (;;) {
    const int quota = ProcessorsOfQuota(FirstLine("/sys/fs/cgroup" + path + "/cpu.max"));
    if (quota > 0) least = least > 0 ? std::min(least, quota) : quota;
    if (path.empty() || path == "/") return least;
    path.erase(path.rfind('/'));
  }
}

// Version 1 writes quota and period to files of their own; -1 is no limit.
int QuotaOfFirstVersion() {
  const std::string folder = "/sys/fs/cgroup/cpu/";
  return ProcessorsOfQuota(FirstLine(folder + "cpu.cfs_quota_us") + " " + FirstLine(folder + "cpu.cfs_period_us"));
}

}  // namespace

int ProcessorsOfQuota(const std::string& cpu_max) {
  double quota = 0, period = 0;
  std::istringstream text(cpu_max);
  if (!(text >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

int UsableProcessors() {
  int count = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) count = std::max(1, CPU_COUNT(&set));
  for (const int quota : {QuotaOfUnifiedGroups(), QuotaOfFirstVersion()}) {
    if (quota > 0) count = std::min(count, quota);
  }
  return count;
}

}  // namespace sinew::inline core
