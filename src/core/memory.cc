// Allocates aligned memory by the program's functions or the system's, and reports a failure as an Error.
#include "core/memory.h"

#include <mujoco/mujoco.h>

#include <cstdlib>
#include <limits>
#include <string>

#include "core/error.h"

namespace sinew::inline core {

void* AllocateMemory(size_t bytes) {
  if (bytes == 0) return nullptr;
  // No object is larger than a difference of pointers can tell; below that, rounding up cannot overflow.
  void* memory = nullptr;
  if (bytes <= static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max())) {
    const size_t padded = AlignUp(bytes, kMemoryAlignment);
    memory = mju_user_malloc ? mju_user_malloc(padded) : std::aligned_alloc(kMemoryAlignment, padded);
  }
  if (!memory) throw Error("could not allocate " + std::to_string(bytes) + " bytes of memory");
  return memory;
}

void FreeMemory(void* memory) {
  if (!memory) return;
  if (mju_user_free) {
    mju_user_free(memory);
  } else {
    std::free(memory);
  }
}

}  // namespace sinew::inline core
