// Sorting of short or almost sorted lists, without memory.
#ifndef SINEW_MATH_SORT_H_
#define SINEW_MATH_SORT_H_

namespace sinew {

// Increasing; equal entries keep their order.
template <class T>
void InsertionSort(T* list, int n) {
  for (int i = 1; i < n; ++i) {
    const T entry = list[i];
    int place = i;
    for (; place > 0 && entry < list[place - 1]; --place) list[place] = list[place - 1];
    list[place] = entry;
  }
}

}  // namespace sinew

#endif  // SINEW_MATH_SORT_H_
