// How the arrays of a model or a world lie in their buffer: in the order of the field list, each on a multiple of
// kMemoryAlignment, empty ones too; without padding behind the last one. The size of a model's buffer is part of its
// file.
#ifndef SINEW_MODEL_VIEW_LAYOUT_H_
#define SINEW_MODEL_VIEW_LAYOUT_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <string>

#include "core/error.h"
#include "core/memory.h"
#include "model/view/fields.h"

namespace sinew::inline model {

// rows * columns elements as bytes; throws when that is negative or more than an address can count.
inline size_t CheckedBytes(const char* name, mjtSize rows, mjtSize columns, ElementKind kind) {
  mjtSize count = 0, bytes = 0;
  const bool overflow = __builtin_mul_overflow(rows, columns, &count) ||
                        __builtin_mul_overflow(count, static_cast<mjtSize>(ElementSize(kind)), &bytes);
  if (rows < 0 || columns < 0 || overflow) throw Error("array " + std::string(name) + " is too large");
  return static_cast<size_t>(bytes);
}

inline size_t ArrayBytes(const ModelArray& array, const mjModel& m) {
  return CheckedBytes(array.name, array.rows(m), array.columns(m), array.kind);
}
inline size_t ArrayBytes(const DataArray& array, const mjModel& m, const mjData& d) {
  return CheckedBytes(array.name, array.rows(m, d), array.columns, array.kind);
}

// Places arrays one behind the other.
class Layout {
 public:
  // Offset of the next array.
  size_t Place(size_t bytes) {
    const size_t offset = AlignUp(size_, kMemoryAlignment);
    if (offset < size_ || __builtin_add_overflow(offset, bytes, &size_)) throw Error("buffer is too large");
    return offset;
  }
  size_t size() const { return size_; }

 private:
  size_t size_ = 0;
};

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_LAYOUT_H_
