// Memory of a world that outlives its steps: for what takes long to find and is the same from one step to the next. It
// belongs to one arena, is not copied with a world, and its contents never change a result: whoever keeps something
// there compares, number by number, what it was found from.
#ifndef SINEW_CORE_LASTING_MEMORY_H_
#define SINEW_CORE_LASTING_MEMORY_H_

#include <mujoco/mujoco.h>

#include <cstddef>

namespace sinew::inline core {

struct LastingMemory {
  char* begin;   // aligned to kMemoryAlignment
  size_t bytes;  // 0: nothing can be kept, as in worlds that another library made
};

// Sets the last `bytes` of the reserve aside. Its first kMemoryAlignment bytes are zero.
void SetAsideLastingMemory(void* arena, size_t bytes);

LastingMemory LastingMemoryOf(const mjData* d);

// The same for what a world knows of its past and mjData has no array for (step/known_equalities.h): it is copied with
// the world, and begins with zeros, which stand for nothing known.
void SetAsideKnownMemory(void* arena, size_t bytes);
LastingMemory KnownMemoryOf(const mjData* d);
// Zeros where the other world has none.
void CopyKnownMemory(mjData* to, const mjData* from);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_LASTING_MEMORY_H_
