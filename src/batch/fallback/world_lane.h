// One lane of a pack: its world, and the slots of the constraint rows that scalar code has found for it.
#ifndef SINEW_BATCH_FALLBACK_WORLD_LANE_H_
#define SINEW_BATCH_FALLBACK_WORLD_LANE_H_

#include <mujoco/mujoco.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "batch/fallback/lane_worlds.h"
#include "batch/pairs/lane_pairs.h"
#include "model/storage/data.h"
#include "solve/dual.h"
#include "solve/slots.h"

namespace sinew::inline batch {

inline double NumberAt(const LaneNumbers& numbers, size_t i) {
  return numbers.is_single ? static_cast<double>(static_cast<const float*>(numbers.data)[i])
                           : static_cast<const double*>(numbers.data)[i];
}

// Where a slot stands among all: keys ascend in the order of rows.
struct SlotKey {
  uint64_t high, low;

  friend bool operator==(const SlotKey&, const SlotKey&) = default;
  friend bool operator<(const SlotKey& a, const SlotKey& b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
};

// LaneSlot is one slot of one world, with what is needed to find its numbers again and to write its forces back.
struct LaneSlot {
  SlotKey key;
  Slot slot;       // its columns and first direction are those of the lane
  int J, numbers;  // where its Jacobian, and its numbers by direction, begin
  uint64_t columns;
  int merged;   // its place in the union
  int contact;  // of a slot whose rows are made in lanes: the contact of the world; otherwise -1
};

// WorldLane is one lane: its world, and its slots with their numbers one behind the other. Memory is kept from step to
// step.
struct WorldLane {
  const mjModel* model = nullptr;  // that of all, or its own
  std::unique_ptr<mjModel> own;    // which shares all arrays that are not its own
  DataPtr world;
  std::vector<LaneSlot> slots;
  std::vector<double> J, aref, D, scale, bound;
  int rows_in_lanes = 0;             // that are made in lanes and not in the world
  int first_contact_row = 0;         // of those
  int contacts = 0;                  // that were found in lanes
  std::vector<PairContacts> alone;   // pairs whose contacts its world has found beside
  size_t next_pair = 0;              // of these
  int next_alone = 0;                // of their contacts
  bool is_short_of_room = false;     // since the pack has asked
  bool has_rows = false;             // the world has its contacts and rows, wherever they were made
  std::optional<DualSolution> dual;  // while its sweeps run in lanes
  std::optional<DualForces> forces;  // the same where its dual matrix is made there, too
};

SlotKind KindOfContact(const mjModel& m, const mjContact& contact);

// Finds the contacts of one lane.
void CollideLane(const mjModel& m, const PairList& pairs, size_t index, mjData* d);

// References and slots of the rows that a lane's world has. Where memory for slots is short, the world loses its
// rows and has warned.
void FindSlotsOfRows(const mjModel& m, WorldLane& lane);

// Appends slots for the contacts of a world, without numbers. Contacts come in the order of pairs, as rows do.
void AddContactSlots(const mjModel& m, const PairList& pairs, WorldLane& lane);

// Whether so many contacts, all rows, and their solution in a world alone are sure to fit into the arena. A pair of
// geoms is given room for as many contacts as it may have, and its function for `scratch` bytes.
bool HasRoom(const mjModel& m, const mjData& d, int contacts, size_t scratch);

// Finds what a world alone has before its rows are solved, from its contacts. Sweeps do not use islands, which
// MakeIslands finds, and have their dual matrix from FinishRows, if not from lanes.
void FindRowsOf(const mjModel& m, mjData* d);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FALLBACK_WORLD_LANE_H_
