// Sorting of short or almost sorted lists, without memory.
#ifndef SINEW_MATH_SORT_H_
#define SINEW_MATH_SORT_H_

#include <algorithm>
#include <functional>

namespace sinew::inline math {

// Increasing in the order `before`; equal entries keep their order.
template <class T, class Before = std::less<T>>
void InsertionSort(T* list, int n, const Before& before = {}) {
  for (int i = 1; i < n; ++i) {
    const T entry = list[i];
    int index = i;
    for (; index > 0 && before(entry, list[index - 1]); --index) list[index] = list[index - 1];
    list[index] = entry;
  }
}

inline constexpr int kShortList = 24;  // up to which insertion is fastest

// The same; equal entries of longer lists may change places.
template <class T, class Before = std::less<T>>
void Sort(T* list, int n, const Before& before = {}) {
  if (n <= kShortList) return InsertionSort(list, n, before);
  std::sort(list, list + n, before);
}

}  // namespace sinew::inline math

#endif  // SINEW_MATH_SORT_H_
