// Items that lie side by side, with their number. Unlike std::span, this leaves no functions in files for larger
// instruction sets, which the linker would keep for all (batch/plan/lane_ops.h).
#ifndef SINEW_BATCH_PLAN_LANE_SPAN_H_
#define SINEW_BATCH_PLAN_LANE_SPAN_H_

#include <type_traits>
#include <vector>

namespace sinew::inline batch {

template <class T>
struct LaneSpan {
  T* data = nullptr;
  int count = 0;

  [[gnu::always_inline]] T& operator[](int i) const { return data[i]; }
  [[gnu::always_inline]] T* begin() const { return data; }
  [[gnu::always_inline]] T* end() const { return data + count; }
  [[gnu::always_inline]] bool empty() const { return count == 0; }
  [[gnu::always_inline]] operator LaneSpan<const T>() const requires(!std::is_const_v<T>) { return {data, count}; }
};

// The items of a vector, which must neither be changed in number nor moved as long as the span is used.
template <class T>
LaneSpan<T> SpanOf(std::vector<T>& items) {
  return {items.data(), static_cast<int>(items.size())};
}
template <class T>
LaneSpan<const T> SpanOf(const std::vector<T>& items) {
  return {items.data(), static_cast<int>(items.size())};
}

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_LANE_SPAN_H_
