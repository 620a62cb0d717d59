// Contacts of a pack that are found in lanes (pack_contacts_kernel.h), as a list for all lanes.
#ifndef SINEW_BATCH_PAIRS_LANE_CONTACTS_H_
#define SINEW_BATCH_PAIRS_LANE_CONTACTS_H_

#include <mujoco/mujoco.h>

#include <deque>
#include <vector>

#include "batch/fallback/lane_set.h"
#include "batch/fallback/lane_worlds.h"
#include "batch/fallback/world_lane.h"
#include "batch/pairs/lane_pairs.h"
#include "batch/plan/aligned_doubles.h"
#include "collision/item.h"

namespace sinew::inline batch {

// The data that the contacts of one pair have in common.
struct FoundPair {
  int pair;
  int rows;  // of a contact
  mjContact parameters;
  const PairList::Dofs* dofs;
};

// A contact that lanes have found, with a bit for each lane that has it, and for each that has rows for it. Memory for
// its geometry is kept from step to step.
struct FoundContact {
  const FoundPair* of;
  unsigned lanes, with_rows;
  double* geometry;  // null: no lane has rows
  int merged;        // its place in the union
};

// Writes where a contact of a world is, in the precision of the pack; what follows from that is computed in lanes.
void WriteGeometry(const mjContact& from, size_t lane, size_t width, double* geometry, bool is_single);

class LaneContacts {
 public:
  explicit LaneContacts(LaneSet& set) : set_(set) {}

  // As the functions of lane_worlds.h.
  bool Begin(bool is_single);
  bool IsAnyPairAlone() const { return !set_.ContactsAreDisabled() && set_.pairs->IsAnyAlone(); }
  void CollideAlone();
  void AddAlone(int pair);
  // Mixing the parameters of two geoms takes longer than most formulas: each pair's are looked up once in a step.
  double IncludeMargin(int pair) {
    FindParametersOnce(pair);
    return pairs_.back().parameters.includemargin;
  }
  bool KeepsWhole() const { return are_whole_; }
  // IncludeMargin of the same pair comes first.
  double* Add(unsigned lanes, unsigned with_rows);
  bool End();

  // Whether all contacts of the step have been found, which is known to who has called End.
  void SetFound(bool found) { are_found_ = found; }
  bool are_found() const { return are_found_; }
  std::vector<FoundContact>& list() { return found_; }
  const std::vector<FoundContact>& list() const { return found_; }

  // Writes the contacts of one lane into its world: whole ones, as the narrow phase does it.
  void WriteToWorld(size_t lane) const;

  // Calls use(contact's number in the lane, contact) for each.
  template <class Use>
  void ForLane(size_t lane, const Use& use) const {
    int id = 0;
    for (const FoundContact& contact : found_) {
      if (contact.lanes >> lane & 1) use(id++, contact);
    }
  }

 private:
  void FindParametersOnce(int pair) {
    if (pairs_.empty() || pairs_.back().pair != pair) FindParameters(pair);
  }
  void FindParameters(int pair);
  static const mjContact* NextAlone(const WorldLane& lane, int pair);
  double* TakeGeometry();
  size_t GeometrySize() const { return static_cast<size_t>(LaneContact::kNumbers) * set_.width(); }

  LaneSet& set_;
  bool are_found_ = false, is_short_of_memory_ = false;
  bool is_single_ = false;  // geometry is in floats
  bool are_whole_ = false;  // with their geometry where they are in the gap, too: worlds make their rows
  std::vector<FoundContact> found_;
  std::deque<FoundPair> pairs_;  // which stay where they are
  std::deque<AlignedDoubles> geometry_;
  size_t geometry_count_ = 0;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_LANE_CONTACTS_H_
