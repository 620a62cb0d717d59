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
#include <vector>

#include "batch/plan/lane_ops.h"
#include "batch/plan/selection.h"

namespace sinew::inline batch {

class PackOrder {
  // The constraints of a world in its last step.
  struct Noted {
    int count = 0;
    LaneConstraint constraint[kMostNoted];
  };

 public:
  // Numbers of constraints are less than this: a table of them stays in the cache.
  static constexpr int kNumbers = 4096;
  // Memory that is kept for a world.
  static constexpr size_t kBytesOfWorld = sizeof(Noted) + sizeof(uint64_t) + sizeof(int);

  // What a world had in its last step (LaneStatus); threads may note different worlds at the same time.
  void Resize(int worlds) { noted_.assign(static_cast<size_t>(worlds), {}); }
  void Note(int world, const LaneConstraints& constraints);

  // Returns the worlds in an order where those with similar constraints follow one another. Constraints are compared
  // one after the other, first those that save most work where worlds that have them stay together: the work of one
  // times the worlds that have it, or that have it not, whichever are fewer.
  std::span<const int> Sort(const Selection& worlds);
  // Whether some of the worlds that were sorted last had constraints that others had not.
  bool divides() const { return divides_; }

 private:
  // Of a constraint, over all worlds that are sorted.
  struct Tally {
    uint32_t worlds = 0, work = 0;
    int last = -1;  // of these worlds
    int bit = -1;   // its place in keys; -1: none
  };

  void Count(const Selection& worlds, int count);
  void ChooseBits(int count);
  uint64_t KeyOf(const Noted& noted) const;

  std::vector<Noted> noted_;       // of each world
  std::vector<Tally> tally_;       // of each number of a constraint
  std::vector<uint16_t> met_;      // those that some world has
  std::vector<uint64_t> entries_;  // key, and in the low bits the place of the world in the selection
  std::vector<int> sorted_;
  bool divides_ = false;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_PACK_ORDER_H_
