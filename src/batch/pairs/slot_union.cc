// Merging needs an order on slots that is the same in every world: keys are built from type, object, geoms and a count,
// and ascend as rows do (world_lane.cc).
#include "batch/pairs/slot_union.h"

#include <algorithm>
#include <bit>

#include "batch/fallback/world_lane.h"
#include "constraint/contact_rows.h"
#include "model/kinds/stick.h"
#include "model/kinds/surface.h"

namespace sinew::inline batch {
namespace {

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

}  // namespace

SlotUnion::SlotUnion(LaneSet& set, LaneContacts& found) : set_(set), found_(found) {
  pattern_.resize(static_cast<size_t>(SlotPatternInts(static_cast<int>(set.m.nv))));
}

const LaneSlots* SlotUnion::Merge() {
  MergeKeys();
  if (!TakeMemory()) return nullptr;
  for (size_t lane = 0; lane < set_.width(); ++lane) Scatter(lane);
  return &merged_;
}

// In the order of rows: those of joints, those that worlds have found, contacts that lanes have found.
void SlotUnion::MergeKeys() {
  const mjModel& m = set_.m;
  slots_.clear();
  columns_.clear();
  contacts_.clear();
  masks_.clear();
  lanes_of_slot_.clear();
  for (LaneJointRow& row : set_.joint_rows) {
    const bool is_equality = row.type == mjCNSTR_EQUALITY;
    row.slot = static_cast<int>(slots_.size());
    slots_.push_back({KindOfRow(row.type), set_.DirectionsOf(row), 0, 0, 0, 0, nullptr, false, 0, 0});
    masks_.push_back(is_equality ? set_.equalities.columns(row.id) : ColumnsOfRow(m, row.type, row.id));
    lanes_of_slot_.push_back(row.lanes);
  }
  MergeWorlds();
  for (FoundContact& contact : found_.list()) {
    if (!found_.are_found() || !contact.geometry) continue;
    const FoundPair& pair = *contact.of;
    contact.merged = static_cast<int>(slots_.size());
    slots_.push_back({KindOfContact(m, pair.parameters), pair.parameters.dim, 0, 0, 0, 0, nullptr, false, 0, 0});
    masks_.push_back(pair.dofs->columns);
    lanes_of_slot_.push_back(contact.with_rows);
    contacts_.push_back(ContactOf(pair.parameters, set_.pairs->pair(pair.pair).explicit_pair));
    contacts_.back().geometry = contact.geometry;
  }
  NumberSlots();
}

// Each step takes the least key that is left.
void SlotUnion::MergeWorlds() {
  std::vector<size_t>& next = next_;
  next.assign(set_.width(), 0);
  while (true) {
    const LaneSlot* least = nullptr;
    size_t lane_of_least = 0;
    for (size_t l = 0; l < set_.width(); ++l) {
      if (next[l] == set_.lanes[l].slots.size()) continue;
      const LaneSlot& candidate = set_.lanes[l].slots[next[l]];
      if (least && !(candidate.key < least->key)) continue;
      least = &candidate;
      lane_of_least = l;
    }
    if (!least) return;
    const SlotKey key = least->key;
    slots_.push_back(least->slot);
    if (least->contact >= 0) {
      const mjContact& contact = set_.lanes[lane_of_least].world->contact[least->contact];
      contacts_.push_back(ContactOf(contact, FindExplicitPair(&set_.m, contact.geom[0], contact.geom[1])));
    }
    masks_.push_back(0);
    lanes_of_slot_.push_back(0);
    for (size_t l = 0; l < set_.width(); ++l) {
      if (next[l] == set_.lanes[l].slots.size() || !(set_.lanes[l].slots[next[l]].key == key)) continue;
      LaneSlot& slot = set_.lanes[l].slots[next[l]++];
      slot.merged = static_cast<int>(slots_.size()) - 1;
      masks_.back() |= slot.columns;
      lanes_of_slot_.back() |= 1u << l;
    }
  }
}

// Returns the contact that belongs to the union's last slot.
LaneContact SlotUnion::ContactOf(const mjContact& contact, int explicit_pair) const {
  const mjModel& m = set_.m;
  LaneContact merged = {};
  merged.slot = static_cast<int>(slots_.size()) - 1;
  merged.parameters = &contact;
  double inverse = 0;
  for (int i = 0; i < 2; ++i) {
    const int body = m.geom_bodyid[contact.geom[i]];
    merged.body[i] = body;
    merged.root[i] = m.body_rootid[body];
    inverse += m.body_invweight0[2 * body];
  }
  merged.weight = WeightOfFirstRow(&m, contact, inverse);
  merged.explicit_pair = explicit_pair;
  merged.is_second =
      set_.pairs->DofsOf(m, m.geom_bodyid[contact.geom[0]], m.geom_bodyid[contact.geom[1]]).is_second.data();
  return merged;
}

// Columns, directions and weights of the union's slots.
void SlotUnion::NumberSlots() {
  const mjModel& m = set_.m;
  merged_ = {};
  jacobian_size_ = 0;
  size_t columns = 0;
  for (const uint64_t mask : masks_) columns += static_cast<size_t>(std::popcount(mask));
  columns_.resize(columns);
  int* col = columns_.data();
  for (size_t s = 0; s < slots_.size(); ++s) {
    Slot& slot = slots_[s];
    slot.first = merged_.directions;
    slot.weight = merged_.weights;
    slot.row = 0;
    slot.col = col;
    for (uint64_t rest = masks_[s]; rest != 0; rest &= rest - 1) *col++ = std::countr_zero(rest);
    slot.ncol = static_cast<int>(col - slot.col);
    merged_.directions += slot.dim;
    merged_.weights += WeightCount(slot);
    merged_.cones += slot.kind == SlotKind::kElliptic;
    if (!OwnJacobian(s)) jacobian_size_ += static_cast<size_t>(slot.dim * slot.ncol);
  }
  for (const WorldLane& lane : set_.lanes) merged_.of_lanes += static_cast<int>(lane.slots.size());
  for (const LaneJointRow& row : set_.joint_rows) merged_.of_lanes += std::popcount(row.lanes);
  for (const FoundContact& contact : found_.list())
    merged_.of_lanes += found_.are_found() ? std::popcount(contact.with_rows) : 0;
  merged_.slot = SpanOf(slots_);
  merged_.lanes = SpanOf(lanes_of_slot_);
  slot_lists_.resize(2 * slots_.size());
  merged_.live = {slot_lists_.data(), merged_.slot.count};
  merged_.open = {merged_.live.end(), merged_.slot.count};
  if (slots_.empty()) return;  // no lane solves anything
  merged_.pattern = FindSlotPattern(static_cast<int>(m.nv), m.dof_parentid, m.M_rownnz, m.M_rowadr, m.M_colind,
                                    slots_.data(), merged_.slot.count, pattern_.data());
}

// The Jacobian of a slot of an equality, which lanes have already written; null for others.
double* SlotUnion::OwnJacobian(size_t slot) const {
  const bool is_equality = slot < set_.joint_rows.size() && set_.joint_rows[slot].type == mjCNSTR_EQUALITY;
  return is_equality ? set_.equalities.table()[set_.joint_rows[slot].id].numbers.data : nullptr;
}

// The numbers of a lane that the solver's scratch has: those that MakeProblem takes. Packs of two have the most for
// each tree, whose masks are packs, too.
size_t SlotUnion::NumbersOfScratch() const {
  using S = Pack<double, 2>;
  SlotProblem<S> p = {};
  p.nv = static_cast<int>(set_.m.nv);
  p.count = merged_.slot.count;
  p.directions = merged_.directions;
  p.weights = merged_.weights;
  p.pattern = merged_.pattern;
  auto numbers = static_cast<size_t>(p.nv);  // M a
  TakeSlotMemory(p, [&numbers](int count) {
    numbers += static_cast<size_t>(count);
    return static_cast<S*>(nullptr);
  });
  return numbers;
}

// Marks the contacts that hold their point, and counts them.
size_t SlotUnion::CountHeld() {
  const StickSettings settings(&set_.m);
  holds_.assign(contacts_.size(), 0);
  for (size_t i = 0; settings && i < contacts_.size(); ++i) holds_[i] = settings.Holds(*contacts_[i].parameters);
  return static_cast<size_t>(std::count(holds_.begin(), holds_.end(), char{1}));
}

// Takes room for all numbers of the union and for the solver's scratch, `width` lanes side by side. Numbers that a lane
// does not fill stay zero and add nothing to any sum; scratch is not cleared.
bool SlotUnion::TakeMemory() {
  const size_t width = set_.width(), directions = static_cast<size_t>(merged_.directions);
  const size_t geometry = static_cast<size_t>(LaneContact::kNumbers) * contacts_.size();
  const size_t own = set_.lanes.front().own ? static_cast<size_t>(LaneContact::kOwnNumbers) * contacts_.size() : 0;
  const size_t anchors = static_cast<size_t>(LaneContact::kAnchorNumbers) * CountHeld();
  const size_t rows = jacobian_size_ + 4 * directions, given = rows + geometry + own + anchors + 1;
  const size_t scratch = NumbersOfScratch();
  if (!numbers_.Resize(width * (given + scratch))) return false;
  double* next = numbers_.get();
  // lanes write their rows whole
  std::fill_n(next + (set_.in_lanes ? width * rows : 0), width * (given - (set_.in_lanes ? rows : 0)), 0.0);
  jacobian_.clear();
  const auto take = [&next, width](size_t count) {
    const LaneSpan<double> taken = {next, static_cast<int>(count * width)};
    next = taken.end();
    return taken;
  };
  for (size_t s = 0; s < slots_.size(); ++s) {
    double* fixed = OwnJacobian(s);
    jacobian_.push_back(fixed ? fixed
                              : take(static_cast<size_t>(slots_[s].dim) * static_cast<size_t>(slots_[s].ncol)).data);
  }
  merged_.aref = take(directions);
  merged_.D = take(directions);
  merged_.scale = take(directions);
  merged_.bound = take(directions);
  merged_.present = take(1);
  for (LaneContact& contact : contacts_) {
    if (!found_.are_found()) contact.geometry = take(static_cast<size_t>(LaneContact::kNumbers)).data;
  }
  for (LaneContact& contact : contacts_) {
    if (own > 0) contact.own = take(static_cast<size_t>(LaneContact::kOwnNumbers)).data;
  }
  for (size_t i = 0; i < contacts_.size(); ++i) {
    if (holds_[i]) contacts_[i].anchor = take(static_cast<size_t>(LaneContact::kAnchorNumbers)).data;
  }
  Publish(take(scratch));
  return true;
}

// Publishes the union to the solver and to the rows in lanes. `scratch` is room behind the numbers.
void SlotUnion::Publish(LaneSpan<double> scratch) {
  merged_.contacts = SpanOf(contacts_);
  merged_.rows = SpanOf(set_.joint_rows);
  merged_.compressed = IsSparse(&set_.m);
  merged_.equality = set_.equalities.table();
  merged_.in_lanes = set_.in_lanes;
  merged_.own = set_.own;
  merged_.scratch = scratch;
  merged_.jacobian = SpanOf(jacobian_);
}

// Writes one lane's numbers to their places in the union.
void SlotUnion::Scatter(size_t l) {
  const WorldLane& lane = set_.lanes[l];
  const size_t width = set_.width();
  merged_.present.data[l] = lane.slots.empty() && lane.rows_in_lanes == 0 ? 0 : 1;
  size_t contacts = 0;  // of the union that have been passed
  for (const LaneSlot& from : lane.slots) {
    if (from.contact >= 0) {
      while (contacts_[contacts].slot != from.merged) ++contacts;
      WriteGeometry(lane.world->contact[from.contact], l, width, contacts_[contacts].geometry, /*is_single=*/false);
      continue;
    }
    const Slot& to = slots_[static_cast<size_t>(from.merged)];
    const auto first = static_cast<size_t>(to.first), numbers = static_cast<size_t>(from.numbers);
    for (size_t k = 0; k < static_cast<size_t>(to.dim); ++k) {
      const size_t place = (first + k) * width + l;
      merged_.aref.data[place] = lane.aref[numbers + k];
      merged_.D.data[place] = lane.D[numbers + k];
      merged_.scale.data[place] = lane.scale[numbers + k];
      merged_.bound.data[place] = lane.bound[numbers + k];
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

}  // namespace sinew::inline batch
