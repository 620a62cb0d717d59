// Which worlds share a pack.
//
// A pack goes through the union of its lanes' constraints, and as often as its slowest lane needs: worlds that touch
// the same things belong together. Numbers of a world do not depend on the other worlds of its pack, so that any order
// will do.
#ifndef SINEW_BATCH_PLAN_PACK_ORDER_H_
#define SINEW_BATCH_PLAN_PACK_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "batch/plan/selection.h"

namespace sinew::inline batch {

class PackOrder {
 public:
  // Memory that is kept for a world.
  static constexpr size_t kBytesOfWorld = sizeof(uint64_t) + sizeof(std::pair<uint64_t, int>) + sizeof(int);

  // One bit or more for each constraint that a world had in its last step (LaneStatus); threads may note different
  // worlds at the same time.
  void Resize(int worlds) { constraints_.assign(static_cast<size_t>(worlds), 0); }
  void Note(int world, uint64_t constraints) { constraints_[static_cast<size_t>(world)] = constraints; }

  // Returns the worlds in an order where those with similar constraints follow one another. Bits are compared one after
  // the other, first those that divide the worlds most evenly.
  std::span<const int> Sort(const Selection& worlds);

 private:
  std::vector<uint64_t> constraints_;              // of each world
  std::vector<std::pair<uint64_t, int>> entries_;  // bits, world
  std::vector<int> sorted_;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_PACK_ORDER_H_
