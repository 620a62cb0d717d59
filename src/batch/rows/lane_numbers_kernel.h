// Numbers that scalar code has written for all lanes, side by side as doubles (batch/fallback/lane_worlds.h), as packs.
// Packs of double are these numbers. Packs of float take their place, from the front, narrowed.
#ifndef SINEW_BATCH_ROWS_LANE_NUMBERS_KERNEL_H_
#define SINEW_BATCH_ROWS_LANE_NUMBERS_KERNEL_H_

#include <type_traits>

#include "batch/fallback/lane_worlds.h"
#include "simd/pack.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

template <class S>
constexpr bool kIsSingle = std::is_same_v<typename LaneTraits<S>::Lane, float>;

// `count` packs; the doubles are lost where S is of float.
template <class S>
S* TakeNumbers(double* numbers, int count) {
  S* packs = reinterpret_cast<S*>(numbers);
  if constexpr (kIsSingle<S>) {
    constexpr int kWidth = LaneTraits<S>::kWidth;
    for (int i = 0; i < count; ++i) {
      double wide[kWidth];
      __builtin_memcpy(wide, numbers + i * kWidth, sizeof(wide));
      S narrow(0.0f);
      for (int lane = 0; lane < kWidth; ++lane) narrow.Set(lane, static_cast<float>(wide[lane]));
      __builtin_memcpy(packs + i, &narrow, sizeof(narrow));
    }
  }
  return packs;
}

template <class S>
void TakeNumbers(LaneSpan<double> numbers) {
  TakeNumbers<S>(numbers.data, numbers.count / LaneTraits<S>::kWidth);
}

// Numbers that are packs already.
template <class S>
S* PacksOf(LaneSpan<double> numbers) {
  return reinterpret_cast<S*>(numbers.data);
}

// `with_contacts`: where worlds, and not lanes, have found them.
template <class S>
void TakeSlotNumbers(const LaneSlots& slots, bool with_contacts) {
  TakeNumbers<S>(slots.present);
  const LaneSpan<double> of_directions[] = {slots.aref, slots.D, slots.scale, slots.bound};
  for (const LaneSpan<double>& numbers : of_directions) {
    if (!slots.in_lanes) TakeNumbers<S>(numbers);
  }
  for (int s = 0; s < slots.slot.count && !slots.in_lanes; ++s) {
    TakeNumbers<S>(slots.jacobian[s], slots.slot[s].dim * slots.slot[s].ncol);
  }
  for (int i = 0; with_contacts && i < slots.contacts.count; ++i)
    TakeNumbers<S>(slots.contacts[i].geometry, LaneContact::kNumbers);
}

// Packs as scalar code reads them.
template <class S>
LaneNumbers NumbersOf(const S* packs) {
  return {packs, kIsSingle<S>};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_LANE_NUMBERS_KERNEL_H_
