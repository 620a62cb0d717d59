// Heap memory of models, data and whatever else crosses the C interface: the user's functions (mju_user_malloc,
// mju_user_free) replace the system's.
#ifndef SINEW_CORE_MEMORY_H_
#define SINEW_CORE_MEMORY_H_

#include <cstddef>
#include <memory>

namespace sinew::inline core {

// A cache line, and the widest vector register: what every array of a model or a world starts on.
inline constexpr size_t kMemoryAlignment = 64;

constexpr size_t AlignUp(size_t bytes, size_t alignment) { return (bytes + alignment - 1) & ~(alignment - 1); }

// At least `bytes`, aligned to kMemoryAlignment; nullptr for 0. Throws sinew::Error when memory is short.
void* AllocateMemory(size_t bytes);

// Frees what AllocateMemory gave; nullptr is allowed.
void FreeMemory(void* memory);

struct MemoryDeleter {
  void operator()(void* memory) const { FreeMemory(memory); }
};
template <class T>
using MemoryPtr = std::unique_ptr<T, MemoryDeleter>;

}  // namespace sinew::inline core

#endif  // SINEW_CORE_MEMORY_H_
