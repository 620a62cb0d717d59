// Contacts and constraint rows of each lane are found by scalar code in a mjData of the lane, put into slots, and
// merged into one list of slots for all lanes. Merging needs an order on slots that is the same in every world: keys
// are built from type, object, geoms and a count, and ascend as rows do.
#include "batch/lane_worlds.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "batch/aligned_doubles.h"
#include "batch/lane_pairs.h"
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
#include "kinematics/tendon_kernel.h"
#include "model/contact_exclude.h"
#include "model/data.h"
#include "model/model_view.h"
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

double NumberAt(const LaneNumbers& numbers, size_t i) {
  return numbers.is_single ? static_cast<double>(static_cast<const float*>(numbers.data)[i])
                           : static_cast<const double*>(numbers.data)[i];
}

// ---- where a slot stands among all

// Ascends in the order of rows.
struct SlotKey {
  uint64_t high, low;

  friend bool operator==(const SlotKey&, const SlotKey&) = default;
  friend bool operator<(const SlotKey& a, const SlotKey& b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
};

// Rows that are not of contacts: by type, then by object, then as they come.
// The type stands at the top of the high word; the object and the count, 32 bits each, fill the low one.
SlotKey KeyOfRow(int type, int id, int ordinal) {
  return {static_cast<uint64_t>(type) << 56, static_cast<uint64_t>(id) << 32 | static_cast<uint64_t>(ordinal)};
}

// The explicit pair of two geoms, or npair: explicit ones come first among the pairs of their bodies.
int ExplicitPair(const mjModel& m, int geom1, int geom2) {
  for (int i = 0; i < m.npair; ++i) {
    const int a = m.pair_geom1[i], b = m.pair_geom2[i];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return i;
  }
  return static_cast<int>(m.npair);
}

// Contacts: by pair of bodies, then of geoms, then as they come.
// The type takes 8 bits, bodies 32, explicit pairs 24; geoms take 24 bits each, and the count 16.
SlotKey KeyOfContact(const mjModel& m, const mjContact& contact, int ordinal) {
  const int geom1 = contact.geom[0], geom2 = contact.geom[1];
  const uint64_t bodies = PairSignature(m.geom_bodyid[geom1], m.geom_bodyid[geom2]);
  const auto pair = static_cast<uint64_t>(ExplicitPair(m, geom1, geom2));
  return {uint64_t{mjCNSTR_CONTACT_FRICTIONLESS} << 56 | bodies << 24 | pair,
          static_cast<uint64_t>(geom1) << 40 | static_cast<uint64_t>(geom2) << 16 | static_cast<uint64_t>(ordinal)};
}

// ---- the slots of one lane

// This is one slot of one world, with what is needed to find its numbers again and to write its forces back.
struct LaneSlot {
  SlotKey key;
  Slot slot;       // its columns and first direction are those of the lane
  int J, numbers;  // where its Jacobian, and its numbers by direction, begin
  uint64_t columns;
  int merged;   // its place in the union
  int contact;  // of a slot whose rows are made in lanes: the contact of the world; otherwise -1
};

// This is one lane: its world, and its slots with their numbers one behind the other. Memory is kept from step to
// step.
struct WorldLane {
  DataPtr world;
  std::vector<LaneSlot> slots;
  std::vector<double> J, aref, D, scale, bound;
  int rows_in_lanes = 0;             // that are made in lanes and not in the world
  int first_contact_row = 0;         // of those
  int contacts = 0;                  // that were found in lanes
  int next_alone = 0;                // of the contacts that its world has found beside
  bool is_short_of_room = false;     // since the pack has asked
  bool is_shown = false;             // the world has its contacts and rows, wherever they were made
  std::optional<DualSolution> dual;  // while its sweeps run in lanes
};

// Keys of a world's slots, in order: those of one object are counted.
class KeyMaker {
 public:
  KeyMaker(const mjModel& m, const mjData& d) : m_(m), d_(d) {}

  SlotKey Next(const Slot& slot) {
    const int type = d_.efc_type[slot.row], id = d_.efc_id[slot.row];
    SlotKey key = Make(type, id, 0);
    ordinal_ = key == last_ ? ordinal_ + 1 : 0;
    last_ = key;
    return Make(type, id, ordinal_);
  }

 private:
  SlotKey Make(int type, int id, int ordinal) const {
    return type < mjCNSTR_CONTACT_FRICTIONLESS ? KeyOfRow(type, id, ordinal)
                                               : KeyOfContact(m_, d_.contact[id], ordinal);
  }

  const mjModel& m_;
  const mjData& d_;
  SlotKey last_ = {~uint64_t{0}, 0};
  int ordinal_ = 0;
};

void CopySlots(const mjModel& m, const SlotProblem<double>& p, WorldLane& lane) {
  KeyMaker keys(m, *lane.world);
  for (int s = 0; s < p.count; ++s) {
    const Slot& slot = p.slot[s];
    LaneSlot copy = {keys.Next(slot), slot, static_cast<int>(lane.J.size()), static_cast<int>(lane.D.size()), 0, 0, -1};
    for (int c = 0; c < slot.ncol; ++c) copy.columns |= uint64_t{1} << slot.col[c];
    copy.slot.col = nullptr;
    lane.slots.push_back(copy);
    lane.J.insert(lane.J.end(), p.jacobian[s], p.jacobian[s] + slot.dim * slot.ncol);
    // There are `dim` numbers for each slot, one for each direction.
    const auto append = [&slot](std::vector<double>& to, const double* from) {
      to.insert(to.end(), from + slot.first, from + slot.first + slot.dim);
    };
    append(lane.aref, p.aref);
    append(lane.D, p.D);
    append(lane.scale, p.scale);
    append(lane.bound, p.bound);
  }
}

// ---- rows and contacts that are made in lanes

// Whether the row of a fixed tendon is sure not to be zero, for which a world alone makes none.
bool HasEachJointOnce(const mjModel& m, int tendon) {
  for (int i = m.tendon_adr[tendon]; i < m.tendon_adr[tendon] + m.tendon_num[tendon]; ++i) {
    if (m.wrap_prm[i] == 0) return false;
    for (int k = m.tendon_adr[tendon]; k < i; ++k) {
      if (m.wrap_objid[k] == m.wrap_objid[i]) return false;
    }
  }
  return true;
}

// Whether a model has no rows beside contacts but friction loss and limits of dofs and fixed tendons.
bool HasOnlyJointRows(const mjModel& m) {
  for (int joint = 0; joint < m.njnt; ++joint) {
    if (m.jnt_limited[joint] && m.jnt_type[joint] == mjJNT_BALL) return false;
  }
  const ModelView<mjtNum> view(&m);
  for (int tendon = 0; tendon < m.ntendon; ++tendon) {
    const bool has_rows = m.tendon_limited[tendon] || m.tendon_frictionloss[tendon] > 0;
    if (has_rows && !(IsFixedTendon(view, tendon) && HasEachJointOnce(m, tendon))) return false;
  }
  return m.neq == 0;
}

// The dofs of a row, as bits.
uint64_t ColumnsOfRow(const mjModel& m, int type, int id) {
  if (type == mjCNSTR_FRICTION_DOF) return uint64_t{1} << id;
  if (type == mjCNSTR_LIMIT_JOINT) return uint64_t{1} << m.jnt_dofadr[id];
  uint64_t columns = 0;
  const int first = m.ten_J_rowadr[id];
  for (int i = first; i < first + m.ten_J_rownnz[id]; ++i) columns |= uint64_t{1} << m.ten_J_colind[i];
  return columns;
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

SlotKind KindOfContact(const mjModel& m, const mjContact& contact) {
  if (IsPyramidal(&m, contact)) return SlotKind::kPyramid;
  return contact.dim > 1 ? SlotKind::kElliptic : SlotKind::kOneSided;
}

// Finds the contacts of one lane.
void CollideLane(const mjModel& m, const PairList& pairs, size_t index, mjData* d) {
  if (!pairs.table(m)) {
    Collision(&m, d);
  } else if (!(m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT))) {
    pairs.Collide(m, d, index, PairList::Which::kAll);
  } else {
    ClearArena(d);
  }
  MarkCompliantContacts(&m, d);
}

// References and slots of the rows that a lane's world has. Where memory for slots is short, the world loses its
// rows and has warned.
void FindSlotsOfRows(const mjModel& m, WorldLane& lane) {
  mjData* d = lane.world.get();
  lane.slots.clear();
  for (std::vector<double>* numbers : {&lane.J, &lane.aref, &lane.D, &lane.scale, &lane.bound}) numbers->clear();
  if (d->nefc == 0) return;
  ReferenceConstraint(&m, d);
  StackFrame frame(d, WhenFull::kReport);
  Problem problem = WholeProblem(&m, d, frame);
  const SlotProblem<double>* slots = frame.full() ? nullptr : GatherSlots(problem, frame);
  if (slots) return CopySlots(m, *slots, lane);
  DropConstraints(d);
}

// Whether so many contacts, all rows, and their solution in a world alone are sure to fit into the arena. A pair of
// geoms is given room for as many contacts as it may have.
bool HasRoom(const mjModel& m, const mjData& d, int contacts) {
  constexpr size_t kOfRow = 1000, kRowsOfContact = 10, kCopies = 8;  // bytes beside the Jacobian; copies of that
  const size_t row = kOfRow + kCopies * sizeof(double) * static_cast<size_t>(m.nv);
  const auto count = static_cast<size_t>(contacts);
  const size_t rows =
      count * kRowsOfContact + 2 * static_cast<size_t>(m.njnt + m.ntendon) + static_cast<size_t>(m.nv + m.ntendon);
  const size_t of_dofs =
      100 * sizeof(double) * static_cast<size_t>(m.nv) + 4 * sizeof(double) * static_cast<size_t>(m.nC);
  const size_t dual = SolverOfLanes(m) == LaneSolver::kSlots ? 0 : 2 * sizeof(double) * rows * rows;
  const size_t used = d.pstack + (count + mjMAXCONPAIR) * sizeof(mjContact) + of_dofs + dual;
  return used + rows * row < static_cast<size_t>(d.narena);
}

// Appends slots for the contacts of a world, without numbers. Contacts come in the order of pairs, as rows do.
void AddContactSlots(const mjModel& m, const PairList& pairs, WorldLane& lane) {
  const mjData& d = *lane.world;
  SlotKey last = {~uint64_t{0}, 0};
  int ordinal = 0;
  for (int id = 0; id < d.ncon; ++id) {
    const mjContact& contact = d.contact[id];
    if (contact.exclude) continue;
    const auto& dofs = pairs.DofsOf(m, m.geom_bodyid[contact.geom[0]], m.geom_bodyid[contact.geom[1]]);
    if (dofs.columns == 0) continue;
    const SlotKey first = KeyOfContact(m, contact, 0);
    ordinal = first == last ? ordinal + 1 : 0;
    last = first;
    const Slot slot = {KindOfContact(m, contact), contact.dim, 0, 0, d.nefc + lane.rows_in_lanes, 0, nullptr, false};
    lane.slots.push_back({KeyOfContact(m, contact, ordinal), slot, 0, 0, dofs.columns, 0, id});
    lane.rows_in_lanes += RowCountOf(&m, contact);
  }
}

// Finds what a world alone has before its rows are solved, from its contacts. Sweeps do not use islands, which
// ShowIslands finds.
void FindRowsOf(const mjModel& m, mjData* d) {
  MakeConstraint(&m, d);
  if (SolverOfLanes(m) != LaneSolver::kSweeps) Island(&m, d);
  ProjectConstraint(&m, d);
  ReferenceConstraint(&m, d);
}

}  // namespace

class LaneWorlds {
 public:
  LaneWorlds(const mjModel& m, int width)
      : m_(m), has_only_joint_rows_(HasOnlyJointRows(m)), lanes_(static_cast<size_t>(width)) {
    for (WorldLane& lane : lanes_) lane.world.reset(MakeData(m));
    pairs_ = std::make_unique<PairList>(m, lanes_.front().world.get());
    pattern_.resize(static_cast<size_t>(SlotPatternInts(static_cast<int>(m.nv))));
    sensor_marks_.resize(static_cast<size_t>(m.nsensor));
  }

  const mjModel& model() const { return m_; }
  const PairList& pairs() const { return *pairs_; }
  mjData* World(int lane) const { return lanes_[static_cast<size_t>(lane)].world.get(); }

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
      pairs_->Collide(m_, lanes_[l].world.get(), l, PairList::Which::kAlone);
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

  bool AreJointRowsInLanes() const { return has_only_joint_rows_ && AreContactsInLanes(); }
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
          CollideLane(m_, *pairs_, l, d);
          LooksForRoom(lanes_[l], d->ncon);
        }
        lanes_[l].is_shown = true;
        FindRowsOf(m_, d);
      }
      return;
    }
    contacts_in_lanes_ = pairs_->table(m_) != nullptr;
    for (size_t l = 0; l < lanes_.size(); ++l) {
      mjData* d = lanes_[l].world.get();
      if (contacts_found_) {
        ClearArena(d);
      } else {
        CollideLane(m_, *pairs_, l, d);
        contacts_in_lanes_ = LooksForRoom(lanes_[l], d->ncon) && contacts_in_lanes_;
      }
    }
    joint_rows_in_lanes_ = contacts_in_lanes_ && AreJointRowsInLanes();
    if (!joint_rows_in_lanes_) joint_rows_.clear();
    for (size_t l = 0; l < lanes_.size(); ++l) FindSlotsOf(l);
  }
  // The slots of all lanes in one list, and the numbers that worlds have computed at their places in it.
  const LaneSlots* Merge() {
    MergeKeys();
    if (!TakeMemory()) return nullptr;
    for (size_t lane = 0; lane < lanes_.size(); ++lane) Scatter(lane);
    return &merged_;
  }
  // Worlds that have too many rows are solved at once: a matrix of all lanes should stay in the cache.
  const LaneRows* SolveUpToSweeps() {
    constexpr int kMaxRows = 64;
    rows_ = {};
    const bool sweeps = SolverOfLanes(m_) == LaneSolver::kSweeps;
    for (WorldLane& lane : lanes_) {
      mjData* d = lane.world.get();
      if (sweeps && d->nefc > 0 && d->nefc <= kMaxRows) lane.dual.emplace(&m_, d);
      if (lane.dual && lane.dual->full()) lane.dual.reset();
      if (lane.dual) {
        rows_.count = std::max(rows_.count, d->nefc);
      } else {
        SolveConstraints(&m_, d);
      }
    }
    if (rows_.count == 0) return nullptr;
    if (TakeRowMemory()) {
      for (size_t l = 0; l < lanes_.size(); ++l) GatherRows(l);
      return &rows_;
    }
    for (WorldLane& lane : lanes_) {
      if (!lane.dual) continue;
      lane.dual.reset();
      SolveConstraints(&m_, lane.world.get());
    }
    return nullptr;
  }
  void FinishSweeps(const LaneNumbers& force, const LaneNumbers& sweeps) {
    const size_t width = lanes_.size();
    for (size_t l = 0; l < width; ++l) {
      WorldLane& lane = lanes_[l];
      if (!lane.dual) continue;
      for (int i = 0; i < lane.world->nefc; ++i) {
        lane.dual->problem().force[i] = NumberAt(force, static_cast<size_t>(i) * width + l);
      }
      lane.dual->TakeForces(static_cast<int>(NumberAt(sweeps, l)));
      lane.dual->Finish();
      lane.dual.reset();
    }
  }
  bool AreContactsInLanes() const { return pairs_->table(m_) && SolverOfLanes(m_) == LaneSolver::kSlots; }
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
    for (size_t i = 0; joint_rows_in_lanes_ && i < joint_rows_.size(); ++i) {
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
    for (WorldLane& lane : lanes_) Island(&m_, lane.world.get());
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

  // Room for the geometry of one more contact.
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
    if (!contacts_in_lanes_) {
      MakeConstraint(&m_, d);
      return FindSlotsOfRows(m_, lane);
    }
    if (joint_rows_in_lanes_) {
      ClearRows(d);
      lane.slots.clear();
      for (const LaneJointRow& row : joint_rows_) lane.rows_in_lanes += static_cast<int>(row.lanes >> l & 1);
    } else {
      MakeConstraintWithoutContacts(&m_, d);
      FindSlotsOfRows(m_, lane);
    }
    if (!contacts_found_) return AddContactSlots(m_, *pairs_, lane);
    lane.first_contact_row = d->nefc + lane.rows_in_lanes;
    for (const FoundContact& contact : found_) {
      if (contact.with_rows >> l & 1) lane.rows_in_lanes += contact.of->rows;
    }
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
      const bool is_friction = row.type == mjCNSTR_FRICTION_DOF || row.type == mjCNSTR_FRICTION_TENDON;
      row.slot = static_cast<int>(slots_.size());
      slots_.push_back({is_friction ? SlotKind::kFriction : SlotKind::kOneSided, 1, 0, 0, 0, 0, nullptr, false});
      masks_.push_back(ColumnsOfRow(m_, row.type, row.id));
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
      jacobian_size_ += static_cast<size_t>(slot.dim * slot.ncol);
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

  // Takes room for all numbers of the union and for the solver's scratch, `width` lanes side by side. What a lane
  // does not fill stays zero and adds nothing to any sum; scratch is not cleared.
  bool TakeMemory() {
    const size_t width = lanes_.size(), directions = static_cast<size_t>(merged_.directions);
    const size_t geometry = static_cast<size_t>(LaneContact::kNumbers) * contacts_.size();
    const size_t rows = jacobian_size_ + 4 * directions, given = rows + geometry + 1;
    const size_t scratch = 4 * directions + 2 * static_cast<size_t>(merged_.weights) +
                           2 * static_cast<size_t>(merged_.pattern.nonzeros) + 5 * static_cast<size_t>(m_.nv);
    if (!numbers_.Resize(width * (given + scratch))) return false;
    double* next = numbers_.get();
    // lanes write their rows whole
    std::fill_n(next + (joint_rows_in_lanes_ ? width * rows : 0), width * (given - (joint_rows_in_lanes_ ? rows : 0)),
                0.0);
    jacobian_.clear();
    const auto take = [&next, width](size_t count) {
      double* taken = next;
      next += count * width;
      return taken;
    };
    for (const Slot& slot : slots_) jacobian_.push_back(take(static_cast<size_t>(slot.dim * slot.ncol)));
    aref_ = take(directions);
    D_ = take(directions);
    scale_ = take(directions);
    bound_ = take(directions);
    present_ = take(1);
    for (LaneContact& contact : contacts_) {
      if (!contacts_found_) contact.geometry = take(static_cast<size_t>(LaneContact::kNumbers));
    }
    merged_.contacts = static_cast<int>(contacts_.size());
    merged_.contact = contacts_.data();
    merged_.rows = static_cast<int>(joint_rows_.size());
    merged_.row = joint_rows_.data();
    merged_.compressed = IsSparse(&m_);
    merged_.contacts_in_lanes = contacts_in_lanes_;
    merged_.all_in_lanes = joint_rows_in_lanes_;
    merged_.scratch = next;
    merged_.jacobian = jacobian_.data();
    merged_.aref = aref_;
    merged_.D = D_;
    merged_.scale = scale_;
    merged_.bound = bound_;
    merged_.present = present_;
    return true;
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

  // Room for the rows of all lanes; what a lane does not fill is zero.
  bool TakeRowMemory() {
    const size_t width = lanes_.size(), count = static_cast<size_t>(rows_.count);
    const size_t numbers = width * (count * count + 6 * count + 1);
    if (!row_numbers_.Resize(numbers)) return false;
    double* next = row_numbers_.get();
    std::fill_n(next, numbers, 0.0);
    const auto take = [&next, width](size_t size) {
      double* taken = next;
      next += size * width;
      return taken;
    };
    rows_.A = take(count * count);
    rows_.diagonal = take(count);
    rows_.inverse = take(count);
    rows_.low = take(count);
    rows_.high = take(count);
    rows_.force = take(count);
    rows_.residual = take(count);
    rows_.present = take(1);
    return true;
  }

  // Writes one lane's rows to their places.
  void GatherRows(size_t l) {
    const WorldLane& lane = lanes_[l];
    if (!lane.dual) return;
    const auto in_lane = [l, width = lanes_.size()](const double* numbers, size_t i) -> double& {
      return const_cast<double*>(numbers)[i * width + l];
    };
    const DualProblem& dual = lane.dual->dual();
    const RowSet& rows = dual.rows();
    const size_t count = static_cast<size_t>(rows_.count);
    in_lane(rows_.present, 0) = 1;
    for (int row = 0; row < rows.nefc; ++row) {
      const auto i = static_cast<size_t>(row);
      dual.ForRow(row,
                  [&](int column, double value) { in_lane(rows_.A, i * count + static_cast<size_t>(column)) = value; });
      const RowBounds bounds = BoundsOfRow(rows, row);
      in_lane(rows_.low, i) = bounds.low;
      in_lane(rows_.high, i) = bounds.high;
      in_lane(rows_.diagonal, i) = dual.Diagonal(row);
      in_lane(rows_.inverse, i) = dual.InverseDiagonal(row);
      in_lane(rows_.force, i) = dual.Force(row);
      in_lane(rows_.residual, i) = dual.Residual(row);
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
    sinew::EvaluateTouches(&m_, d, {pushes_.data(), push_force_.data(), static_cast<int>(pushes_.size())});
  }

  // Contacts and rows of a world that were made in lanes.
  void ShowRows(size_t l) {
    WorldLane& lane = lanes_[l];
    mjData* d = lane.world.get();
    if (lane.is_shown) return;
    lane.is_shown = true;
    if (!contacts_found_ && lane.rows_in_lanes == 0) return;
    if (contacts_found_) CollideLane(m_, *pairs_, l, d);
    lane.rows_in_lanes = 0;
    MakeConstraint(&m_, d);
    ReferenceConstraint(&m_, d);
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
      if (row.lanes >> l & 1) write(next++, row.slot);
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
  bool has_only_joint_rows_;
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
  bool contacts_in_lanes_ = false, joint_rows_in_lanes_ = false;  // their rows are made in lanes

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
  AlignedDoubles row_numbers_;
  LaneRows rows_{};
};

LaneWorlds* MakeLaneWorlds(const mjModel& m, int width) { return new (std::nothrow) LaneWorlds(m, width); }
void FreeLaneWorlds(LaneWorlds* worlds) { delete worlds; }
mjData* WorldOfLane(const LaneWorlds& worlds, int lane) { return worlds.World(lane); }
const LanePairs* StaticPairs(const LaneWorlds& worlds) { return worlds.pairs().table(worlds.model()); }

// A model without any constraint skips scalar work altogether. Activity of equalities is not asked for, as it may
// change.
bool MayHaveRows(const mjModel& m) {
  const int disabled = m.opt.disableflags;
  if (disabled & mjDSBL_CONSTRAINT) return false;
  const auto any = [](const auto* values, mjtSize count) {
    return std::any_of(values, values + count, [](auto value) { return value != 0; });
  };
  const bool collides = m.npair > 0 || (any(m.geom_contype, m.ngeom) && any(m.geom_conaffinity, m.ngeom));
  return (m.neq > 0 && !(disabled & mjDSBL_EQUALITY)) ||
         (!(disabled & mjDSBL_LIMIT) && (any(m.jnt_limited, m.njnt) || any(m.tendon_limited, m.ntendon))) ||
         (!(disabled & mjDSBL_FRICTIONLOSS) &&
          (any(m.dof_frictionloss, m.nv) || any(m.tendon_frictionloss, m.ntendon))) ||
         (collides && !(disabled & mjDSBL_CONTACT));
}

// Slots are for one problem of all dofs: that of one tree, which is an island of its own, or of a system that is not
// divided into islands and that a world alone solves in slots, too.
LaneSolver SolverOfLanes(const mjModel& m) {
  if (!MayHaveRows(m)) return LaneSolver::kSlots;
  if (m.opt.noslip_iterations > 0) return LaneSolver::kAlone;
  if (m.opt.solver == mjSOL_PGS) return m.opt.cone == mjCONE_PYRAMIDAL ? LaneSolver::kSweeps : LaneSolver::kAlone;
  const int trees = static_cast<int>(m.ntree), dofs = static_cast<int>(m.nv);
  const bool is_one = trees == 1 || (m.opt.disableflags & mjDSBL_ISLAND);
  const bool in_slots = m.opt.solver == mjSOL_NEWTON && is_one && AreSlotsFaster(dofs, trees);
  return in_slots ? LaneSolver::kSlots : LaneSolver::kAlone;
}

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
bool AreJointRowsInLanes(const LaneWorlds& worlds) { return worlds.AreJointRowsInLanes(); }
void BeginJointRows(LaneWorlds& worlds) { worlds.BeginJointRows(); }
void AddJointRow(LaneWorlds& worlds, int type, int id, int side, unsigned lanes) {
  worlds.AddJointRow(type, id, side, lanes);
}
void FindRows(LaneWorlds& worlds, bool contacts_are_found) { worlds.FindRows(contacts_are_found); }
const LaneSlots* MergeRows(LaneWorlds& worlds) { return worlds.Merge(); }
bool AreContactsInLanes(const LaneWorlds& worlds) { return worlds.AreContactsInLanes(); }
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
