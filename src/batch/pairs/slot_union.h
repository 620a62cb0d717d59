// The union of the slots of a pack's lanes, in the order of rows of a world: what worlds have found and what lanes have
// found in one list, with room for the numbers of all lanes.
#ifndef SINEW_BATCH_PAIRS_SLOT_UNION_H_
#define SINEW_BATCH_PAIRS_SLOT_UNION_H_

#include <mujoco/mujoco.h>

#include <cstdint>
#include <vector>

#include "batch/fallback/lane_set.h"
#include "batch/fallback/lane_worlds.h"
#include "batch/pairs/lane_contacts.h"
#include "batch/plan/aligned_doubles.h"
#include "solve/slots.h"

namespace sinew::inline batch {

class SlotUnion {
 public:
  SlotUnion(LaneSet& set, LaneContacts& found);

  // The slots of all lanes in one list, and the numbers that worlds have computed at their places in it. Null when
  // memory is short.
  const LaneSlots* Merge();
  const Slot& slot(int merged) const { return slots_[static_cast<size_t>(merged)]; }
  const std::vector<LaneContact>& contacts() const { return contacts_; }
  bool IsIn(size_t lane, const LaneContact& contact) const {
    return lanes_of_slot_[static_cast<size_t>(contact.slot)] >> lane & 1;
  }

 private:
  void MergeKeys();
  void MergeWorlds();
  LaneContact ContactOf(const mjContact& contact, int explicit_pair) const;
  void NumberSlots();
  double* OwnJacobian(size_t slot) const;
  size_t NumbersOfScratch() const;
  bool TakeMemory();
  size_t CountHeld();
  void Publish(LaneSpan<double> scratch);
  void Scatter(size_t lane);

  LaneSet& set_;
  LaneContacts& found_;
  std::vector<Slot> slots_;
  std::vector<LaneContact> contacts_;
  std::vector<int> columns_, pattern_, slot_lists_;
  std::vector<unsigned> lanes_of_slot_;
  std::vector<size_t> next_;
  std::vector<uint64_t> masks_;  // the dofs of each slot
  std::vector<char> holds_;      // of each contact, whether it holds its point
  std::vector<double*> jacobian_;
  AlignedDoubles numbers_;
  size_t jacobian_size_ = 0;
  LaneSlots merged_{};
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_SLOT_UNION_H_
