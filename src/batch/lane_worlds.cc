// Contacts and constraint rows of each lane are found by scalar code in a mjData of the lane, put into slots, and
// merged into one list of slots for all lanes. Merging needs an order on slots that is the same in every world: keys
// are built from type, object, geoms and a count, and ascend as rows do.
#include "batch/lane_worlds.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "batch/aligned_doubles.h"
#include "batch/lane_equalities.h"
#include "batch/lane_pairs.h"
#include "batch/lane_sweeps.h"
#include "batch/world_lane.h"
#include "batch/worlds_fields.h"
#include "collision/broad/filter.h"
#include "collision/collision.h"
#include "collision/contact.h"
#include "collision/item.h"
#include "constraint/arena_fields.h"
#include "constraint/contact_rows.h"
#include "constraint/island.h"
#include "constraint/jacobian_product.h"
#include "constraint/make_constraint.h"
#include "constraint/project.h"
#include "constraint/reference.h"
#include "constraint/update.h"
#include "core/stack.h"
#include "force/compliant_contact.h"
#include "model/contact_exclude.h"
#include "model/data.h"
#include "sensor/evaluate.h"
#include "solve/dual.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"
#include "solve/solve.h"

namespace sinew {
namespace {

// One of 64 bits, after a number: the place has the high bits of a product with 2^64 over the golden ratio (D. Knuth,
// The Art of Computer Programming, vol. 3, 6.4).
uint64_t BitOf(uint64_t number) { return uint64_t{1} << (number * 0x9e3779b97f4a7c15u >> 58); }

// Gives a contact of two geoms the friction that their model has. That of explicit pairs is the same in all lanes.
void SetFriction(const mjModel& m, mjContact* contact) {
  const int geom1 = contact->geom[0], geom2 = contact->geom[1];
  if (ExplicitPair(m, geom1, geom2) < m.npair) return;
  CompleteParameters(&m, MakeGeomPair(&m, geom1, geom2, -1), contact, 1);
}
// ---- rows and contacts that are made in lanes

// The dofs of a row of a joint or tendon, as bits.
uint64_t ColumnsOfRow(const mjModel& m, int type, int id) {
  if (type == mjCNSTR_FRICTION_DOF) return uint64_t{1} << id;
  if (type == mjCNSTR_LIMIT_JOINT) {
    return uint64_t{m.jnt_type[id] == mjJNT_BALL ? 7u : 1u} << m.jnt_dofadr[id];
  }
  uint64_t columns = 0;
  const int first = m.ten_J_rowadr[id];
  for (int i = first; i < first + m.ten_J_rownnz[id]; ++i) columns |= uint64_t{1} << m.ten_J_colind[i];
  return columns;
}
SlotKind KindOfRow(int type) {
  if (type == mjCNSTR_EQUALITY) return SlotKind::kEquality;
  return type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON ? SlotKind::kFriction : SlotKind::kOneSided;
}

// What the contacts of one pair have in common.
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
}  // namespace

class LaneWorlds {
 public:
  LaneWorlds(const mjModel& m, int width) : m_(m), equalities_(m, width), lanes_(static_cast<size_t>(width)) {
    for (WorldLane& lane : lanes_) {
      lane.model = &m;
      lane.world.reset(MakeData(m));
    }
    pairs_ = std::make_unique<PairList>(m, lanes_.front().world.get());
    pattern_.resize(static_cast<size_t>(SlotPatternInts(static_cast<int>(m.nv))));
    sensor_marks_.resize(static_cast<size_t>(m.nsensor));
  }

  const mjModel& model() const { return m_; }
  const PairList& pairs() const { return *pairs_; }
  mjData* World(int lane) const { return lanes_[static_cast<size_t>(lane)].world.get(); }
  const mjModel& Model(int lane) const { return *lanes_[static_cast<size_t>(lane)].model; }
  void SetParameter(int lane, const ModelParameter& parameter, const void* row) {
    WorldLane& of_lane = lanes_[static_cast<size_t>(lane)];
    if (!of_lane.own) of_lane.own = std::make_unique<mjModel>(m_);
    of_lane.model = of_lane.own.get();
    if (parameter.array) {
      parameter.array->SetPointer(*of_lane.own, const_cast<void*>(row));  // models of lanes are only read
    } else {
      std::memcpy(parameter.In(*of_lane.own), row, parameter.Bytes());
    }
  }

  // ---- what lanes find

  // Forgets the contacts of the last step. Lanes may find those of this one where all that is near has a formula.
  bool BeginContacts() {
    found_.clear();
    found_pairs_.clear();
    contacts_found_ = is_short_of_memory_ = false;
    are_whole_ = SolverOfLanes(m_) != LaneSolver::kSlots;
    for (WorldLane& lane : lanes_) lane.contacts = 0;
    geometry_count_ = 0;
    return pairs_->table(m_) && (ContactsAreDisabled() || pairs_->DoFormulasHold(m_));
  }
  bool IsAnyPairAlone() const { return !ContactsAreDisabled() && pairs_->IsAnyAlone(); }
  void CollideAlone() {
    for (size_t l = 0; l < lanes_.size(); ++l) {
      pairs_->Collide(*lanes_[l].model, lanes_[l].world.get(), l, PairList::Which::kAlone);
      lanes_[l].next_alone = 0;
    }
  }
  // The contacts of a world are in the order of pairs.
  void AddContactsAlone(int pair, bool is_single) {
    const ItemPair& geoms = pairs_->pair(pair);
    while (!ContactsAreDisabled()) {
      unsigned lanes = 0, with_rows = 0;
      for (size_t l = 0; l < lanes_.size(); ++l) {
        const mjContact* contact = NextAlone(lanes_[l], geoms);
        if (!contact) continue;
        const bool is_in_gap = contact->dist >= IncludeMargin(pair);
        lanes |= 1u << l;
        with_rows |= static_cast<unsigned>(are_whole_ || !is_in_gap) << l;
      }
      if (lanes == 0) return;
      double* geometry = AddContact(lanes, with_rows);
      const size_t size = static_cast<size_t>(LaneContact::kNumbers) * lanes_.size();
      if (geometry) std::fill_n(geometry, size, 0.0);  // which are zeros of floats, too
      for (size_t l = 0; l < lanes_.size(); ++l) {
        if (!(lanes >> l & 1)) continue;
        const mjContact& contact = lanes_[l].world->contact[lanes_[l].next_alone++];
        if (geometry && with_rows >> l & 1) WriteGeometry(contact, l, geometry, is_single);
      }
    }
  }
  // Mixing the parameters of two geoms takes longer than most formulas: each pair's are looked up once in a step.
  double IncludeMargin(int pair) {
    if (found_pairs_.empty() || found_pairs_.back().pair != pair) FindParameters(pair);
    return found_pairs_.back().parameters.includemargin;
  }
  bool KeepsWholeContacts() const { return are_whole_; }
  // IncludeMargin of the same pair comes first.
  double* AddContact(unsigned lanes, unsigned with_rows) {
    if (ContactsAreDisabled()) return nullptr;
    for (size_t l = 0; l < lanes_.size(); ++l) lanes_[l].contacts += static_cast<int>(lanes >> l & 1);
    const bool is_kept = with_rows && (are_whole_ || found_pairs_.back().dofs->columns);
    double* geometry = is_kept ? TakeGeometry() : nullptr;
    found_.push_back({&found_pairs_.back(), lanes, geometry ? with_rows : 0, geometry, 0});
    return geometry;
  }
  // A world alone would warn and leave contacts out where its arena is full: then each world has to find its own.
  bool EndContacts() {
    contacts_found_ = !is_short_of_memory_;
    for (WorldLane& lane : lanes_) contacts_found_ = LooksForRoom(lane, lane.contacts) && contacts_found_;
    return contacts_found_;
  }

  bool AreRowsInLanes() const {
    return pairs_->table(m_) && SolverOfLanes(m_) == LaneSolver::kSlots && equalities_.are_in_lanes();
  }
  const EqualityList& equalities() const { return equalities_; }
  void BeginJointRows() { joint_rows_.clear(); }
  void AddJointRow(int type, int id, int side, unsigned lanes) { joint_rows_.push_back({0, type, id, side, lanes}); }

  // ---- what worlds find

  // Where a lane may lack room for the rows of its contacts, all worlds make theirs: a slot has one way to its numbers.
  void FindRows(bool contacts_are_found) {
    contacts_found_ = contacts_are_found;
    for (WorldLane& lane : lanes_) {
      lane.rows_in_lanes = 0;
      lane.is_shown = false;
    }
    if (SolverOfLanes(m_) != LaneSolver::kSlots) {
      for (size_t l = 0; l < lanes_.size(); ++l) {
        mjData* d = lanes_[l].world.get();
        if (contacts_found_) {
          WriteContacts(l);
        } else {
          CollideLane(*lanes_[l].model, *pairs_, l, d);
          LooksForRoom(lanes_[l], d->ncon);
        }
        lanes_[l].is_shown = true;
        FindRowsOf(*lanes_[l].model, d);
      }
      return;
    }
    in_lanes_ = AreRowsInLanes();
    for (size_t l = 0; l < lanes_.size(); ++l) {
      mjData* d = lanes_[l].world.get();
      if (contacts_found_) {
        ClearArena(d);
      } else {
        CollideLane(*lanes_[l].model, *pairs_, l, d);
        in_lanes_ = LooksForRoom(lanes_[l], d->ncon) && in_lanes_;
      }
    }
    if (!in_lanes_) joint_rows_.clear();
    for (size_t l = 0; l < lanes_.size(); ++l) FindSlotsOf(l);
  }
  // The slots of all lanes in one list, and the numbers that worlds have computed at their places in it.
  const LaneSlots* Merge() {
    MergeKeys();
    if (!TakeMemory()) return nullptr;
    for (size_t lane = 0; lane < lanes_.size(); ++lane) Scatter(lane);
    return &merged_;
  }
  const LaneRows* SolveUpToSweeps() { return sweeps_.SolveUpToSweeps(lanes_); }
  void FinishSweeps(const LaneNumbers& force, const LaneNumbers& sweeps) {
    sweeps_.FinishSweeps(lanes_, force, sweeps);
  }
  int Contacts(int lane) {
    const WorldLane& of_lane = lanes_[static_cast<size_t>(lane)];
    if (contacts_found_ && !of_lane.is_shown) of_lane.world->ncon = of_lane.contacts;
    return of_lane.world->ncon;
  }
  // Rows that were made in lanes are not among those of the world.
  int Rows(int lane) const {
    const WorldLane& of_lane = lanes_[static_cast<size_t>(lane)];
    return of_lane.world->nefc + of_lane.rows_in_lanes;
  }
  // What the lane had in this step, wherever it was made, for the choice of its company in the next one (pack_order.h).
  uint64_t Constraints(int lane) const {
    uint64_t bits = 0;
    for (const LaneSlot& slot : lanes_[static_cast<size_t>(lane)].slots)
      bits |= BitOf(slot.key.high * 31 + slot.key.low);
    for (size_t i = 0; in_lanes_ && i < joint_rows_.size(); ++i) {
      const LaneJointRow& row = joint_rows_[i];
      const auto number = static_cast<uint64_t>(2 * row.id + row.side) << 8 | static_cast<uint64_t>(row.type);
      if (row.lanes >> lane & 1) bits |= BitOf(number);
    }
    for (size_t i = 0; contacts_found_ && i < found_.size(); ++i) {
      if (found_[i].with_rows >> lane & 1) bits |= BitOf(static_cast<uint64_t>(found_[i].of->pair) << 8 | 0xff);
    }
    return bits;
  }
  void WriteForces(const LaneNumbers& residual) {
    for (size_t lane = 0; lane < lanes_.size(); ++lane) WriteForcesOf(lane, residual);
  }
  bool TakeShortage(int lane) { return std::exchange(lanes_[static_cast<size_t>(lane)].is_short_of_room, false); }
  void ShowIslands() {
    if (SolverOfLanes(m_) != LaneSolver::kSweeps) return;
    for (WorldLane& lane : lanes_) Island(lane.model, lane.world.get());
  }
  bool* SensorMarks() { return reinterpret_cast<bool*>(sensor_marks_.data()); }
  void EvaluateTouches(const LaneTouch& touch) {
    for (size_t lane = 0; lane < lanes_.size(); ++lane) EvaluateTouchesOf(lane, touch);
  }

 private:
  bool ContactsAreDisabled() const { return m_.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT); }

  // ---- rows of a lane

  // Whether there is room for all of a lane's rows.
  bool LooksForRoom(WorldLane& lane, int contacts) const {
    const bool has_room = HasRoom(m_, *lane.world, contacts);
    lane.is_short_of_room = lane.is_short_of_room || !has_room;
    return has_room;
  }

  // Friction, impedance, margin and dofs of a pair, as collision gives them to each of its contacts.
  void FindParameters(int pair) {
    const ItemPair& geoms = pairs_->pair(pair);
    FoundPair& found = found_pairs_.emplace_back();
    found.pair = pair;
    found.parameters.dist = 0;
    CompleteParameters(&m_, geoms, &found.parameters, 1);
    found.dofs = &pairs_->DofsOf(m_, m_.geom_bodyid[geoms.first.id], m_.geom_bodyid[geoms.second.id]);
    found.rows = RowCountOf(&m_, found.parameters);
  }

  // The next contact of a lane that its world has found, where it is one of these geoms.
  static const mjContact* NextAlone(const WorldLane& lane, const ItemPair& geoms) {
    if (lane.next_alone == lane.world->ncon) return nullptr;
    const mjContact& contact = lane.world->contact[lane.next_alone];
    const int a = contact.geom[0], b = contact.geom[1], first = geoms.first.id, second = geoms.second.id;
    return (a == first && b == second) || (a == second && b == first) ? &contact : nullptr;
  }

  // Returns room for the geometry of one more contact.
  double* TakeGeometry() {
    const size_t size = static_cast<size_t>(LaneContact::kNumbers) * lanes_.size();
    if (geometry_count_ == geometry_.size()) geometry_.emplace_back();
    if (!geometry_[geometry_count_].Resize(size)) {
      is_short_of_memory_ = true;
      return nullptr;
    }
    return geometry_[geometry_count_++].get();
  }

  // Writes where a contact of a world is, in the precision of the pack; what follows from that is computed in lanes.
  void WriteGeometry(const mjContact& from, size_t l, double* geometry, bool is_single) const {
    const auto set = [&](int place, double number) {
      const size_t i = static_cast<size_t>(place) * lanes_.size() + l;
      if (is_single) {
        reinterpret_cast<float*>(geometry)[i] = static_cast<float>(number);
      } else {
        geometry[i] = number;
      }
    };
    set(LaneContact::kDistance, from.dist);
    for (int i = 0; i < 3; ++i) set(LaneContact::kPoint + i, from.pos[i]);
    for (int i = 0; i < 9; ++i) set(LaneContact::kFrame + i, from.frame[i]);
    set(LaneContact::kPresent, 1);
  }

  // Contacts that lanes have found, in the world of one: whole ones, as the narrow phase writes them.
  void WriteContacts(size_t l) const {
    const WorldLane& lane = lanes_[l];
    mjData* d = lane.world.get();
    ClearArena(d);
    if (lane.contacts == 0) return;
    const size_t width = lanes_.size(), bytes = static_cast<size_t>(lane.contacts) * sizeof(mjContact);
    auto* to = static_cast<mjContact*>(AllocArena(d, bytes, alignof(mjContact)));
    if (!to) return;  // EndContacts has seen that there is room
    d->ncon = lane.contacts;
    ForContactsOf(l, [&](int id, const FoundContact& contact) {
      const double* geometry = contact.geometry + l;
      mjContact& written = to[id];
      written = contact.of->parameters;
      if (lane.own) CompleteParameters(lane.model, pairs_->pair(contact.of->pair), &written, 1);
      written.dist = geometry[LaneContact::kDistance * width];
      for (size_t k = 0; k < 3; ++k) written.pos[k] = geometry[(LaneContact::kPoint + k) * width];
      for (size_t k = 0; k < 9; ++k) written.frame[k] = geometry[(LaneContact::kFrame + k) * width];
      written.exclude = written.dist >= written.includemargin ? contact_exclude::kInGap : contact_exclude::kActive;
    });
  }

  // Finds rows, references and slots of one lane, whose contacts are known.
  void FindSlotsOf(size_t l) {
    WorldLane& lane = lanes_[l];
    mjData* d = lane.world.get();
    if (!in_lanes_) {
      MakeConstraint(lane.model, d);
      return FindSlotsOfRows(*lane.model, lane);
    }
    ClearRows(d);
    lane.slots.clear();
    for (const LaneJointRow& row : joint_rows_) {
      if (row.lanes >> l & 1) lane.rows_in_lanes += DirectionsOf(row);
    }
    if (!contacts_found_) return AddContactSlots(m_, *pairs_, lane);
    lane.first_contact_row = d->nefc + lane.rows_in_lanes;
    for (const FoundContact& contact : found_) {
      if (contact.with_rows >> l & 1) lane.rows_in_lanes += contact.of->rows;
    }
  }

  int DirectionsOf(const LaneJointRow& row) const {
    return row.type == mjCNSTR_EQUALITY ? equalities_.table()[row.id].dim : 1;
  }

  // Calls use(contact's number in the lane, contact) for the contacts that lanes have found.
  template <class Use>
  void ForContactsOf(size_t l, const Use& use) const {
    int id = 0;
    for (const FoundContact& contact : found_) {
      if (contact.lanes >> l & 1) use(id++, contact);
    }
  }

  // ---- the union

  // In the order of rows: those of joints, those that worlds have found, contacts that lanes have found.
  void MergeKeys() {
    slots_.clear();
    columns_.clear();
    contacts_.clear();
    masks_.clear();
    lanes_of_slot_.clear();
    for (LaneJointRow& row : joint_rows_) {
      const bool is_equality = row.type == mjCNSTR_EQUALITY;
      row.slot = static_cast<int>(slots_.size());
      slots_.push_back({KindOfRow(row.type), DirectionsOf(row), 0, 0, 0, 0, nullptr, false});
      masks_.push_back(is_equality ? equalities_.columns(row.id) : ColumnsOfRow(m_, row.type, row.id));
      lanes_of_slot_.push_back(row.lanes);
    }
    MergeWorlds();
    for (FoundContact& contact : found_) {
      if (!contacts_found_ || !contact.geometry) continue;
      const FoundPair& pair = *contact.of;
      contact.merged = static_cast<int>(slots_.size());
      slots_.push_back({KindOfContact(m_, pair.parameters), pair.parameters.dim, 0, 0, 0, 0, nullptr, false});
      masks_.push_back(pair.dofs->columns);
      lanes_of_slot_.push_back(contact.with_rows);
      contacts_.push_back(ContactOf(pair.parameters));
      contacts_.back().geometry = contact.geometry;
    }
    Number(masks_);
  }

  // Each step takes the least key that is left.
  void MergeWorlds() {
    std::vector<size_t>& next = next_;
    next.assign(lanes_.size(), 0);
    while (true) {
      const LaneSlot* least = nullptr;
      size_t lane_of_least = 0;
      for (size_t l = 0; l < lanes_.size(); ++l) {
        if (next[l] == lanes_[l].slots.size()) continue;
        const LaneSlot& candidate = lanes_[l].slots[next[l]];
        if (least && !(candidate.key < least->key)) continue;
        least = &candidate;
        lane_of_least = l;
      }
      if (!least) return;
      const SlotKey key = least->key;
      slots_.push_back(least->slot);
      if (least->contact >= 0) contacts_.push_back(ContactOf(lanes_[lane_of_least].world->contact[least->contact]));
      masks_.push_back(0);
      lanes_of_slot_.push_back(0);
      for (size_t l = 0; l < lanes_.size(); ++l) {
        if (next[l] == lanes_[l].slots.size() || !(lanes_[l].slots[next[l]].key == key)) continue;
        LaneSlot& slot = lanes_[l].slots[next[l]++];
        slot.merged = static_cast<int>(slots_.size()) - 1;
        masks_.back() |= slot.columns;
        lanes_of_slot_.back() |= 1u << l;
      }
    }
  }

  // Returns the contact that belongs to the union's last slot.
  LaneContact ContactOf(const mjContact& contact) const {
    LaneContact merged = {};
    merged.slot = static_cast<int>(slots_.size()) - 1;
    merged.parameters = &contact;
    double inverse = 0;
    for (int i = 0; i < 2; ++i) {
      const int body = m_.geom_bodyid[contact.geom[i]];
      merged.body[i] = body;
      merged.root[i] = m_.body_rootid[body];
      inverse += m_.body_invweight0[2 * body];
    }
    merged.weight = WeightOfFirstRow(&m_, contact, inverse);
    merged.is_second =
        pairs_->DofsOf(m_, m_.geom_bodyid[contact.geom[0]], m_.geom_bodyid[contact.geom[1]]).is_second.data();
    return merged;
  }

  // Columns, directions and weights of the union's slots.
  void Number(const std::vector<uint64_t>& masks) {
    merged_ = {};
    jacobian_size_ = 0;
    size_t columns = 0;
    for (const uint64_t mask : masks) columns += static_cast<size_t>(std::popcount(mask));
    columns_.resize(columns);
    int* col = columns_.data();
    for (size_t s = 0; s < slots_.size(); ++s) {
      Slot& slot = slots_[s];
      slot.first = merged_.directions;
      slot.weight = merged_.weights;
      slot.row = 0;
      slot.col = col;
      for (uint64_t rest = masks[s]; rest != 0; rest &= rest - 1) *col++ = std::countr_zero(rest);
      slot.ncol = static_cast<int>(col - slot.col);
      merged_.directions += slot.dim;
      merged_.weights += WeightCount(slot);
      merged_.cones += slot.kind == SlotKind::kElliptic;
      if (!OwnJacobian(s)) jacobian_size_ += static_cast<size_t>(slot.dim * slot.ncol);
    }
    merged_.count = static_cast<int>(slots_.size());
    for (const WorldLane& lane : lanes_) merged_.of_lanes += static_cast<int>(lane.slots.size());
    for (const LaneJointRow& row : joint_rows_) merged_.of_lanes += std::popcount(row.lanes);
    for (const FoundContact& contact : found_)
      merged_.of_lanes += contacts_found_ ? std::popcount(contact.with_rows) : 0;
    merged_.slot = slots_.data();
    merged_.lanes = lanes_of_slot_.data();
    slot_lists_.resize(2 * slots_.size());
    merged_.live = slot_lists_.data();
    merged_.open = merged_.live + slots_.size();
    if (slots_.empty()) return;  // nobody solves anything
    merged_.pattern = FindSlotPattern(static_cast<int>(m_.nv), m_.dof_parentid, m_.M_rownnz, m_.M_rowadr, m_.M_colind,
                                      slots_.data(), merged_.count, pattern_.data());
  }

  // Where the Jacobian of a slot is, if it stays there: those of equalities come first.
  double* OwnJacobian(size_t slot) const {
    const bool is_equality = slot < joint_rows_.size() && joint_rows_[slot].type == mjCNSTR_EQUALITY;
    return is_equality ? equalities_.table()[joint_rows_[slot].id].numbers : nullptr;
  }

  // Takes room for all numbers of the union and for the solver's scratch, `width` lanes side by side. What a lane
  // does not fill stays zero and adds nothing to any sum; scratch is not cleared.
  bool TakeMemory() {
    const size_t width = lanes_.size(), directions = static_cast<size_t>(merged_.directions);
    const size_t geometry = static_cast<size_t>(LaneContact::kNumbers) * contacts_.size();
    const size_t own = lanes_.front().own ? static_cast<size_t>(LaneContact::kOwnNumbers) * contacts_.size() : 0;
    const size_t rows = jacobian_size_ + 4 * directions, given = rows + geometry + own + 1;
    const size_t scratch = 4 * directions + 2 * static_cast<size_t>(merged_.weights) +
                           2 * static_cast<size_t>(merged_.pattern.nonzeros) + 5 * static_cast<size_t>(m_.nv);
    if (!numbers_.Resize(width * (given + scratch))) return false;
    double* next = numbers_.get();
    // lanes write their rows whole
    std::fill_n(next + (in_lanes_ ? width * rows : 0), width * (given - (in_lanes_ ? rows : 0)), 0.0);
    jacobian_.clear();
    const auto take = [&next, width](size_t count) {
      double* taken = next;
      next += count * width;
      return taken;
    };
    for (size_t s = 0; s < slots_.size(); ++s) {
      double* fixed = OwnJacobian(s);
      jacobian_.push_back(fixed ? fixed : take(static_cast<size_t>(slots_[s].dim * slots_[s].ncol)));
    }
    aref_ = take(directions);
    D_ = take(directions);
    scale_ = take(directions);
    bound_ = take(directions);
    present_ = take(1);
    for (LaneContact& contact : contacts_) {
      if (!contacts_found_) contact.geometry = take(static_cast<size_t>(LaneContact::kNumbers));
    }
    for (LaneContact& contact : contacts_) {
      if (own > 0) TakeOwnNumbers(contact, take(static_cast<size_t>(LaneContact::kOwnNumbers)));
    }
    merged_.contacts = static_cast<int>(contacts_.size());
    merged_.contact = contacts_.data();
    merged_.rows = static_cast<int>(joint_rows_.size());
    merged_.row = joint_rows_.data();
    merged_.compressed = IsSparse(&m_);
    merged_.equality = equalities_.table();
    merged_.in_lanes = in_lanes_;
    merged_.scratch = next;
    merged_.jacobian = jacobian_.data();
    merged_.aref = aref_;
    merged_.D = D_;
    merged_.scale = scale_;
    merged_.bound = bound_;
    merged_.present = present_;
    return true;
  }

  // Friction of a contact, and weight of its first row, in the models of the lanes.
  void TakeOwnNumbers(LaneContact& contact, double* own) const {
    contact.own = own;
    for (size_t l = 0; l < lanes_.size(); ++l) {
      const mjModel& m = *lanes_[l].model;
      mjContact in_lane = *contact.parameters;
      SetFriction(m, &in_lane);
      const double inverse = m.body_invweight0[2 * contact.body[0]] + m.body_invweight0[2 * contact.body[1]];
      const auto set = [&](int place, double x) { own[static_cast<size_t>(place) * lanes_.size() + l] = x; };
      set(LaneContact::kWeight, WeightOfFirstRow(&m, in_lane, inverse));
      for (int k = 0; k < 5; ++k) set(LaneContact::kFriction + k, in_lane.friction[k]);
    }
  }

  // Writes one lane's numbers to their places in the union.
  void Scatter(size_t l) {
    const WorldLane& lane = lanes_[l];
    const size_t width = lanes_.size();
    present_[l] = lane.slots.empty() && lane.rows_in_lanes == 0 ? 0 : 1;
    size_t contacts = 0;  // of the union that have been passed
    for (const LaneSlot& from : lane.slots) {
      if (from.contact >= 0) {
        while (contacts_[contacts].slot != from.merged) ++contacts;
        WriteGeometry(lane.world->contact[from.contact], l, contacts_[contacts].geometry, /*is_single=*/false);
        continue;
      }
      const Slot& to = slots_[static_cast<size_t>(from.merged)];
      const auto first = static_cast<size_t>(to.first), numbers = static_cast<size_t>(from.numbers);
      for (size_t k = 0; k < static_cast<size_t>(to.dim); ++k) {
        aref_[(first + k) * width + l] = lane.aref[numbers + k];
        D_[(first + k) * width + l] = lane.D[numbers + k];
        scale_[(first + k) * width + l] = lane.scale[numbers + k];
        bound_[(first + k) * width + l] = lane.bound[numbers + k];
      }
      // columns that the lane does not have stay zero
      double* J = jacobian_[static_cast<size_t>(from.merged)] + l;
      const double* source = lane.J.data() + from.J;
      for (int c = 0; c < to.ncol; ++c) {
        if (!(from.columns >> to.col[c] & 1)) continue;
        for (int k = 0; k < to.dim; ++k) {
          J[static_cast<size_t>(k * to.ncol + c) * width] = source[k * from.slot.ncol];
        }
        ++source;
      }
    }
  }

  // Contacts of a lane that push, with what touch sensors read of them, and their normal forces: of a slot, the force
  // along its first direction.
  void FindPushes(size_t l, const LaneNumbers& force) {
    const size_t width = lanes_.size();
    pushes_.clear();
    push_force_.clear();
    const auto normal_force = [&](int slot) {
      return NumberAt(force, static_cast<size_t>(slots_[static_cast<size_t>(slot)].first) * width + l);
    };
    const auto add = [&](const mjContact& contact, double push) {
      pushes_.push_back(contact);
      push_force_.push_back(push);
    };
    for (const LaneSlot& slot : lanes_[l].slots) {
      if (slot.contact < 0 || !(normal_force(slot.merged) > 0)) continue;
      add(lanes_[l].world->contact[slot.contact], normal_force(slot.merged));
    }
    if (!contacts_found_) return;
    ForContactsOf(l, [&](int, const FoundContact& contact) {
      if (!(contact.with_rows >> l & 1) || !(normal_force(contact.merged) > 0)) return;
      add(contact.of->parameters, normal_force(contact.merged));
      const LaneNumbers geometry = {contact.geometry, force.is_single};
      for (size_t k = 0; k < 3; ++k) pushes_.back().pos[k] = NumberAt(geometry, (LaneContact::kPoint + k) * width + l);
      for (size_t k = 0; k < 9; ++k) {
        pushes_.back().frame[k] = NumberAt(geometry, (LaneContact::kFrame + k) * width + l);
      }
    });
  }

  // Poses of sites are needed where a contact pushes.
  void EvaluateTouchesOf(size_t l, const LaneTouch& touch) {
    mjData* d = lanes_[l].world.get();
    const size_t width = lanes_.size();
    FindPushes(l, touch.force);
    for (int i = 0; !pushes_.empty() && i < m_.nsensor; ++i) {
      if (m_.sensor_type[i] != mjSENS_TOUCH) continue;
      const auto site = static_cast<size_t>(m_.sensor_objid[i]);
      for (size_t k = 3 * site; k < 3 * site + 3; ++k) d->site_xpos[k] = NumberAt(touch.site_xpos, k * width + l);
      for (size_t k = 9 * site; k < 9 * site + 9; ++k) d->site_xmat[k] = NumberAt(touch.site_xmat, k * width + l);
    }
    sinew::EvaluateTouches(lanes_[l].model, d, {pushes_.data(), push_force_.data(), static_cast<int>(pushes_.size())});
  }

  // Contacts and rows of a world that were made in lanes.
  void ShowRows(size_t l) {
    WorldLane& lane = lanes_[l];
    mjData* d = lane.world.get();
    if (lane.is_shown) return;
    lane.is_shown = true;
    if (!contacts_found_ && lane.rows_in_lanes == 0) return;
    if (contacts_found_) CollideLane(*lane.model, *pairs_, l, d);
    lane.rows_in_lanes = 0;
    MakeConstraint(lane.model, d);
    ReferenceConstraint(lane.model, d);
  }

  // Residuals of directions become those of rows: a pyramid of dimension n has 2 (n - 1) edges, normal plus and minus
  // each tangent.
  void WriteForcesOf(size_t l, const LaneNumbers& residual) {
    WorldLane& lane = lanes_[l];
    mjData* d = lane.world.get();
    ShowRows(l);
    if (d->nefc == 0 || !residual.data) return;
    StackFrame frame(d);
    double* jar = frame.Doubles(d->nefc);
    const auto write = [&](int row, int merged) {
      const Slot& slot = slots_[static_cast<size_t>(merged)];
      const auto at = [&](int k) {
        return NumberAt(residual, static_cast<size_t>(slot.first + k) * lanes_.size() + l);
      };
      if (slot.kind != SlotKind::kPyramid) {
        for (int k = 0; k < slot.dim; ++k) jar[row + k] = at(k);
        return;
      }
      for (int k = 1; k < slot.dim; ++k) {
        jar[row + 2 * k - 2] = at(0) + at(k);
        jar[row + 2 * k - 1] = at(0) - at(k);
      }
    };
    int next = 0;
    for (const LaneJointRow& row : joint_rows_) {
      if (!(row.lanes >> l & 1)) continue;
      write(next, row.slot);
      next += DirectionsOf(row);
    }
    for (const LaneSlot& from : lane.slots) write(from.slot.row, from.merged);
    next = lane.first_contact_row;
    for (const FoundContact& contact : found_) {
      if (!contacts_found_ || !(contact.with_rows >> l & 1)) continue;
      write(next, contact.merged);
      next += contact.of->rows;
    }
    EvaluateRows(AllConstraintRows(d), jar, d->efc_force, d->efc_state, /*cone_hessian=*/true);
  }

  const mjModel& m_;
  EqualityList equalities_;
  std::vector<WorldLane> lanes_;
  std::unique_ptr<PairList> pairs_;

  // of the present step: found in lanes
  bool contacts_found_ = false, is_short_of_memory_ = false;
  bool are_whole_ = false;  // with their geometry where they are in the gap, too: worlds make their rows
  std::vector<FoundContact> found_;
  std::deque<FoundPair> found_pairs_;  // which stay where they are
  std::deque<AlignedDoubles> geometry_;
  size_t geometry_count_ = 0;
  std::vector<LaneJointRow> joint_rows_;
  bool in_lanes_ = false;  // all rows are made there

  // the union
  std::vector<Slot> slots_;
  std::vector<LaneContact> contacts_;
  std::vector<char> sensor_marks_;
  std::vector<mjContact> pushes_;
  std::vector<double> push_force_;
  std::vector<int> columns_, pattern_, slot_lists_;
  std::vector<unsigned> lanes_of_slot_;
  std::vector<size_t> next_;
  std::vector<uint64_t> masks_;
  std::vector<double*> jacobian_;
  AlignedDoubles numbers_;
  size_t jacobian_size_ = 0;
  double *aref_ = nullptr, *D_ = nullptr, *scale_ = nullptr, *bound_ = nullptr, *present_ = nullptr;
  LaneSlots merged_{};
  LaneSweeps sweeps_;
};

LaneWorlds* MakeLaneWorlds(const mjModel& m, int width) { return new (std::nothrow) LaneWorlds(m, width); }
void FreeLaneWorlds(LaneWorlds* worlds) { delete worlds; }
mjData* WorldOfLane(const LaneWorlds& worlds, int lane) { return worlds.World(lane); }
void SetLaneParameter(LaneWorlds& worlds, int lane, const ModelParameter& parameter, const void* row) {
  worlds.SetParameter(lane, parameter, row);
}
const mjModel& ModelOfLane(const LaneWorlds& worlds, int lane) { return worlds.Model(lane); }
const LanePairs* StaticPairs(const LaneWorlds& worlds) { return worlds.pairs().table(worlds.model()); }

void ResetLane(LaneWorlds& worlds, int lane, int warning, int index) {
  mjData* d = worlds.World(lane);
  ResetData(worlds.model(), d);
  ++d->warning[warning].number;
  d->warning[warning].lastinfo = index;
}

bool BeginContacts(LaneWorlds& worlds) { return worlds.BeginContacts(); }
bool IsAnyPairAlone(const LaneWorlds& worlds) { return worlds.IsAnyPairAlone(); }
void CollideAlone(LaneWorlds& worlds) { worlds.CollideAlone(); }
void AddContactsAlone(LaneWorlds& worlds, int pair, bool is_single) { worlds.AddContactsAlone(pair, is_single); }
double IncludeMargin(LaneWorlds& worlds, int pair) { return worlds.IncludeMargin(pair); }
bool KeepsWholeContacts(const LaneWorlds& worlds) { return worlds.KeepsWholeContacts(); }
double* AddLaneContact(LaneWorlds& worlds, unsigned lanes, unsigned with_rows) {
  return worlds.AddContact(lanes, with_rows);
}
bool EndContacts(LaneWorlds& worlds) { return worlds.EndContacts(); }
bool AreRowsInLanes(const LaneWorlds& worlds) { return worlds.AreRowsInLanes(); }
const LaneEquality* EqualitiesOfLanes(const LaneWorlds& worlds) { return worlds.equalities().table(); }
bool AreRowsCompressed(const LaneWorlds& worlds) { return IsSparse(&worlds.model()); }
void BeginJointRows(LaneWorlds& worlds) { worlds.BeginJointRows(); }
void AddJointRow(LaneWorlds& worlds, int type, int id, int side, unsigned lanes) {
  worlds.AddJointRow(type, id, side, lanes);
}
void FindRows(LaneWorlds& worlds, bool contacts_are_found) { worlds.FindRows(contacts_are_found); }
const LaneSlots* MergeRows(LaneWorlds& worlds) { return worlds.Merge(); }
int ContactsOfLane(LaneWorlds& worlds, int lane) { return worlds.Contacts(lane); }
int RowsOfLane(const LaneWorlds& worlds, int lane) { return worlds.Rows(lane); }
unsigned long long ConstraintsOfLane(const LaneWorlds& worlds, int lane) { return worlds.Constraints(lane); }
const LaneRows* SolveUpToSweeps(LaneWorlds& worlds) { return worlds.SolveUpToSweeps(); }
void FinishSweeps(LaneWorlds& worlds, const LaneNumbers& force, const LaneNumbers& sweeps) {
  worlds.FinishSweeps(force, sweeps);
}
bool TakeShortage(LaneWorlds& worlds, int lane) { return worlds.TakeShortage(lane); }
void ShowIslands(LaneWorlds& worlds) { worlds.ShowIslands(); }
bool* SensorMarks(LaneWorlds& worlds) { return worlds.SensorMarks(); }
void EvaluateTouches(LaneWorlds& worlds, const LaneTouch& touch) { worlds.EvaluateTouches(touch); }
void WriteForces(LaneWorlds& worlds, const LaneNumbers& residual) { worlds.WriteForces(residual); }

}  // namespace sinew
