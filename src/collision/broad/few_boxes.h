// Overlapping pairs of few boxes: each is compared with all that follow it, four at a time. To sort them would take
// longer than to compare all.
#ifndef SINEW_COLLISION_BROAD_FEW_BOXES_H_
#define SINEW_COLLISION_BROAD_FEW_BOXES_H_

#include <cstdint>
#include <limits>

#include "collision/broad/sweep.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "simd/four.h"

namespace sinew {

class FewBoxes {
 public:
  static constexpr int kMost = 32;

  // Boxes that are still to be set, one by one or by four; the ids stay where they are. Of the boxes from `meeting` on,
  // none is asked for with another.
  FewBoxes(const int* ids, int meeting, int count) : ids_(ids), meeting_(meeting), count_(count) {}

  // Boxes first to first + 3; what is set beyond the last does not count.
  void SetFour(int first, const Vec3<Four>& low, const Vec3<Four>& high) {
    for (int k = 0; k < 3; ++k) {
      StoreFour(low[k], low_[k] + first);
      StoreFour(high[k], high_[k] + first);
    }
  }
  void Set(int i, const SweepItem& box) {
    for (int k = 0; k < 3; ++k) {
      low_[k][i] = box.low[k];
      high_[k][i] = box.high[k];
    }
  }

  // Calls visit(id1, id2) once for each pair of boxes that overlap.
  template <class Visit>
  void ForEachOverlap(const Visit& visit) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // overlaps with nothing
    for (int i = count_; i % kTogether != 0; ++i) low_[0][i] = kNone;
    // which overlap is chance: pairs are listed without branches
    uint32_t overlaps[kMost * (kMost - 1) / 2 + kTogether];
    uint32_t* end = overlaps;
    for (int a = 0; a < meeting_; ++a) end = FindOverlaps(a, end);
    for (const uint32_t* pair = overlaps; pair < end; ++pair) visit(ids_[*pair / kMost], ids_[*pair % kMost]);
  }

 private:
  static constexpr int kTogether = 4;

  // Appends a kMost + b for the boxes b that follow a and overlap with it.
  uint32_t* FindOverlaps(int a, uint32_t* out) const {
    const auto same = [a](const double(&bounds)[kMost]) { return InAllLanes(bounds[a]); };
    const Four low0 = same(low_[0]), low1 = same(low_[1]), low2 = same(low_[2]);
    const Four high0 = same(high_[0]), high1 = same(high_[1]), high2 = same(high_[2]);
    unsigned after_a = 0xeu << a % kTogether & 0xfu;
    for (int b = a - a % kTogether; b < count_; b += kTogether, after_a = 0xf) {
      const auto load = [b](const double(&bounds)[kMost]) { return LoadFour(bounds + b); };
      const unsigned bits = LaneBits((load(low_[0]) <= high0) & (load(low_[1]) <= high1) & (load(low_[2]) <= high2) &
                                     (load(high_[0]) >= low0) & (load(high_[1]) >= low1) & (load(high_[2]) >= low2));
      out = AppendLanes(bits & after_a, static_cast<uint32_t>(a * kMost + b), out);
    }
    return out;
  }

  const int* ids_;
  int meeting_, count_;
  alignas(32) double low_[3][kMost], high_[3][kMost];
};

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_FEW_BOXES_H_
