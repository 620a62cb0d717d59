// Layout of the arena. With a bound thread pool of n workers, each worker has a stack of its own at the upper end.
//
//   0                parena                              narena - n * share                narena
//   | contacts, rows |        free        <- main stack | <- worker n | ... | <- worker 1 |
//
// A frame begins with a header that remembers the stack before it; pbase is the address of the latest header.
#include "core/stack.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/memory.h"
#include "core/thread_pool.h"

namespace sinew {
namespace {

constexpr uint64_t kGuard = 0x5f6672616d65215full;

struct FrameHeader {
  size_t pbase;
  size_t pstack;
  uint64_t guard;  // overwritten by whoever writes beyond its allocation
};

// What a thread has allocated on its own stack. The main thread's counterpart is in mjData.
struct WorkerStack {
  size_t pstack = 0;
  size_t pbase = 0;
};
thread_local WorkerStack worker_stack;

// The stack of the calling thread in a world.
struct Stack {
  uintptr_t top;    // address above the first byte
  size_t capacity;  // bytes
  size_t* pstack;   // bytes in use
  size_t* pbase;    // latest header, 0 without a frame
  mjtSize* maxuse;
};

// Bytes of each worker's stack: together with an equal share for the main thread, half of the arena.
size_t WorkerShare(const mjData& d, const mjThreadPool& pool) {
  const size_t half = static_cast<size_t>(d.narena) / 2;
  return half / static_cast<size_t>(pool.nworker + 1) / kMemoryAlignment * kMemoryAlignment;
}

Stack CurrentStack(mjData* d) {
  const uintptr_t arena = reinterpret_cast<uintptr_t>(d->arena);
  size_t end = static_cast<size_t>(d->narena);
  if (d->threadpool) {
    const mjThreadPool& pool = *reinterpret_cast<const mjThreadPool*>(d->threadpool);
    const size_t share = WorkerShare(*d, pool);
    if (const int worker = WorkerOf(pool); worker > 0) {
      end -= share * static_cast<size_t>(worker - 1);
      return {arena + end, share, &worker_stack.pstack, &worker_stack.pbase, &d->maxuse_threadstack[worker - 1]};
    }
    end -= share * static_cast<size_t>(pool.nworker);
  }
  return {arena + end, end - std::min(end, d->parena), &d->pstack, &d->pbase, &d->maxuse_stack};
}

// Bytes that are free. None when pstack, which programs can write, makes no sense.
size_t Available(const Stack& stack) { return stack.capacity - std::min(stack.capacity, *stack.pstack); }

[[noreturn]] void ThrowOverflow(const mjData& d, const Stack& stack, size_t requested) {
  throw StackOverflow("out of memory, stack overflow\n  max = " + std::to_string(stack.capacity) + ", available = " +
                          std::to_string(Available(stack)) + ", requested = " + std::to_string(requested) +
                          "\n nefc = " + std::to_string(d.nefc) + ", ncon = " + std::to_string(d.ncon),
                      "increase `memory` in <size>");
}

// Lowers the top of the stack by `bytes`, then to a multiple of `alignment`.
uintptr_t Push(mjData* d, const Stack& stack, size_t bytes, size_t alignment) {
  const uintptr_t floor = stack.top - stack.capacity;
  const uintptr_t address = PlaceBelow(floor + Available(stack), floor, bytes, alignment);
  if (address == 0) ThrowOverflow(*d, stack, bytes);
  const size_t used = stack.top - address;
  *stack.pstack = used;
  *stack.maxuse = std::max(*stack.maxuse, static_cast<mjtSize>(used));
  if (stack.pstack == &d->pstack) d->maxuse_arena = std::max(d->maxuse_arena, static_cast<mjtSize>(used + d->parena));
  return address;
}

bool IsPowerOfTwo(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

void MarkStack(mjData* d) {
  const Stack stack = CurrentStack(d);
  const FrameHeader header = {*stack.pbase, *stack.pstack, kGuard};
  *stack.pbase = Push(d, stack, sizeof(FrameHeader), alignof(FrameHeader));
  *reinterpret_cast<FrameHeader*>(*stack.pbase) = header;
}

void FreeStack(mjData* d) {
  const Stack stack = CurrentStack(d);
  if (*stack.pbase == 0) return;
  const FrameHeader header = *reinterpret_cast<const FrameHeader*>(*stack.pbase);
  assert(header.guard == kGuard && "stack frame overwritten");
  *stack.pbase = header.pbase;
  *stack.pstack = header.pstack;
}

void* AllocStack(mjData* d, size_t bytes, size_t alignment) {
  if (bytes == 0) return nullptr;
  if (!IsPowerOfTwo(alignment)) throw Error("alignment " + std::to_string(alignment) + " is not a power of two");
  return reinterpret_cast<void*>(Push(d, CurrentStack(d), bytes, alignment));
}

void* AllocArena(mjData* d, size_t bytes, size_t alignment) {
  if (!IsPowerOfTwo(alignment)) throw Error("alignment " + std::to_string(alignment) + " is not a power of two");
  const uintptr_t arena = reinterpret_cast<uintptr_t>(d->arena);
  const uintptr_t begin = AlignUp(arena + d->parena, alignment);
  const Stack stack = CurrentStack(d);
  const uintptr_t limit = stack.top - std::min<size_t>(stack.top - arena, d->pstack);
  if (begin > limit || bytes > limit - begin) return nullptr;
  d->parena = begin + bytes - arena;
  d->maxuse_arena = std::max(d->maxuse_arena, static_cast<mjtSize>(d->pstack + d->parena));
  return reinterpret_cast<void*>(begin);
}

}  // namespace sinew
