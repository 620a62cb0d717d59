#include "core/fork.h"

#include <pthread.h>

#include <atomic>

namespace sinew::inline core {
namespace {

std::atomic<int> forks{0};

// Runs in the child, before fork returns there.
void CountFork() { forks.fetch_add(1, std::memory_order_relaxed); }

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, CountFork);

}  // namespace

int ForksSoFar() { return forks.load(std::memory_order_relaxed); }

}  // namespace sinew::inline core
