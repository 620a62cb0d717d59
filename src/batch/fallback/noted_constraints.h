// The constraints that a lane had in a step, by numbers that are the same in all packs of a model, for the order of
// worlds (batch/plan/pack_order.h).
#ifndef SINEW_BATCH_FALLBACK_NOTED_CONSTRAINTS_H_
#define SINEW_BATCH_FALLBACK_NOTED_CONSTRAINTS_H_

#include <cstdint>
#include <vector>

#include "batch/fallback/lane_set.h"
#include "batch/pairs/lane_contacts.h"
#include "batch/pairs/slot_union.h"
#include "batch/plan/lane_ops.h"

namespace sinew::inline batch {

class NotedConstraints {
 public:
  // Of the present step: pairs of geoms with contacts and joint rows that were made in lanes, or slots of the world.
  LaneConstraints Note(const LaneSet& set, const LaneContacts& contacts, size_t lane);

  // Adds the work of a union, and that of its lanes.
  void AddWork(const LaneSlots& slots, int width);
  double work() const { return work_; }
  double work_of_packs() const { return work_of_packs_; }

 private:
  std::vector<std::vector<LaneConstraint>> lists_;  // of each lane
  double work_ = 0, work_of_packs_ = 0;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FALLBACK_NOTED_CONSTRAINTS_H_
