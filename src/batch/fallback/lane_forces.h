// Forces of the slots of a pack, as they are seen in the worlds of its lanes: by touch sensors and by rows.
#ifndef SINEW_BATCH_FALLBACK_LANE_FORCES_H_
#define SINEW_BATCH_FALLBACK_LANE_FORCES_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "batch/fallback/lane_set.h"
#include "batch/fallback/lane_worlds.h"
#include "batch/pairs/lane_contacts.h"
#include "batch/pairs/slot_union.h"

namespace sinew::inline batch {

class LaneForces {
 public:
  LaneForces(LaneSet& set, const LaneContacts& found, const SlotUnion& slots)
      : set_(set), found_(found), union_(slots) {}

  // For one lane, as the functions of lane_worlds.h.
  void EvaluateTouches(size_t lane, const LaneTouch& touch);
  void Write(size_t lane, const LaneNumbers& residual);

 private:
  void FindPushes(size_t lane, const LaneNumbers& force);
  void WriteRows(size_t lane);

  LaneSet& set_;
  const LaneContacts& found_;
  const SlotUnion& union_;
  std::vector<mjContact> pushes_;
  std::vector<double> push_force_;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FALLBACK_LANE_FORCES_H_
