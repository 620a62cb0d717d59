// Sorting of short or almost sorted lists, without memory.
#ifndef SINEW_MATH_SORT_H_
#define SINEW_MATH_SORT_H_

#include <algorithm>
#include <functional>

namespace sinew {

// Increasing in the order `before`; equal entries keep their order.
template <class T, class Before = std::less<T>>
void InsertionSort(T* list, int n, const Before& before = {}) {
  for (int i = 1; i < n; ++i) {
    const T entry = list[i];
    int place = i;
    for (; place > 0 && before(entry, list[place - 1]); --place) list[place] = list[place - 1];
    list[place] = entry;
  }
}

inline constexpr int kShortList = 24;  // up to which insertion is fastest

// The same; equal entries of longer lists may change places.
template <class T, class Before = std::less<T>>
void Sort(T* list, int n, const Before& before = {}) {
  if (n <= kShortList) return InsertionSort(list, n, before);
  std::sort(list, list + n, before);
}

}  // namespace sinew

#endif  // SINEW_MATH_SORT_H_
