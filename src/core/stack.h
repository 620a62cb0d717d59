// Scratch memory of a step: a stack at the upper end of mjData's arena, growing down towards the arena's contents.
//
//   StackFrame frame(d);
//   double* x = frame.Alloc<double>(m->nv);     // uninitialized, released with the frame
//
// Frames nest. A full stack throws StackOverflow, which names the remedy (a larger `memory` in <size>); the C boundary
// turns it into mju_error.
#ifndef SINEW_CORE_STACK_H_
#define SINEW_CORE_STACK_H_

#include <mujoco/mujoco.h>

#include <cstddef>

#include "core/error.h"

namespace sinew {

// A full stack. The boundary reports it as mj_stackAlloc's, whichever function was called: programs look for that.
class StackOverflow : public Error {
 public:
  using Error::Error;
};

// Opens and closes a frame: what mj_markStack and mj_freeStack do.
void MarkStack(mjData* d);
void FreeStack(mjData* d);

// `bytes` of uninitialized memory, aligned to `alignment` (a power of two); nullptr for 0. Without a frame it stays
// allocated until the world is reset.
void* AllocStack(mjData* d, size_t bytes, size_t alignment);

// `bytes` of memory at the lower end of the arena, where contacts and constraint rows live; nullptr when it is full.
// Not for tasks of a thread pool: the arena's order is part of the result.
void* AllocArena(mjData* d, size_t bytes, size_t alignment);

class StackFrame {
 public:
  explicit StackFrame(mjData* d) : d_(d) { MarkStack(d); }
  ~StackFrame() { FreeStack(d_); }
  StackFrame(const StackFrame&) = delete;
  StackFrame& operator=(const StackFrame&) = delete;

  template <class T>
  T* Alloc(ptrdiff_t count) {
    return static_cast<T*>(AllocStack(d_, static_cast<size_t>(count) * sizeof(T), alignof(T)));
  }
  double* Doubles(ptrdiff_t count) { return Alloc<double>(count); }
  int* Ints(ptrdiff_t count) { return Alloc<int>(count); }

 private:
  mjData* d_;
};

}  // namespace sinew

#endif  // SINEW_CORE_STACK_H_
