// The work that a pack does one world at a time: contacts and rows that are not computed in lanes are computed
// by scalar code in a mjData of each lane.
#include "batch/fallback/lane_worlds.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "batch/fallback/lane_forces.h"
#include "batch/fallback/lane_set.h"
#include "batch/fallback/noted_constraints.h"
#include "batch/fallback/world_lane.h"
#include "batch/pairs/lane_anchors.h"
#include "batch/pairs/lane_contacts.h"
#include "batch/pairs/lane_sweeps.h"
#include "batch/pairs/slot_union.h"
#include "constraint/arena_fields.h"
#include "constraint/island.h"
#include "constraint/jacobian_product.h"
#include "constraint/make_constraint.h"
#include "constraint/project.h"
#include "model/storage/data.h"

namespace sinew::inline batch {
namespace {

class LaneWorldsOfModel final : public LaneWorlds {
 public:
  LaneWorldsOfModel(const mjModel& m, int width)
      : set_(m, width),
        contacts_(set_),
        slots_(set_, contacts_),
        forces_(set_, contacts_, slots_),
        anchors_(set_, slots_) {
    sensor_marks_.resize(static_cast<size_t>(m.nsensor));
  }

  int width() const override { return static_cast<int>(set_.width()); }
  mjData* World(int lane) const override { return set_.lanes[static_cast<size_t>(lane)].world.get(); }
  const mjModel& Model(int lane) const override { return *set_.lanes[static_cast<size_t>(lane)].model; }
  void SetParameter(int lane, const ModelParameter& parameter, const void* row) override {
    set_.SetParameter(lane, parameter, row);
  }
  void Reset(int lane, int warning, int index) override {
    mjData* d = World(lane);
    ResetData(set_.m, d);
    ++d->warning[warning].number;
    d->warning[warning].lastinfo = index;
  }
  const bool* GeomsThatStepsRead() const override { return set_.read_geoms.get(); }

  // ---- contacts

  const LanePairs* StaticPairs() const override { return set_.pairs->table(set_.m); }
  bool MayTellApart() const override { return set_.pairs->MayTellApart(set_.m); }
  bool BeginContacts(bool is_single) override { return contacts_.Begin(is_single); }
  bool IsAnyPairAlone() const override { return contacts_.IsAnyPairAlone(); }
  void CollideAlone() override { contacts_.CollideAlone(); }
  void AddContactsAlone(int pair) override { contacts_.AddAlone(pair); }
  double* AddContact(unsigned lanes, unsigned with_rows) override { return contacts_.Add(lanes, with_rows); }
  double IncludeMargin(int pair) override { return contacts_.IncludeMargin(pair); }
  bool KeepsWholeContacts() const override { return contacts_.KeepsWhole(); }
  int FindFeet(int pair, unsigned lanes, LaneFeet& feet) override {
    return set_.pairs->FindFeet(set_.m, width(), pair, lanes, feet);
  }
  bool EndContacts() override { return contacts_.End(); }

  // ---- rows

  bool AreRowsInLanes() const override {
    return set_.pairs->table(set_.m) && SolverOfLanes(set_.m) == LaneSolver::kSlots && set_.equalities.are_in_lanes();
  }

  void BeginJointRows() override { set_.joint_rows.clear(); }
  void AddJointRow(int type, int id, int side, unsigned lanes) override {
    set_.joint_rows.push_back({0, type, id, side, lanes});
  }
  LaneSpan<const LaneEquality> Equalities() const override { return set_.equalities.table(); }
  OwnLaws Own() const override { return set_.own; }
  bool AreRowsCompressed() const override { return IsSparse(&set_.m); }

  // Where a lane may lack room for the rows of its contacts, all worlds make theirs: a slot has one way to its numbers.
  void FindRows(bool contacts_are_found) override {
    contacts_.SetFound(contacts_are_found);
    for (WorldLane& lane : set_.lanes) {
      lane.rows_in_lanes = 0;
      lane.has_rows = false;
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
  const LaneSlots* MergeRows() override {
    const LaneSlots* merged = slots_.Merge();
    if (merged) noted_.AddWork(*merged, width());
    return merged;
  }

  // ---- anchors

  bool HaveAnchors() const override { return StickStates(&set_.m) > 0; }
  void TakeAnchors(bool is_single) override { anchors_.Take(is_single); }
  void KeepAnchors(bool is_single, bool any) override { anchors_.Keep(is_single, any); }

  // ---- sweeps

  bool IsDualInLanes() const override {
    if (SolverOfLanes(set_.m) != LaneSolver::kSweeps || IsSparse(&set_.m) || set_.m.nv > kMaxSweptDofs) return false;
    return std::all_of(set_.lanes.begin(), set_.lanes.end(),
                       [](const WorldLane& lane) { return lane.world->nefc <= kMaxSweptRows; });
  }
  void FinishRows() override {
    for (WorldLane& lane : set_.lanes) ProjectConstraint(lane.model, lane.world.get());
  }
  const LaneRows* GatherRows(bool is_single) override { return sweeps_.GatherRows(set_.lanes, is_single); }
  void PushRows(const LaneNumbers& force, const LaneNumbers& sweeps) override {
    sweeps_.PushRows(set_.lanes, force, sweeps);
  }
  const LaneRows* SolveUpToSweeps() override { return sweeps_.SolveUpToSweeps(set_.lanes); }
  void FinishSweeps(const LaneNumbers& force, const LaneNumbers& sweeps) override {
    sweeps_.FinishSweeps(set_.lanes, force, sweeps);
  }

  // ---- what a step leaves

  int Contacts(int lane) override {
    const WorldLane& of_lane = set_.lanes[static_cast<size_t>(lane)];
    if (contacts_.are_found() && !of_lane.has_rows) of_lane.world->ncon = of_lane.contacts;
    return of_lane.world->ncon;
  }
  // Rows that were made in lanes are not among those of the world.
  int Rows(int lane) const override {
    const WorldLane& of_lane = set_.lanes[static_cast<size_t>(lane)];
    return of_lane.world->nefc + of_lane.rows_in_lanes;
  }
  LaneConstraints Constraints(int lane) override { return noted_.Note(set_, contacts_, static_cast<size_t>(lane)); }
  void AddWork(PackUse* use) const override {
    use->work += noted_.work();
    use->work_of_packs += noted_.work_of_packs();
  }
  void WriteForces(const LaneNumbers& residual) override {
    for (size_t lane = 0; lane < set_.width(); ++lane) forces_.Write(lane, residual);
  }
  bool TakeShortage(int lane) override {
    return std::exchange(set_.lanes[static_cast<size_t>(lane)].is_short_of_room, false);
  }
  void MakeIslands() override {
    if (SolverOfLanes(set_.m) != LaneSolver::kSweeps) return;
    for (WorldLane& lane : set_.lanes) Island(lane.model, lane.world.get());
  }
  bool* SensorMarks() override { return reinterpret_cast<bool*>(sensor_marks_.data()); }
  void EvaluateTouches(const LaneTouch& touch) override {
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
      lane.has_rows = true;
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
  LaneAnchors anchors_;
  LaneSweeps sweeps_;
  NotedConstraints noted_;
  std::vector<char> sensor_marks_;
};

}  // namespace

LaneWorlds::~LaneWorlds() = default;

LaneWorlds* MakeLaneWorlds(const mjModel& m, int width) { return new (std::nothrow) LaneWorldsOfModel(m, width); }
void FreeLaneWorlds(LaneWorlds* worlds) { delete worlds; }

}  // namespace sinew::inline batch
