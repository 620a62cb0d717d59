// Little-endian numbers in files. All supported machines store numbers this way, so a copy suffices.
#ifndef SINEW_ASSETS_BYTES_H_
#define SINEW_ASSETS_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/error.h"

namespace sinew::inline assets {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

// Takes numbers off the front of a file.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  size_t left() const { return rest_.size(); }

  template <class T>
  T Take() {
    T value;
    Copy(&value, sizeof(T));
    return value;
  }

  // `count` numbers in a row. The caller has checked the count against what is left, or lets this throw.
  template <class T>
  std::vector<T> TakeArray(size_t count) {
    if (count > rest_.size() / sizeof(T)) throw Error("the file ends too early");
    std::vector<T> values(count);
    Copy(values.data(), count * sizeof(T));
    return values;
  }

  void Skip(size_t count) {
    if (count > rest_.size()) throw Error("the file ends too early");
    rest_ = rest_.subspan(count);
  }

 private:
  void Copy(void* to, size_t count) {
    const std::byte* from = rest_.data();
    Skip(count);
    if (count > 0) std::memcpy(to, from, count);
  }

  std::span<const std::byte> rest_;
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_BYTES_H_
