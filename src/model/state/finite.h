// Whether all numbers of an array are finite, at a fraction of the cost of asking each.
#ifndef SINEW_MODEL_STATE_FINITE_H_
#define SINEW_MODEL_STATE_FINITE_H_

#include <cstddef>

namespace sinew::inline model {

// A number times zero is zero unless it is not finite, so that one sum tells of all. There are several, because each
// addition waits for the one before.
template <class T>
class FiniteSums {
 public:
  void Add(const T* x, ptrdiff_t n) {
    ptrdiff_t i = 0;
    for (; i + kSums <= n; i += kSums) {
      for (ptrdiff_t k = 0; k < kSums; ++k) sums_[k] += x[i + k] * 0;
    }
    for (ptrdiff_t k = 0; i < n; ++i, ++k) sums_[k] += x[i] * 0;
  }
  bool AreFinite() const {
    T sum = 0;
    for (const T part : sums_) sum += part;
    return sum == 0;
  }

 private:
  static constexpr ptrdiff_t kSums = 8;
  T sums_[kSums] = {};
};

template <class T>
bool AreFinite(const T* x, ptrdiff_t n) {
  FiniteSums<T> sums;
  sums.Add(x, n);
  return sums.AreFinite();
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_FINITE_H_
