// Scratch memory of a step: a stack at the upper end of mjData's arena, growing down towards the arena's contents.
//
//   StackFrame frame(d);
//   double* x = frame.Alloc<double>(m->nv);     // uninitialized, released with the frame
//
// Frames nest. What the stages of a step need whatever contacts and rows there are always fits: beside the arena a
// world has a reserve for it, whose size mj_makeData knows (model/storage/data.cc). What grows with contacts and rows
// may not fit. Such a frame reports it, and its stage does without:
//
//   StackFrame frame(d, WhenFull::kReport);
//   double* y = frame.Alloc<double>(d->nefc);
//   if (frame.full()) return false;
//
// Anything else that does not fit, programs' own allocations among it, throws StackOverflow, which names the remedy (a
// larger `memory` in <size>); the C boundary turns it into mju_error.
#ifndef SINEW_CORE_STACK_H_
#define SINEW_CORE_STACK_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/error.h"
#include "core/memory.h"

namespace sinew::inline core {

// A full stack. The boundary reports it as mj_stackAlloc's, whichever function was called: programs look for that.
class StackOverflow : public Error {
 public:
  using Error::Error;
};

// The arena of a world: `bytes` for contacts, rows and the stack, and behind them `reserve` bytes that only frames of
// the engine may use. Throws sinew::Error when memory is short.
void* AllocateArena(size_t bytes, size_t reserve);
// Frees what AllocateArena gave; nullptr is allowed.
void FreeArena(void* arena);
// Forgets what frames that an error handler left behind took from the reserve.
void ReleaseReserve(mjData* d);

// Opens and closes a frame: what mj_markStack and mj_freeStack do.
void MarkStack(mjData* d);
void FreeStack(mjData* d);
// Opens a frame; false, and nothing done, when the stack is full.
bool TryMarkStack(mjData* d);

// Throws StackOverflow when what a program has put on the stack leaves no room at all: it is told before the stages of
// a step begin, which throw nothing.
inline void RequireStack(mjData* d) {
  const bool is_full = d->pstack > 0 && d->pstack >= static_cast<size_t>(d->narena);
  if (is_full) MarkStack(d);
}

// `bytes` of uninitialized memory, aligned to `alignment` (a power of two); nullptr for 0. Without a frame it stays
// allocated until the world is reset.
void* AllocStack(mjData* d, size_t bytes, size_t alignment);

// `bytes` of memory at the lower end of the arena, where contacts and constraint rows live; nullptr when it is full.
// Not for tasks of a thread pool: the arena's order is part of the result.
void* AllocArena(mjData* d, size_t bytes, size_t alignment);

// The address of `bytes` that end below `end`, aligned; 0 where they would begin below `floor`.
inline uintptr_t AddressBelow(uintptr_t end, uintptr_t floor, size_t bytes, size_t alignment) {
  if (floor > end || bytes > end - floor) return 0;
  const uintptr_t address = (end - bytes) & ~static_cast<uintptr_t>(alignment - 1);
  return address >= floor ? address : 0;
}

// AllocArena of a world without threads, inline.
inline void* AllocOwnArena(mjData* d, size_t bytes, size_t alignment) {
  const uintptr_t arena = reinterpret_cast<uintptr_t>(d->arena), top = arena + static_cast<size_t>(d->narena);
  const uintptr_t limit = top - std::min<size_t>(d->pstack, top - arena);
  const uintptr_t begin = AlignUp(arena + d->parena, alignment);
  if (begin > limit || bytes > limit - begin) return nullptr;
  d->parena = begin + bytes - arena;
  d->maxuse_arena = std::max(d->maxuse_arena, static_cast<mjtSize>(d->pstack + d->parena));
  return reinterpret_cast<void*>(begin);
}

enum class WhenFull {
  kThrow,   // the reserve helps out; what does not fit there either throws
  kReport,  // an allocation is null, and full() tells
};

class StackFrame {
 public:
  explicit StackFrame(mjData* d, WhenFull when_full = WhenFull::kThrow)
      : d_(d), when_full_(when_full), marked_(TryMarkStack(d)) {
    full_ = !marked_ && when_full == WhenFull::kReport;
  }
  ~StackFrame() {
    if (marked_) FreeStack(d_);
    if (uses_reserve_) RestoreReserve();
  }
  StackFrame(const StackFrame&) = delete;
  StackFrame& operator=(const StackFrame&) = delete;

  template <class T>
  T* Alloc(ptrdiff_t count) {
    const size_t bytes = static_cast<size_t>(count) * sizeof(T);
    if (bytes == 0) return nullptr;
    if (void* memory = d_->threadpool || !marked_ ? nullptr : TakeOwn(bytes, alignof(T))) {
      return static_cast<T*>(memory);
    }
    return static_cast<T*>(AllocElsewhere(bytes, alignof(T)));
  }
  double* Doubles(ptrdiff_t count) { return Alloc<double>(count); }
  int* Ints(ptrdiff_t count) { return Alloc<int>(count); }

  // Whether something did not fit; its pointer is null.
  bool full() const { return full_; }
  // Passes on what a frame inside this one reported.
  void SetFull() { full_ = true; }

 private:
  // The same as AllocStack for the stack of a world without threads, inline; nullptr where it is full.
  void* TakeOwn(size_t bytes, size_t alignment) {
    const uintptr_t arena = reinterpret_cast<uintptr_t>(d_->arena), top = arena + static_cast<size_t>(d_->narena);
    const uintptr_t end = top - std::min<size_t>(d_->pstack, top - arena);
    const uintptr_t address = AddressBelow(end, arena + d_->parena, bytes, alignment);
    if (address == 0) return nullptr;
    d_->pstack = top - address;
    d_->maxuse_stack = std::max(d_->maxuse_stack, static_cast<mjtSize>(d_->pstack));
    d_->maxuse_arena = std::max(d_->maxuse_arena, static_cast<mjtSize>(d_->pstack + d_->parena));
    return reinterpret_cast<void*>(address);
  }

  // The stack of a thread, then the reserve.
  void* AllocElsewhere(size_t bytes, size_t alignment);
  void RestoreReserve() const;

  mjData* d_;
  size_t reserve_before_ = 0;
  WhenFull when_full_;
  bool marked_, full_, uses_reserve_ = false;
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_STACK_H_
