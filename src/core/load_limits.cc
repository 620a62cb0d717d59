// Loads are bounded in memory and time: the defaults come from the machine, and passes call the checks.
#include "core/load_limits.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/machine_memory.h"

namespace sinew::inline core {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDefaultSeconds = 600;

std::atomic<double> limit_bytes = 0, limit_seconds = 0;

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

// Threads of a load add to it at once.
struct Load {
  const Clock::time_point begin = Clock::now();
  std::atomic<double> held = 0;  // bytes
  std::mutex mutex;
  std::vector<LoadMemory> kept;  // until its end
};

namespace {

// That of this thread.
thread_local std::shared_ptr<Load> current_load;

// Returns what the sum was before. (LLVM's library has no sums of atomic doubles until 18.)
double AddTo(std::atomic<double>& sum, double number) {
  double before = sum.load();
  while (!sum.compare_exchange_weak(before, before + number)) {
  }
  return before;
}

// A limit is met to the byte: rounding in sums of many terms is far below one.
void CheckBytes(double bytes, double held, const std::string& what) {
  const double limit = CurrentLoadLimits().bytes;
  if (bytes + held <= limit) return;
  throw Error(what + " takes " + BytesText(bytes) + " of memory" +
                  (held > 0 ? ", beside " + BytesText(held) + " that the load holds" : "") + ", and " +
                  BytesText(limit) + " are allowed",
              "make it smaller, or raise the limit of memory");
}

}  // namespace

LoadClock::LoadClock() {
  if (current_load) return;
  own_ = std::make_shared<Load>();
  current_load = own_;
}

// Memory that is kept refers to the load, and is released after it has ended.
LoadClock::~LoadClock() {
  if (!own_) return;
  std::vector<LoadMemory> kept = std::move(own_->kept);
  current_load.reset();
}

std::shared_ptr<Load> CurrentLoad() { return current_load; }

LoadMember::LoadMember(std::shared_ptr<Load> load) : before_(std::exchange(current_load, std::move(load))) {}

LoadMember::~LoadMember() { current_load = std::move(before_); }

void CheckLoadTime(const char* what) {
  if (!current_load) return;
  const double limit = OrDefault(limit_seconds, kDefaultSeconds);
  const double taken = std::chrono::duration<double>(Clock::now() - current_load->begin).count();
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
  CheckBytes(bytes, current_load ? current_load->held.load() : 0, what);
}

LoadMemory HoldLoadMemory(double bytes, const std::string& what) {
  const std::shared_ptr<Load> load = current_load;
  const double before = load ? AddTo(load->held, bytes) : 0;
  const LoadMemory memory(load.get(), [load, bytes](const void*) {
    if (load) AddTo(load->held, -bytes);
  });
  CheckBytes(bytes, before, what);
  return memory;
}

void KeepLoadMemory(LoadMemory memory) {
  if (!current_load) return;
  const std::lock_guard lock(current_load->mutex);
  current_load->kept.push_back(std::move(memory));
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

}  // namespace sinew::inline core
