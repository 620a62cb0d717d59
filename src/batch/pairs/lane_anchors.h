// Anchors of contacts that hold their point (docs/how/stick.md): whose they are, lane by lane. What follows from that
// is computed in lanes (batch/rows/anchor_slots_kernel.h).
#ifndef SINEW_BATCH_PAIRS_LANE_ANCHORS_H_
#define SINEW_BATCH_PAIRS_LANE_ANCHORS_H_

#include <vector>

#include "batch/fallback/lane_set.h"
#include "batch/fallback/lane_worlds.h"
#include "batch/pairs/slot_union.h"
#include "constraint/anchor_match.h"

namespace sinew::inline batch {

class LaneAnchors {
 public:
  LaneAnchors(LaneSet& set, const SlotUnion& slots) : set_(set), union_(slots) {}

  // As the functions of lane_worlds.h.
  void Take(bool is_single);
  void Keep(bool is_single, bool any);

 private:
  void FindHeld(size_t lane, bool is_single);

  LaneSet& set_;
  const SlotUnion& union_;
  std::vector<HeldContact> held_;  // of the lane at hand; their ids are places in the union
  std::vector<char> taken_;
  std::vector<double> room_;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_LANE_ANCHORS_H_
