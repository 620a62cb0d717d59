// Memory of a computation, from one block, in the order in which it is asked for. Without a block it only counts.
#ifndef SINEW_DERIVATIVES_BASE_WORK_MEMORY_H_
#define SINEW_DERIVATIVES_BASE_WORK_MEMORY_H_

#include <cstddef>

#include "simd/isa.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

class WorkMemory {
 public:
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest register

  explicit WorkMemory(char* block) : block_(block) {}

  template <class T>
  T* Alloc(ptrdiff_t count) {
    const size_t at = used_;
    used_ += (static_cast<size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return block_ ? reinterpret_cast<T*>(block_ + at) : nullptr;
  }
  size_t used() const { return used_; }

 private:
  char* block_;
  size_t used_ = 0;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_WORK_MEMORY_H_
