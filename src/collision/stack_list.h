// A list whose length is not known beforehand, in the scratch memory of a step. It grows by doubling; what it outgrows
// is released with the frame, so that the list never takes more than three times its final size.
//
// In a frame that reports when it is full, a list that cannot grow forgets its items and begins anew. It stays safe to
// use, but means nothing: the owner of the frame tests full() and does without.
#ifndef SINEW_COLLISION_STACK_LIST_H_
#define SINEW_COLLISION_STACK_LIST_H_

#include <algorithm>
#include <type_traits>

#include "core/stack.h"

namespace sinew::inline collision {

template <class T>
class StackList {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  // The frame must outlive the list.
  explicit StackList(StackFrame& frame) : frame_(frame) {}
  StackList(const StackList&) = delete;
  StackList& operator=(const StackList&) = delete;

  void Add(const T& value) { Next() = value; }
  // Appends an item that the caller writes.
  T& Next() {
    T& next = Room();
    ++size_;
    return next;
  }
  // The same in two steps: where the next item would be, and whether it is one.
  T& Room() {
    if (size_ == capacity_) Grow();
    return items_[size_];
  }
  void TakeIf(bool taken) { size_ += taken; }
  // Does the same for several items; null when the frame is full.
  T* Room(int count) {
    while (capacity_ - size_ < count) {
      if (!Grow()) return nullptr;
    }
    return items_ + size_;
  }
  void Take(int count) { size_ += count; }
  int size() const { return size_; }
  void Truncate(int size) { size_ = size; }
  T& operator[](int i) { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }

 private:
  bool Grow() {
    const int capacity = std::max(kFirstCapacity, 2 * capacity_);
    T* larger = frame_.Alloc<T>(capacity);
    if (!larger) return BeginAnew();
    std::copy(items_, items_ + size_, larger);
    items_ = larger;
    capacity_ = capacity;
    return true;
  }
  bool BeginAnew() {
    size_ = 0;
    if (capacity_ > 0) return false;
    items_ = &only_;
    capacity_ = 1;
    return false;
  }

  static constexpr int kFirstCapacity = 64;
  StackFrame& frame_;
  T* items_ = nullptr;
  T only_ = {};  // the item of a list without memory
  int size_ = 0, capacity_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_STACK_LIST_H_
