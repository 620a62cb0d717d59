// Memory for packs in code that is compiled without their types: numbers aligned to the widest register.
#ifndef SINEW_BATCH_PLAN_ALIGNED_DOUBLES_H_
#define SINEW_BATCH_PLAN_ALIGNED_DOUBLES_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace sinew::inline batch {

class AlignedDoubles {
 public:
  // Room for `count` numbers, whose former values are lost when it grows. False when memory is short.
  bool Resize(size_t count) {
    if (count <= capacity_) return true;
    memory_.reset(static_cast<double*>(std::aligned_alloc(kAlignment, Padded(2 * count * sizeof(double)))));
    capacity_ = memory_ ? 2 * count : 0;
    return memory_ != nullptr;
  }
  double* get() const { return memory_.get(); }

 private:
  static constexpr size_t kAlignment = 64;
  static size_t Padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
  struct Free {
    void operator()(double* p) const { std::free(p); }
  };
  std::unique_ptr<double, Free> memory_;
  size_t capacity_ = 0;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_ALIGNED_DOUBLES_H_
