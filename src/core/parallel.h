// Loops over independent pieces of work on several threads.
#ifndef SINEW_CORE_PARALLEL_H_
#define SINEW_CORE_PARALLEL_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <functional>

namespace sinew::inline core {

// Calls work(i) for i = 0 ... count - 1, each once, on at most one thread per processor; the calling thread takes part.
// The calls must not depend on each other. All are made, and when some throw, the exception of the smallest i leaves:
// so neither results nor errors depend on the number of threads.
void ParallelFor(size_t count, const std::function<void(size_t)>& work);

// The same one after the other, in the calling thread.
void SerialFor(size_t count, const std::function<void(size_t)>& work);

// The same with the threads of a pool, without allocating memory: for stages of a step. The calls must not throw.
void PooledFor(mjThreadPool& pool, int count, void (*work)(void* context, int i), void* context);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_PARALLEL_H_
