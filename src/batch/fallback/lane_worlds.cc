// What a pack does one world at a time: contacts that lanes have not found, and rows that they do not make, are found
// by scalar code in a mjData of each lane.
#include "batch/fallback/lane_worlds.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "batch/fallback/lane_forces.h"
#include "batch/fallback/lane_set.h"
#include "batch/fallback/world_lane.h"
#include "batch/pairs/lane_contacts.h"
#include "batch/pairs/lane_sweeps.h"
#include "batch/pairs/slot_union.h"
#include "constraint/arena_fields.h"
#include "constraint/island.h"
#include "constraint/jacobian_product.h"
#include "constraint/make_constraint.h"
#include "constraint/project.h"
#include "model/storage/data.h"

namespace sinew {
namespace {

// One of 64 bits, after a number: the place has the high bits of a product with 2^64 over the golden ratio (D. Knuth,
// The Art of Computer Programming, vol. 3, 6.4).
uint64_t BitOf(uint64_t number) { return uint64_t{1} << (number * 0x9e3779b97f4a7c15u >> 58); }

}  // namespace

class LaneWorlds {
 public:
  LaneWorlds(const mjModel& m, int width)
      : set_(m, width), contacts_(set_), slots_(set_, contacts_), forces_(set_, contacts_, slots_) {
    sensor_marks_.resize(static_cast<size_t>(m.nsensor));
  }

  const mjModel& model() const { return set_.m; }
  mjData* World(int lane) const { return set_.lanes[static_cast<size_t>(lane)].world.get(); }
  const mjModel& Model(int lane) const { return *set_.lanes[static_cast<size_t>(lane)].model; }
  LaneSet& set() { return set_; }
  const LaneSet& set() const { return set_; }
  LaneContacts& contacts() { return contacts_; }
  const LaneContacts& contacts() const { return contacts_; }
  SlotUnion& slots() { return slots_; }

  bool AreRowsInLanes() const {
    return set_.pairs->table(set_.m) && SolverOfLanes(set_.m) == LaneSolver::kSlots && set_.equalities.are_in_lanes();
  }

  // Where a lane may lack room for the rows of its contacts, all worlds make theirs: a slot has one way to its numbers.
  void FindRows(bool contacts_are_found) {
    contacts_.SetFound(contacts_are_found);
    for (WorldLane& lane : set_.lanes) {
      lane.rows_in_lanes = 0;
      lane.is_shown = false;
    }
    if (SolverOfLanes(set_.m) != LaneSolver::kSlots) return FindWholeRows();
    set_.in_lanes = AreRowsInLanes();
    for (size_t l = 0; l < set_.width(); ++l) {
      WorldLane& lane = set_.lanes[l];
      if (contacts_.are_found()) {
        ClearArena(lane.world.get());
      } else {
        CollideLane(*lane.model, *set_.pairs, l, lane.world.get());
        set_.in_lanes = set_.LooksForRoom(lane, lane.world->ncon) && set_.in_lanes;
      }
    }
    if (!set_.in_lanes) set_.joint_rows.clear();
    for (size_t l = 0; l < set_.width(); ++l) FindSlotsOf(l);
  }
  bool IsDualInLanes() const {
    if (SolverOfLanes(set_.m) != LaneSolver::kSweeps || IsSparse(&set_.m) || set_.m.nv > kMaxSweptDofs) return false;
    return std::all_of(set_.lanes.begin(), set_.lanes.end(),
                       [](const WorldLane& lane) { return lane.world->nefc <= kMaxSweptRows; });
  }
  void FinishRows() {
    for (WorldLane& lane : set_.lanes) ProjectConstraint(lane.model, lane.world.get());
  }
  const LaneRows* GatherRows(bool is_single) { return sweeps_.GatherRows(set_.lanes, is_single); }
  void PushRows(const LaneNumbers& force, const LaneNumbers& sweeps) { sweeps_.PushRows(set_.lanes, force, sweeps); }
  const LaneRows* SolveUpToSweeps() { return sweeps_.SolveUpToSweeps(set_.lanes); }
  void FinishSweeps(const LaneNumbers& force, const LaneNumbers& sweeps) {
    sweeps_.FinishSweeps(set_.lanes, force, sweeps);
  }
  int Contacts(int lane) {
    const WorldLane& of_lane = set_.lanes[static_cast<size_t>(lane)];
    if (contacts_.are_found() && !of_lane.is_shown) of_lane.world->ncon = of_lane.contacts;
    return of_lane.world->ncon;
  }
  // Rows that were made in lanes are not among those of the world.
  int Rows(int lane) const {
    const WorldLane& of_lane = set_.lanes[static_cast<size_t>(lane)];
    return of_lane.world->nefc + of_lane.rows_in_lanes;
  }
  // What the lane had in this step, wherever it was made, for the choice of its company in the next one (pack_order.h).
  uint64_t Constraints(int lane) const {
    uint64_t bits = 0;
    for (const LaneSlot& slot : set_.lanes[static_cast<size_t>(lane)].slots)
      bits |= BitOf(slot.key.high * 31 + slot.key.low);
    for (size_t i = 0; set_.in_lanes && i < set_.joint_rows.size(); ++i) {
      const LaneJointRow& row = set_.joint_rows[i];
      const auto number = static_cast<uint64_t>(2 * row.id + row.side) << 8 | static_cast<uint64_t>(row.type);
      if (row.lanes >> lane & 1) bits |= BitOf(number);
    }
    const std::vector<FoundContact>& found = contacts_.list();
    for (size_t i = 0; contacts_.are_found() && i < found.size(); ++i) {
      if (found[i].with_rows >> lane & 1) bits |= BitOf(static_cast<uint64_t>(found[i].of->pair) << 8 | 0xff);
    }
    return bits;
  }
  void WriteForces(const LaneNumbers& residual) {
    for (size_t lane = 0; lane < set_.width(); ++lane) forces_.Write(lane, residual);
  }
  bool TakeShortage(int lane) { return std::exchange(set_.lanes[static_cast<size_t>(lane)].is_short_of_room, false); }
  void ShowIslands() {
    if (SolverOfLanes(set_.m) != LaneSolver::kSweeps) return;
    for (WorldLane& lane : set_.lanes) Island(lane.model, lane.world.get());
  }
  bool* SensorMarks() { return reinterpret_cast<bool*>(sensor_marks_.data()); }
  void EvaluateTouches(const LaneTouch& touch) {
    for (size_t lane = 0; lane < set_.width(); ++lane) forces_.EvaluateTouches(lane, touch);
  }

 private:
  // All that the worlds have before their solvers.
  void FindWholeRows() {
    for (size_t l = 0; l < set_.width(); ++l) {
      WorldLane& lane = set_.lanes[l];
      if (contacts_.are_found()) {
        contacts_.WriteToWorld(l);
      } else {
        CollideLane(*lane.model, *set_.pairs, l, lane.world.get());
        set_.LooksForRoom(lane, lane.world->ncon);
      }
      lane.is_shown = true;
      FindRowsOf(*lane.model, lane.world.get());
    }
  }

  // Finds rows, references and slots of one lane, whose contacts are known.
  void FindSlotsOf(size_t l) {
    WorldLane& lane = set_.lanes[l];
    mjData* d = lane.world.get();
    if (!set_.in_lanes) {
      MakeConstraint(lane.model, d);
      return FindSlotsOfRows(*lane.model, lane);
    }
    ClearRows(d);
    lane.slots.clear();
    for (const LaneJointRow& row : set_.joint_rows) {
      if (row.lanes >> l & 1) lane.rows_in_lanes += set_.DirectionsOf(row);
    }
    if (!contacts_.are_found()) return AddContactSlots(set_.m, *set_.pairs, lane);
    lane.first_contact_row = d->nefc + lane.rows_in_lanes;
    for (const FoundContact& contact : contacts_.list()) {
      if (contact.with_rows >> l & 1) lane.rows_in_lanes += contact.of->rows;
    }
  }

  LaneSet set_;
  LaneContacts contacts_;
  SlotUnion slots_;
  LaneForces forces_;
  LaneSweeps sweeps_;
  std::vector<char> sensor_marks_;
};

LaneWorlds* MakeLaneWorlds(const mjModel& m, int width) { return new (std::nothrow) LaneWorlds(m, width); }
void FreeLaneWorlds(LaneWorlds* worlds) { delete worlds; }
int WidthOf(const LaneWorlds& worlds) { return static_cast<int>(worlds.set().width()); }
mjData* WorldOfLane(const LaneWorlds& worlds, int lane) { return worlds.World(lane); }
void SetLaneParameter(LaneWorlds& worlds, int lane, const ModelParameter& parameter, const void* row) {
  worlds.set().SetParameter(lane, parameter, row);
}
const mjModel& ModelOfLane(const LaneWorlds& worlds, int lane) { return worlds.Model(lane); }
const bool* GeomsThatStepsRead(const LaneWorlds& worlds) { return worlds.set().read_geoms.get(); }
const LanePairs* StaticPairs(const LaneWorlds& worlds) { return worlds.set().pairs->table(worlds.model()); }

void ResetLane(LaneWorlds& worlds, int lane, int warning, int index) {
  mjData* d = worlds.World(lane);
  ResetData(worlds.model(), d);
  ++d->warning[warning].number;
  d->warning[warning].lastinfo = index;
}

bool MayTellApart(const LaneWorlds& worlds) { return worlds.set().pairs->MayTellApart(worlds.model()); }
bool BeginContacts(LaneWorlds& worlds, bool is_single) { return worlds.contacts().Begin(is_single); }
bool IsAnyPairAlone(const LaneWorlds& worlds) { return worlds.contacts().IsAnyPairAlone(); }
void CollideAlone(LaneWorlds& worlds) { worlds.contacts().CollideAlone(); }
void AddContactsAlone(LaneWorlds& worlds, int pair) { worlds.contacts().AddAlone(pair); }
double IncludeMargin(LaneWorlds& worlds, int pair) { return worlds.contacts().IncludeMargin(pair); }
bool KeepsWholeContacts(const LaneWorlds& worlds) { return worlds.contacts().KeepsWhole(); }
double* AddLaneContact(LaneWorlds& worlds, unsigned lanes, unsigned with_rows) {
  return worlds.contacts().Add(lanes, with_rows);
}
bool EndContacts(LaneWorlds& worlds) { return worlds.contacts().End(); }
bool AreRowsInLanes(const LaneWorlds& worlds) { return worlds.AreRowsInLanes(); }
const LaneEquality* EqualitiesOfLanes(const LaneWorlds& worlds) { return worlds.set().equalities.table(); }
bool AreRowsCompressed(const LaneWorlds& worlds) { return IsSparse(&worlds.model()); }
void BeginJointRows(LaneWorlds& worlds) { worlds.set().joint_rows.clear(); }
void AddJointRow(LaneWorlds& worlds, int type, int id, int side, unsigned lanes) {
  worlds.set().joint_rows.push_back({0, type, id, side, lanes});
}
void FindRows(LaneWorlds& worlds, bool contacts_are_found) { worlds.FindRows(contacts_are_found); }
const LaneSlots* MergeRows(LaneWorlds& worlds) { return worlds.slots().Merge(); }
int ContactsOfLane(LaneWorlds& worlds, int lane) { return worlds.Contacts(lane); }
int RowsOfLane(const LaneWorlds& worlds, int lane) { return worlds.Rows(lane); }
unsigned long long ConstraintsOfLane(const LaneWorlds& worlds, int lane) { return worlds.Constraints(lane); }
const LaneRows* SolveUpToSweeps(LaneWorlds& worlds) { return worlds.SolveUpToSweeps(); }
bool IsDualInLanes(const LaneWorlds& worlds) { return worlds.IsDualInLanes(); }
void FinishRows(LaneWorlds& worlds) { worlds.FinishRows(); }
const LaneRows* GatherRows(LaneWorlds& worlds, bool is_single) { return worlds.GatherRows(is_single); }
void PushRows(LaneWorlds& worlds, const LaneNumbers& force, const LaneNumbers& sweeps) {
  worlds.PushRows(force, sweeps);
}
void FinishSweeps(LaneWorlds& worlds, const LaneNumbers& force, const LaneNumbers& sweeps) {
  worlds.FinishSweeps(force, sweeps);
}
bool TakeShortage(LaneWorlds& worlds, int lane) { return worlds.TakeShortage(lane); }
void ShowIslands(LaneWorlds& worlds) { worlds.ShowIslands(); }
bool* SensorMarks(LaneWorlds& worlds) { return worlds.SensorMarks(); }
void EvaluateTouches(LaneWorlds& worlds, const LaneTouch& touch) { worlds.EvaluateTouches(touch); }
void WriteForces(LaneWorlds& worlds, const LaneNumbers& residual) { worlds.WriteForces(residual); }

}  // namespace sinew
