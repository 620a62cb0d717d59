// Layout of the arena. With a bound thread pool of n workers, each worker has a stack of its own at the upper end.
//
//   0                parena                              narena - n * share                narena
//   | contacts, rows |        free        <- main stack | <- worker n | ... | <- worker 1 |
//
// The reserve lies behind, and is a stack of its own that grows up; then comes what is kept from step to step. In front
// of the arena stands what knows both.
//
// A frame begins with a header that remembers the stack before it; pbase is the address of the latest header.
#include "core/stack.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/lasting_memory.h"
#include "core/memory.h"
#include "core/thread_pool.h"

namespace sinew::inline core {
namespace {

// This stands in front of an arena, which begins kMemoryAlignment bytes later.
struct ArenaHeader {
  uint64_t mark;  // MarkOf(arena)
  char* reserve;
  size_t reserve_bytes, reserve_used;
  LastingMemory kept, known;
};
static_assert(sizeof(ArenaHeader) <= kMemoryAlignment);

uint64_t MarkOf(const void* arena) { return reinterpret_cast<uintptr_t>(arena) ^ 0x7265736572766521ull; }

// Null for an arena that another library made, as in programs that call two of them on the same data: it has no
// reserve, and what stands in front of it is not ours. The address sanitizer, which would tell of the look at it, is
// off.
[[gnu::no_sanitize_address]] ArenaHeader* FindHeader(void* arena) {
  auto* header = reinterpret_cast<ArenaHeader*>(static_cast<char*>(arena) - kMemoryAlignment);
  return header->mark == MarkOf(arena) ? header : nullptr;
}

constexpr uint64_t kGuard = 0x5f6672616d65215full;

struct FrameHeader {
  size_t pbase;
  size_t pstack;
  uint64_t guard;  // overwritten by code that writes beyond its allocation
};

// The allocations of a thread on its own stack. The main thread's counterpart is in mjData.
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

// Lowers the top of the stack by `bytes`, then to a multiple of `alignment`. 0 when it is full.
uintptr_t TryPush(mjData* d, const Stack& stack, size_t bytes, size_t alignment) {
  const uintptr_t floor = stack.top - stack.capacity;
  const uintptr_t address = AddressBelow(floor + Available(stack), floor, bytes, alignment);
  if (address == 0) return 0;
  const size_t used = stack.top - address;
  *stack.pstack = used;
  *stack.maxuse = std::max(*stack.maxuse, static_cast<mjtSize>(used));
  if (stack.pstack == &d->pstack) d->maxuse_arena = std::max(d->maxuse_arena, static_cast<mjtSize>(used + d->parena));
  return address;
}

bool TryMark(mjData* d, const Stack& stack) {
  const FrameHeader header = {*stack.pbase, *stack.pstack, kGuard};
  const uintptr_t address = TryPush(d, stack, sizeof(FrameHeader), alignof(FrameHeader));
  if (address == 0) return false;
  *stack.pbase = address;
  *reinterpret_cast<FrameHeader*>(address) = header;
  return true;
}

// Takes from the reserve, which belongs to the main thread; nullptr when it is full.
void* TakeReserve(ArenaHeader& header, size_t bytes, size_t alignment) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(header.reserve);
  const size_t offset = AlignUp(begin + header.reserve_used, alignment) - begin;
  if (offset > header.reserve_bytes || bytes > header.reserve_bytes - offset) return nullptr;
  header.reserve_used = offset + bytes;
  return header.reserve + offset;
}

bool IsPowerOfTwo(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

void* AllocateArena(size_t bytes, size_t reserve) {
  const size_t arena_bytes = AlignUp(bytes, kMemoryAlignment);
  if (arena_bytes < bytes || arena_bytes + kMemoryAlignment + reserve < arena_bytes) {
    throw Error("the arena is too large (" + std::to_string(bytes) + " bytes)", "decrease `memory` in <size>");
  }
  char* memory = static_cast<char*>(AllocateMemory(kMemoryAlignment + arena_bytes + reserve));
  char* arena = memory + kMemoryAlignment;
  *reinterpret_cast<ArenaHeader*>(memory) = {MarkOf(arena), arena + arena_bytes, reserve, 0,
                                             {nullptr, 0},  {nullptr, 0}};
  return arena;
}

void FreeArena(void* arena) {
  if (arena) FreeMemory(static_cast<char*>(arena) - kMemoryAlignment);
}

namespace {

// Takes memory from the end of the reserve; none where it does not fit.
LastingMemory SetAside(ArenaHeader& header, size_t bytes) {
  const size_t rounded = AlignUp(bytes, kMemoryAlignment);
  if (rounded == 0 || rounded + kMemoryAlignment > header.reserve_bytes) return {nullptr, 0};
  const uintptr_t end = reinterpret_cast<uintptr_t>(header.reserve) + header.reserve_bytes;
  const uintptr_t begin = (end - rounded) / kMemoryAlignment * kMemoryAlignment;
  header.reserve_bytes = begin - reinterpret_cast<uintptr_t>(header.reserve);
  return {reinterpret_cast<char*>(begin), rounded};
}

}  // namespace

void SetAsideLastingMemory(void* arena, size_t bytes) {
  ArenaHeader& header = *FindHeader(arena);
  header.kept = SetAside(header, bytes);
  if (header.kept.begin) std::memset(header.kept.begin, 0, kMemoryAlignment);
}

LastingMemory LastingMemoryOf(const mjData* d) {
  const ArenaHeader* header = FindHeader(d->arena);
  return header ? header->kept : LastingMemory{nullptr, 0};
}

void SetAsideKnownMemory(void* arena, size_t bytes) {
  ArenaHeader& header = *FindHeader(arena);
  header.known = SetAside(header, bytes);
  if (header.known.begin) std::memset(header.known.begin, 0, header.known.bytes);
}

LastingMemory KnownMemoryOf(const mjData* d) {
  const ArenaHeader* header = FindHeader(d->arena);
  return header ? header->known : LastingMemory{nullptr, 0};
}

void CopyKnownMemory(mjData* to, const mjData* from) {
  const LastingMemory memory = KnownMemoryOf(to), source = KnownMemoryOf(from);
  if (memory.bytes == 0) return;
  if (source.bytes == memory.bytes) {
    std::memcpy(memory.begin, source.begin, memory.bytes);
  } else {
    std::memset(memory.begin, 0, memory.bytes);
  }
}

void ReleaseReserve(mjData* d) {
  if (ArenaHeader* header = FindHeader(d->arena)) header->reserve_used = 0;
}

void MarkStack(mjData* d) {
  const Stack stack = CurrentStack(d);
  if (!TryMark(d, stack)) ThrowOverflow(*d, stack, sizeof(FrameHeader));
}

bool TryMarkStack(mjData* d) { return TryMark(d, CurrentStack(d)); }

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
  const Stack stack = CurrentStack(d);
  const uintptr_t address = TryPush(d, stack, bytes, alignment);
  if (address == 0) ThrowOverflow(*d, stack, bytes);
  return reinterpret_cast<void*>(address);
}

void* StackFrame::AllocElsewhere(size_t bytes, size_t alignment) {
  const Stack stack = CurrentStack(d_);
  const uintptr_t address = marked_ ? TryPush(d_, stack, bytes, alignment) : 0;
  if (address != 0) return reinterpret_cast<void*>(address);
  if (when_full_ == WhenFull::kReport) {
    full_ = true;
    return nullptr;
  }
  const bool is_main = stack.pstack == &d_->pstack;
  ArenaHeader* header = is_main ? FindHeader(d_->arena) : nullptr;
  const size_t before = header ? header->reserve_used : 0;
  void* memory = header ? TakeReserve(*header, bytes, alignment) : nullptr;
  if (!memory) ThrowOverflow(*d_, stack, bytes);
  if (!uses_reserve_) reserve_before_ = before;
  uses_reserve_ = true;
  return memory;
}

void StackFrame::RestoreReserve() const {
  if (ArenaHeader* header = FindHeader(d_->arena)) header->reserve_used = reserve_before_;
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

}  // namespace sinew::inline core
