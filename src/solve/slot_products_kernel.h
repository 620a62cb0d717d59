// The slots (slots.h) that count, and products with their Jacobians, for one world and for lanes.
#ifndef SINEW_SOLVE_SLOT_PRODUCTS_KERNEL_H_
#define SINEW_SOLVE_SLOT_PRODUCTS_KERNEL_H_

#include "simd/lane_bits.h"
#include "simd/unroll.h"
#include "solve/slots.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// ---- slots that count

// The slots of some lanes, in their order; of one world alone, all.
template <class S>
class SlotList {
 public:
  // All slots. `memory`: an int for each, or null for one world.
  SlotList(const SlotProblem<S>& p, int* memory) : p_(p), number_(memory), count_(p.count) {
    for (int s = 0; s < count_ && kIsPack; ++s) number_[s] = s;
  }
  // Those of `from` that some of these lanes has.
  SlotList(const SlotList& from, int* memory, MaskOf<S> lanes) : p_(from.p_), number_(memory), count_(from.count_) {
    if constexpr (kIsPack) Choose(from, lanes);
  }
  void Keep(MaskOf<S> lanes) {
    if constexpr (kIsPack) Choose(*this, lanes);
  }
  // use(number of the slot) for each.
  template <class Use>
  void For(const Use& use) const {
    for (int i = 0; i < count_; ++i) {
      if constexpr (kIsPack) {
        use(number_[i]);
      } else {
        use(i);
      }
    }
  }

 private:
  static constexpr bool kIsPack = LaneTraits<S>::kWidth > 1;

  // Without branches, which would be guessed wrong. `from` may be this list.
  void Choose(const SlotList& from, MaskOf<S> lanes) {
    const unsigned wanted = LaneBits(lanes);
    const int count = from.count_;
    count_ = 0;
    for (int i = 0; i < count; ++i) {
      const int s = from.number_[i];
      number_[count_] = s;
      count_ += (p_.lanes[s] & wanted) != 0;
    }
  }

  const SlotProblem<S>& p_;
  int* number_;
  int count_;
};

// ---- products

// out (N) = J v for one slot, whose dimension is known when compiling.
template <int N, class S>
void MulSlot(const Slot& slot, const S* J, const S* v, S* out) {
  S sum[N];
  Unroll<0, N>([&](auto k) { sum[k] = S(0); });
  for (int c = 0; c < slot.ncol; ++c) {
    const S x = v[slot.col[c]];
    Unroll<0, N>([&](auto k) { sum[k] += J[k * slot.ncol + c] * x; });
  }
  Unroll<0, N>([&](auto k) { out[k] = sum[k]; });
}

// out (directions) = J v
template <class S>
void MulSlots(const SlotProblem<S>& p, const SlotList<S>& slots, const S* v, S* out) {
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    WithCount<kMaxSlotDim>(slot.dim, [&](auto dim) { MulSlot<dim>(slot, p.jacobian[s], v, out + slot.first); });
  });
}

// out (nv) = J' f
template <class S>
void MulSlotsTransposed(const SlotProblem<S>& p, const SlotList<S>& slots, const S* f, S* out) {
  for (int i = 0; i < p.nv; ++i) out[i] = S(0);
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const S *J = p.jacobian[s], *force = f + slot.first;
    WithCount<kMaxSlotDim>(slot.dim, [&](auto dim) {
      for (int c = 0; c < slot.ncol; ++c) {
        S sum = J[c] * force[0];
        Unroll<1, dim>([&](auto k) { sum += J[k * slot.ncol + c] * force[k]; });
        out[slot.col[c]] += sum;
      }
    });
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_PRODUCTS_KERNEL_H_
