// Loads are bounded in memory and time: the defaults come from the machine, and passes call the checks.
#include "core/load_limits.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/machine_memory.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDefaultSeconds = 600;

std::atomic<double> limit_bytes = 0, limit_seconds = 0;

// When the load of this thread began.
thread_local std::optional<Clock::time_point> load_begin;

// Half of what there is: a model is rarely alone, and its parts exist twice while it is compiled.
double DefaultBytes() { return 0.5 * MachineMemory(); }

double OrDefault(double limit, double default_limit) {
  return limit > 0 ? limit : limit < 0 ? kInfinity : default_limit;
}

}  // namespace

LoadLimits DefaultLoadLimits() { return {DefaultBytes(), kDefaultSeconds}; }

void SetLoadLimits(const LoadLimits& limits) {
  limit_bytes = limits.bytes;
  limit_seconds = limits.seconds;
}

LoadLimits CurrentLoadLimits() {
  const double bytes = limit_bytes;
  // The machine is asked only where nothing else was said.
  return {bytes == 0 ? DefaultBytes() : OrDefault(bytes, 0), OrDefault(limit_seconds, kDefaultSeconds)};
}

LoadClock::LoadClock() : outermost_(!load_begin) {
  if (outermost_) load_begin = Clock::now();
}

LoadClock::~LoadClock() {
  if (outermost_) load_begin.reset();
}

void CheckLoadTime(const char* what) {
  if (!load_begin) return;
  const double limit = OrDefault(limit_seconds, kDefaultSeconds);
  const double taken = std::chrono::duration<double>(Clock::now() - *load_begin).count();
  if (taken <= limit) return;
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%g", limit);
  throw Error(std::string(what) + " takes too long: a model may take " + seconds + " s to load",
              "make it smaller, or raise the limit of time");
}

void CheckLoadOperations(double operations, const std::string& what) {
  constexpr double kPerSecond = 1e9;
  if (operations <= kPerSecond * OrDefault(limit_seconds, kDefaultSeconds)) return;
  char count[32];
  std::snprintf(count, sizeof(count), "%.2g", operations);
  throw Error(what + " takes " + count + " operations", "make it smaller, or raise the limit of time");
}

void CheckLoadMemory(double bytes, const std::string& what) {
  const double limit = CurrentLoadLimits().bytes;
  if (bytes <= limit) return;
  throw Error(what + " takes " + BytesText(bytes) + " of memory, and " + BytesText(limit) + " are allowed",
              "make it smaller, or raise the limit of memory");
}

std::string BytesText(double bytes) {
  const char* unit = "bytes";
  for (const char* larger : {"kB", "MB", "GB", "TB"}) {
    if (bytes < 1000) break;
    bytes /= 1000;
    unit = larger;
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g %s", bytes, unit);
  return text;
}

}  // namespace sinew
