// Slots of a lane are copied from those of its world, with a key for each: merging needs an order on slots that is the
// same in every world.
#include "batch/fallback/world_lane.h"

#include "collision/broad/filter.h"
#include "collision/collision.h"
#include "collision/contact.h"
#include "constraint/arena_fields.h"
#include "constraint/contact_rows.h"
#include "constraint/make_constraint.h"
#include "constraint/reference.h"
#include "core/stack.h"
#include "force/compliant_contact.h"
#include "model/kinds/surface.h"
#include "solve/problem.h"
#include "solve/slot_problem.h"
#include "step/partial_stages.h"

namespace sinew::inline batch {

namespace {

// ---- keys

// Rows that are not of contacts: by type, then by object, then as they come.
// The type stands at the top of the high word; the object and the count, 32 bits each, fill the low one.
SlotKey KeyOfRow(int type, int id, int ordinal) {
  return {static_cast<uint64_t>(type) << 56, static_cast<uint64_t>(id) << 32 | static_cast<uint64_t>(ordinal)};
}

// Contacts: by pair of bodies, explicit pairs first, then of geoms, then as they come.
// The type takes 8 bits, bodies 32, explicit pairs 24; geoms take 24 bits each, and the count 16.
SlotKey KeyOfContact(const mjModel& m, const mjContact& contact, int ordinal) {
  const int geom1 = contact.geom[0], geom2 = contact.geom[1];
  const uint64_t bodies = PairSignature(m.geom_bodyid[geom1], m.geom_bodyid[geom2]);
  const int pair = FindExplicitPair(&m, geom1, geom2);
  const auto place = static_cast<uint64_t>(pair >= 0 ? pair : m.npair);
  return {uint64_t{mjCNSTR_CONTACT_FRICTIONLESS} << 56 | bodies << 24 | place,
          static_cast<uint64_t>(geom1) << 40 | static_cast<uint64_t>(geom2) << 16 | static_cast<uint64_t>(ordinal)};
}

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

}  // namespace

SlotKind KindOfContact(const mjModel& m, const mjContact& contact) {
  if (IsPyramidal(&m, contact)) return SlotKind::kPyramid;
  return contact.dim > 1 ? SlotKind::kElliptic : SlotKind::kOneSided;
}

void CollideLane(const mjModel& m, const PairList& pairs, size_t index, mjData* d) {
  if (!pairs.table(m)) {
    Collision(&m, d);
  } else if (!(m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT))) {
    std::vector<PairContacts> found;
    pairs.Collide(m, d, index, PairList::Which::kAll, found);
  } else {
    ClearArena(d);
  }
  MarkCompliantContacts(&m, d);
}

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

bool HasRoom(const mjModel& m, const mjData& d, int contacts, size_t scratch) {
  constexpr size_t kOfRow = 1000, kRowsOfContact = 10, kCopies = 8;  // bytes beside the Jacobian; copies of that
  const size_t row = kOfRow + kCopies * sizeof(double) * static_cast<size_t>(m.nv);
  const auto count = static_cast<size_t>(contacts);
  const size_t rows = count * kRowsOfContact + 2 * static_cast<size_t>(m.njnt + m.ntendon) +
                      static_cast<size_t>(m.nv + m.ntendon) + kMaxSlotDim * static_cast<size_t>(m.neq);
  const size_t of_dofs =
      100 * sizeof(double) * static_cast<size_t>(m.nv) + 4 * sizeof(double) * static_cast<size_t>(m.nC);
  const size_t dual = SolverOfLanes(m) == LaneSolver::kSlots ? 0 : 2 * sizeof(double) * rows * rows;
  const size_t used = d.pstack + scratch + (count + mjMAXCONPAIR) * sizeof(mjContact) + of_dofs + dual;
  return used + rows * row < static_cast<size_t>(d.narena);
}

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
    const Slot slot = {
        KindOfContact(m, contact), contact.dim, 0, 0, d.nefc + lane.rows_in_lanes, 0, nullptr, false, 0, 0};
    lane.slots.push_back({KeyOfContact(m, contact, ordinal), slot, 0, 0, dofs.columns, 0, id});
    lane.rows_in_lanes += RowCountOf(&m, contact);
  }
}

void FindRowsOf(const mjModel& m, mjData* d) {
  return SolverOfLanes(m) == LaneSolver::kSweeps ? RowsWithReference(&m, d) : RowsOfSolvers(&m, d);
}

}  // namespace sinew::inline batch
