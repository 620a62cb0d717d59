// Contacts and constraint rows of each lane are found by scalar code in a mjData of the lane, put into slots, and
// merged into one list of slots for all lanes. Merging needs an order on slots that is the same in every world: keys
// are built from type, object, geoms and a count, and ascend as rows do.
#include "batch/lane_worlds.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <unordered_map>
#include <vector>

#include "collision/broad/box_test.h"
#include "collision/broad/filter.h"
#include "collision/collision.h"
#include "collision/item.h"
#include "collision/narrowphase.h"
#include "collision/pairs.h"
#include "collision/stack_list.h"
#include "constraint/arena_fields.h"
#include "constraint/contact_rows.h"
#include "constraint/island.h"
#include "constraint/jacobian_product.h"
#include "constraint/make_constraint.h"
#include "constraint/pair_jacobian.h"
#include "constraint/project.h"
#include "constraint/reference.h"
#include "constraint/update.h"
#include "core/stack.h"
#include "force/compliant_contact.h"
#include "model/data.h"
#include "solve/dual.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"
#include "solve/solve.h"

namespace sinew {
namespace {

double NumberAt(const LaneNumbers& numbers, size_t i) {
  return numbers.is_single ? static_cast<double>(static_cast<const float*>(numbers.data)[i])
                           : static_cast<const double*>(numbers.data)[i];
}

// ---- where a slot stands among all

// Ascends in the order of rows.
struct SlotKey {
  uint64_t high, low;

  // 0 to 63: high bits of a product with 2^64 over the golden ratio (D. Knuth, vol. 3, 6.4).
  int Hash() const { return static_cast<int>((high * 31 + low) * 0x9e3779b97f4a7c15u >> 58); }

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
  int contact;  // of a slot whose rows are made in lanes: the contact of the world, or kLimit; otherwise -1

  static constexpr int kLimit = -2;
  int joint() const { return static_cast<int>(key.low >> 32); }  // of a limit
  int side() const { return static_cast<int>(key.low & 1); }
};

// This is one lane: its world, and its slots with their numbers one behind the other. Memory is kept from step to
// step.
struct WorldLane {
  DataPtr world;
  std::vector<LaneSlot> slots;
  std::vector<double> J, aref, D, scale, bound;
  int rows_in_lanes = 0;             // that are made in lanes and not in the world
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

// ---- pairs of geoms

// What may collide, wherever it is: what the broad phase and the midphase let through (collision/broad).
// The list is made once for a model, so that the broad phase is a plain loop over it in lanes. Models with explicit
// pairs or more than kMaxPairs pairs use the broad phase of a world alone.
class PairList {
 public:
  PairList(const mjModel& m, int width, mjData* d) : settings_(SettingsOf(m)) {
    if (m.npair > 0) return;
    StackFrame frame(d);
    const BodyFilter filter(&m, d, frame);
    for (int body1 = 0; body1 < m.nbody && count() <= kMaxPairs; ++body1) {
      for (int body2 = body1 + 1; body2 < m.nbody; ++body2) {
        if (IsCollidable(&m, body1) && IsCollidable(&m, body2) && filter(body1, body2)) AddBodies(m, body1, body2);
      }
    }
    is_used_ = count() <= kMaxPairs;
    near_.resize(static_cast<size_t>(width * count()));
    near_count_.resize(static_cast<size_t>(width));
    for (const ItemPair& pair : pairs_) {
      geom1_.push_back(pair.first.id);
      geom2_.push_back(pair.second.id);
      reach_.push_back(pair.margin + m.geom_rbound[pair.first.id] + m.geom_rbound[pair.second.id]);
      is_plane_.push_back(m.geom_type[pair.first.id] == mjGEOM_PLANE);
    }
    table_ = {
        count(),      geom1_.data(),     geom2_.data(), reach_.data(), reinterpret_cast<const bool*>(is_plane_.data()),
        near_.data(), near_count_.data()};
  }

  // Null when options that decide about pairs have since been set.
  const LanePairs* table(const mjModel& m) const { return is_used_ && settings_ == SettingsOf(m) ? &table_ : nullptr; }

  // The dofs that move one of two bodies and not both, and which body.
  struct Dofs {
    uint64_t columns;
    std::vector<int> is_second;  // of each
  };
  const Dofs& DofsOf(const mjModel& m, int body1, int body2) const {
    const uint64_t bodies = static_cast<uint64_t>(body1) << 32 | static_cast<uint64_t>(body2);
    const auto [found, is_new] = dofs_.try_emplace(bodies);
    Dofs& dofs = found->second;
    if (!is_new) return dofs;
    std::vector<int> scratch(2 * static_cast<size_t>(m.nv) + 1);
    const MovingDofs moving =
        DofsOfPair(&m, body1, body2, /*keep_common=*/false, scratch.data(), scratch.data() + m.nv);
    dofs.columns = 0;
    for (int i = 0; i < moving.count; ++i) {
      dofs.columns |= uint64_t{1} << moving.dof[i];
      dofs.is_second.push_back(moving.side[i] == kBody2);
    }
    return dofs;
  }

  // Contacts of the pairs of a lane that are near. Convex ones have to overlap with their boxes, too.
  void Collide(const mjModel& m, mjData* d, size_t lane) const {
    ClearArena(d);
    StackFrame frame(d);
    StackList<ItemPair> near(frame);
    const int* list = near_.data() + lane * pairs_.size();
    for (int i = 0; i < near_count_[lane]; ++i) {
      const ItemPair& pair = pairs_[static_cast<size_t>(list[i])];
      if (IsGeneral(m, pair) && !BoxesAreNear(m, d, pair)) continue;
      near.Add(pair);
    }
    NarrowPhase(&m, d, near);
  }

 private:
  static constexpr int kMaxPairs = 4000;

  struct Settings {
    int parents, overridden;
    double margin;
    bool operator==(const Settings&) const = default;
  };
  // These are options that programs may change and that the list of pairs depends on.
  static Settings SettingsOf(const mjModel& m) {
    return {m.opt.disableflags & mjDSBL_FILTERPARENT, m.opt.enableflags & mjENBL_OVERRIDE, m.opt.o_margin};
  }

  int count() const { return static_cast<int>(pairs_.size()); }

  // Adds the pairs of geoms of two bodies, sorted as the midphase reports them: the order of contacts must be that of
  // a world alone.
  void AddBodies(const mjModel& m, int body1, int body2) {
    const size_t first = pairs_.size();
    for (int geom1 = m.body_geomadr[body1]; geom1 < m.body_geomadr[body1] + m.body_geomnum[body1]; ++geom1) {
      for (int geom2 = m.body_geomadr[body2]; geom2 < m.body_geomadr[body2] + m.body_geomnum[body2]; ++geom2) {
        if (GeomMasksMatch(&m, geom1, geom2)) pairs_.push_back(MakeGeomPair(&m, geom1, geom2, -1));
      }
    }
    std::sort(pairs_.begin() + static_cast<ptrdiff_t>(first), pairs_.end(), [](const ItemPair& a, const ItemPair& b) {
      return a.first.id != b.first.id ? a.first.id < b.first.id : a.second.id < b.second.id;
    });
  }

  // Tells pairs without a formula of their own, for which a comparison of boxes saves much work.
  static bool IsGeneral(const mjModel& m, const ItemPair& pair) {
    return KindOfPair(m.geom_type[pair.first.id], m.geom_type[pair.second.id]) == PairKind::kConvex;
  }
  static bool BoxesAreNear(const mjModel& m, mjData* d, const ItemPair& pair) {
    bool near = false;
    CompareInFours(
        1,
        [&](int, BoxSource& box1, BoxSource& box2, double& margin) {
          box1 = BoxOfGeom(&m, d, pair.first.id);
          box2 = BoxOfGeom(&m, d, pair.second.id);
          margin = pair.margin;
        },
        [&near](int, bool overlap) { near = overlap; });
    return near;
  }

  Settings settings_;
  bool is_used_ = false;
  std::vector<ItemPair> pairs_;
  std::vector<int> geom1_, geom2_;
  std::vector<double> reach_;
  std::vector<char> is_plane_;
  mutable std::vector<int> near_, near_count_;
  mutable std::unordered_map<uint64_t, Dofs> dofs_;  // what was asked for so far
  LanePairs table_{};
};

// What a model may have rows for, beside contacts, is limits of hinges and slides alone.
class LimitList {
 public:
  LimitList(const mjModel& m, int width) {
    for (int joint = 0; joint < m.njnt; ++joint) {
      if (!m.jnt_limited[joint]) continue;
      is_used_ = is_used_ && m.jnt_type[joint] != mjJNT_BALL;
      if (m.jnt_type[joint] == mjJNT_HINGE || m.jnt_type[joint] == mjJNT_SLIDE) joint_.push_back(joint);
    }
    touched_.resize(2 * joint_.size() * static_cast<size_t>(width) + 1);
    touched_count_.resize(static_cast<size_t>(width));
    table_ = {static_cast<int>(joint_.size()), joint_.data(), touched_.data(), touched_count_.data()};
    const auto any = [](const auto* values, mjtSize count) {
      return std::any_of(values, values + count, [](auto value) { return value != 0; });
    };
    is_used_ = is_used_ && m.neq == 0 && !any(m.dof_frictionloss, m.nv) && !any(m.tendon_frictionloss, m.ntendon) &&
               !any(m.tendon_limited, m.ntendon);
  }
  // Null where rows of limits are made by worlds.
  const LaneLimits* table() const { return is_used_ ? &table_ : nullptr; }

  // Appends slots for the ends that a lane touches, without numbers, in the order of rows.
  void AddSlots(const mjModel& m, size_t index, WorldLane& lane) const {
    if (m.opt.disableflags & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT)) return;
    const int* touched = touched_.data() + 2 * joint_.size() * index;
    for (int i = 0; i < touched_count_[index]; ++i) {
      const int joint = joint_[static_cast<size_t>(touched[i] / 2)], side = touched[i] % 2;
      const Slot slot = {SlotKind::kOneSided, 1, 0, 0, lane.rows_in_lanes, 0, nullptr, false};
      const uint64_t column = uint64_t{1} << m.jnt_dofadr[joint];
      lane.slots.push_back({KeyOfRow(mjCNSTR_LIMIT_JOINT, joint, side), slot, 0, 0, column, 0, LaneSlot::kLimit});
      ++lane.rows_in_lanes;
    }
  }

 private:
  bool is_used_ = true;
  std::vector<int> joint_, touched_, touched_count_;
  LaneLimits table_{};
};

// Finds the contacts of one lane.
void CollideLane(const mjModel& m, const PairList& pairs, size_t index, mjData* d) {
  if (!pairs.table(m)) {
    Collision(&m, d);
  } else if (!(m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT))) {
    pairs.Collide(m, d, index);
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

// Whether rows of all contacts, and their solution in a world alone, are sure to fit into the arena.
bool HasRoomForContacts(const mjModel& m, const mjData& d) {
  constexpr size_t kOfRow = 1000, kRowsOfContact = 10, kCopies = 8;  // bytes beside the Jacobian; copies of that
  const size_t row = kOfRow + kCopies * sizeof(double) * static_cast<size_t>(m.nv);
  const size_t used = d.parena + d.pstack;
  const size_t rows = static_cast<size_t>(d.ncon) * kRowsOfContact + 2 * static_cast<size_t>(m.njnt);
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
    const SlotKind kind = IsPyramidal(&m, contact) ? SlotKind::kPyramid
                          : contact.dim > 1        ? SlotKind::kElliptic
                                                   : SlotKind::kOneSided;
    const Slot slot = {kind, contact.dim, 0, 0, d.nefc + lane.rows_in_lanes, 0, nullptr, false};
    lane.slots.push_back({KeyOfContact(m, contact, ordinal), slot, 0, 0, dofs.columns, 0, id});
    lane.rows_in_lanes += RowCountOf(&m, contact);
  }
}

// Finds the contacts, rows, references and slots of one lane.
void FindSlotsOf(const mjModel& m, const PairList& pairs, const LimitList& limits, size_t index, WorldLane& lane) {
  mjData* d = lane.world.get();
  CollideLane(m, pairs, index, d);
  lane.rows_in_lanes = 0;
  const bool in_lanes = pairs.table(m) != nullptr;
  if (!in_lanes || !HasRoomForContacts(m, *d)) {
    MakeConstraint(&m, d);
    FindSlotsOfRows(m, lane);
    if (!in_lanes || d->nefc == 0) return;  // without room, the world has lost its rows
  }
  if (limits.table()) {
    ClearRows(d);
    lane.slots.clear();
    limits.AddSlots(m, index, lane);
  } else {
    MakeConstraintWithoutContacts(&m, d);
    FindSlotsOfRows(m, lane);
  }
  AddContactSlots(m, pairs, lane);
}

// Finds what a world alone has before its rows are solved.
void FindRowsOf(const mjModel& m, const PairList& pairs, size_t index, mjData* d) {
  CollideLane(m, pairs, index, d);
  MakeConstraint(&m, d);
  Island(&m, d);
  ProjectConstraint(&m, d);
  ReferenceConstraint(&m, d);
}

// Memory of the union: packs are aligned as the widest register.
class AlignedDoubles {
 public:
  // Room for `count` numbers, whose former values are lost when it grows. False when memory is short.
  bool Resize(size_t count) {
    if (count <= capacity_) return true;
    memory_.reset(static_cast<double*>(std::aligned_alloc(kAlignment, Padded(2 * count * sizeof(double)))));
    capacity_ = memory_ ? 2 * count : 0;
    return memory_ != nullptr;
  }
  double* get() const { return memory_.get(); }

 private:
  static constexpr size_t kAlignment = 64;
  static size_t Padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
  struct Free {
    void operator()(double* p) const { std::free(p); }
  };
  std::unique_ptr<double, Free> memory_;
  size_t capacity_ = 0;
};

}  // namespace

class LaneWorlds {
 public:
  LaneWorlds(const mjModel& m, int width) : m_(m), lanes_(static_cast<size_t>(width)) {
    for (WorldLane& lane : lanes_) lane.world.reset(MakeData(m));
    pairs_ = std::make_unique<PairList>(m, width, lanes_.front().world.get());
    limits_ = std::make_unique<LimitList>(m, width);
    pattern_.resize(static_cast<size_t>(SlotPatternInts(static_cast<int>(m.nv))));
  }

  const mjModel& model() const { return m_; }
  const PairList& pairs() const { return *pairs_; }
  mjData* World(int lane) const { return lanes_[static_cast<size_t>(lane)].world.get(); }
  void FindRows() {
    const bool in_slots = SolverOfLanes(m_) == LaneSolver::kSlots;
    for (size_t l = 0; l < lanes_.size(); ++l) {
      if (in_slots) {
        FindSlotsOf(m_, *pairs_, *limits_, l, lanes_[l]);
      } else {
        lanes_[l].rows_in_lanes = 0;
        FindRowsOf(m_, *pairs_, l, lanes_[l].world.get());
      }
    }
  }
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
  const LaneLimits* LimitsInLanes() const { return AreContactsInLanes() ? limits_->table() : nullptr; }
  bool AreContactsInLanes() const { return pairs_->table(m_) && SolverOfLanes(m_) == LaneSolver::kSlots; }
  int Rows(int lane) const {
    const WorldLane& of_lane = lanes_[static_cast<size_t>(lane)];
    return of_lane.world->nefc + of_lane.rows_in_lanes;
  }
  uint64_t Constraints(int lane) const {
    uint64_t bits = 0;
    for (const LaneSlot& slot : lanes_[static_cast<size_t>(lane)].slots) bits |= uint64_t{1} << slot.key.Hash();
    return bits;
  }
  void WriteForces(const LaneNumbers& residual) {
    for (size_t lane = 0; lane < lanes_.size(); ++lane) WriteForcesOf(lane, residual);
  }

 private:
  // The union in order; each step takes the least key that is left.
  void MergeKeys() {
    slots_.clear();
    columns_.clear();
    contacts_.clear();
    of_limits_.clear();
    std::vector<size_t>& next = next_;
    next.assign(lanes_.size(), 0);
    std::vector<uint64_t>& masks = masks_;
    masks.clear();
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
      if (!least) break;
      const SlotKey key = least->key;
      slots_.push_back(least->slot);
      if (least->contact >= 0) contacts_.push_back(ContactOf(*least, lane_of_least));
      if (least->contact == LaneSlot::kLimit) {
        of_limits_.push_back({static_cast<int>(slots_.size()) - 1, least->joint(), least->side()});
      }
      masks.push_back(0);
      for (size_t l = 0; l < lanes_.size(); ++l) {
        if (next[l] == lanes_[l].slots.size() || !(lanes_[l].slots[next[l]].key == key)) continue;
        LaneSlot& slot = lanes_[l].slots[next[l]++];
        slot.merged = static_cast<int>(slots_.size()) - 1;
        masks.back() |= slot.columns;
      }
    }
    Number(masks);
  }

  // Returns the contact that belongs to the union's last slot.
  LaneContact ContactOf(const LaneSlot& slot, size_t lane) const {
    const mjContact& contact = lanes_[lane].world->contact[slot.contact];
    LaneContact merged = {};
    merged.slot = static_cast<int>(slots_.size()) - 1;
    merged.parameters = &contact;
    double inverse = 0;
    for (int i = 0; i < 2; ++i) {
      const int body = m_.geom_bodyid[contact.geom[i]];
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
    merged_.slot = slots_.data();
    merged_.pattern = FindSlotPattern(static_cast<int>(m_.nv), m_.dof_parentid, m_.M_rownnz, m_.M_rowadr, m_.M_colind,
                                      slots_.data(), merged_.count, pattern_.data());
  }

  // Takes room for all numbers of the union and for the solver's scratch, `width` lanes side by side. What a lane
  // does not fill stays zero and adds nothing to any sum; scratch is not cleared.
  bool TakeMemory() {
    const size_t width = lanes_.size(), directions = static_cast<size_t>(merged_.directions);
    const size_t geometry = static_cast<size_t>(LaneContact::kNumbers) * contacts_.size();
    const size_t given = jacobian_size_ + 4 * directions + geometry + 1;
    const size_t scratch = 4 * directions + 2 * static_cast<size_t>(merged_.weights) +
                           2 * static_cast<size_t>(merged_.pattern.nonzeros) + 5 * static_cast<size_t>(m_.nv);
    if (!numbers_.Resize(width * (given + scratch))) return false;
    double* next = numbers_.get();
    std::fill_n(next, width * given, 0.0);
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
    for (LaneContact& contact : contacts_) contact.geometry = take(static_cast<size_t>(LaneContact::kNumbers));
    merged_.contacts = static_cast<int>(contacts_.size());
    merged_.contact = contacts_.data();
    merged_.limits = static_cast<int>(of_limits_.size());
    merged_.limit = of_limits_.data();
    merged_.compressed = IsSparse(&m_);
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
    present_[l] = lane.slots.empty() ? 0 : 1;
    size_t contacts = 0;  // of the union that have been passed
    for (const LaneSlot& from : lane.slots) {
      if (from.contact == LaneSlot::kLimit) continue;
      if (from.contact >= 0) {
        while (contacts_[contacts].slot != from.merged) ++contacts;
        ScatterContact(lane.world->contact[from.contact], contacts_[contacts], l);
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

  void ScatterContact(const mjContact& from, const LaneContact& to, size_t l) const {
    double* numbers = to.geometry + l;
    const auto set = [&](int place, double number) { numbers[static_cast<size_t>(place) * lanes_.size()] = number; };
    set(LaneContact::kDistance, from.dist);
    for (int i = 0; i < 3; ++i) set(LaneContact::kPoint + i, from.pos[i]);
    for (int i = 0; i < 9; ++i) set(LaneContact::kFrame + i, from.frame[i]);
    set(LaneContact::kPresent, 1);
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

  // Residuals of directions become those of rows: a pyramid of dimension n has 2 (n - 1) edges, normal plus and minus
  // each tangent.
  void WriteForcesOf(size_t l, const LaneNumbers& residual) {
    WorldLane& lane = lanes_[l];
    mjData* d = lane.world.get();
    if (lane.slots.empty()) return;
    if (lane.rows_in_lanes > 0) {
      MakeConstraint(&m_, d);
      lane.rows_in_lanes = 0;
      if (d->nefc == 0) return;
    }
    StackFrame frame(d);
    double* jar = frame.Doubles(d->nefc);
    for (const LaneSlot& from : lane.slots) {
      const Slot& merged = slots_[static_cast<size_t>(from.merged)];
      const auto at = [&](int k) {
        return NumberAt(residual, static_cast<size_t>(merged.first + k) * lanes_.size() + l);
      };
      if (from.slot.kind != SlotKind::kPyramid) {
        for (int k = 0; k < from.slot.dim; ++k) jar[from.slot.row + k] = at(k);
        continue;
      }
      for (int k = 1; k < from.slot.dim; ++k) {
        jar[from.slot.row + 2 * k - 2] = at(0) + at(k);
        jar[from.slot.row + 2 * k - 1] = at(0) - at(k);
      }
    }
    EvaluateRows(AllConstraintRows(d), jar, d->efc_force, d->efc_state, /*cone_hessian=*/true);
  }

  const mjModel& m_;
  std::vector<WorldLane> lanes_;
  std::unique_ptr<PairList> pairs_;
  std::unique_ptr<LimitList> limits_;
  std::vector<Slot> slots_;
  std::vector<LaneContact> contacts_;
  std::vector<LaneLimit> of_limits_;
  std::vector<int> columns_, pattern_;
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

void FindRows(LaneWorlds& worlds) { worlds.FindRows(); }
const LaneSlots* MergeRows(LaneWorlds& worlds) { return worlds.Merge(); }
const LaneLimits* LimitsInLanes(const LaneWorlds& worlds) { return worlds.LimitsInLanes(); }
bool AreContactsInLanes(const LaneWorlds& worlds) { return worlds.AreContactsInLanes(); }
int RowsOfLane(const LaneWorlds& worlds, int lane) { return worlds.Rows(lane); }
unsigned long long ConstraintsOfLane(const LaneWorlds& worlds, int lane) { return worlds.Constraints(lane); }
const LaneRows* SolveUpToSweeps(LaneWorlds& worlds) { return worlds.SolveUpToSweeps(); }
void FinishSweeps(LaneWorlds& worlds, const LaneNumbers& force, const LaneNumbers& sweeps) {
  worlds.FinishSweeps(force, sweeps);
}
void WriteForces(LaneWorlds& worlds, const LaneNumbers& residual) { worlds.WriteForces(residual); }

}  // namespace sinew
