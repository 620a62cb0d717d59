#include "batch/pairs/lane_contacts.h"

#include <algorithm>

#include "collision/contact.h"
#include "constraint/arena_fields.h"
#include "constraint/contact_rows.h"
#include "core/stack.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/surface.h"

namespace sinew::inline batch {

void WriteGeometry(const mjContact& from, size_t lane, size_t width, double* geometry, bool is_single) {
  const auto set = [&](int place, double number) {
    const size_t i = static_cast<size_t>(place) * width + lane;
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

// Forgets the contacts of the last step. Lanes may find those of this one where all that is near has a formula.
bool LaneContacts::Begin(bool is_single) {
  is_single_ = is_single;
  found_.clear();
  pairs_.clear();
  are_found_ = is_short_of_memory_ = false;
  are_whole_ = SolverOfLanes(set_.m) != LaneSolver::kSlots;
  for (WorldLane& lane : set_.lanes) lane.contacts = 0;
  geometry_count_ = 0;
  // Rows on surfaces that move, where worlds make them, need the poses of geoms, which worlds have that look for their
  // contacts themselves.
  if (are_whole_ && FindSurfaces(&set_.m)) return false;
  return set_.pairs->table(set_.m) && (set_.ContactsAreDisabled() || set_.pairs->DoFormulasHold(set_.m));
}

void LaneContacts::CollideAlone() {
  set_.pairs->BeginSearches();
  for (size_t l = 0; l < set_.width(); ++l) {
    WorldLane& lane = set_.lanes[l];
    set_.pairs->Collide(*lane.model, lane.world.get(), l, PairList::Which::kAlone, lane.alone);
    set_.pairs->NoteDirections(*lane.model, *lane.world, lane.alone);
    lane.next_pair = lane.next_alone = 0;
  }
}

// The contacts of a world are in the order of pairs.
void LaneContacts::AddAlone(int pair) {
  for (WorldLane& lane : set_.lanes) {
    while (lane.next_pair < lane.alone.size() && lane.alone[lane.next_pair].pair < pair) ++lane.next_pair;
  }
  while (!set_.ContactsAreDisabled()) {
    unsigned lanes = 0, with_rows = 0;
    for (size_t l = 0; l < set_.width(); ++l) {
      const mjContact* contact = NextAlone(set_.lanes[l], pair);
      if (!contact) continue;
      const bool is_in_gap = contact->dist >= contact->includemargin;
      lanes |= 1u << l;
      with_rows |= static_cast<unsigned>(are_whole_ || !is_in_gap) << l;
    }
    if (lanes == 0) return;
    FindParametersOnce(pair);
    double* geometry = Add(lanes, with_rows);
    if (geometry) std::fill_n(geometry, GeometrySize(), 0.0);  // which are zeros of floats, too
    for (size_t l = 0; l < set_.width(); ++l) {
      if (!(lanes >> l & 1)) continue;
      WorldLane& lane = set_.lanes[l];
      const mjContact& contact = lane.world->contact[lane.next_alone++];
      if (geometry && with_rows >> l & 1) WriteGeometry(contact, l, set_.width(), geometry, is_single_);
    }
  }
}

double* LaneContacts::Add(unsigned lanes, unsigned with_rows) {
  if (set_.ContactsAreDisabled()) return nullptr;
  for (size_t l = 0; l < set_.width(); ++l) set_.lanes[l].contacts += static_cast<int>(lanes >> l & 1);
  const bool is_kept = with_rows && (are_whole_ || pairs_.back().dofs->columns);
  double* geometry = is_kept ? TakeGeometry() : nullptr;
  found_.push_back({&pairs_.back(), lanes, geometry ? with_rows : 0, geometry, 0});
  return geometry;
}

// A world alone would warn and leave contacts out where its arena is full: then each world has to find its own.
bool LaneContacts::End() {
  are_found_ = !is_short_of_memory_;
  for (WorldLane& lane : set_.lanes) are_found_ = set_.LooksForRoom(lane, lane.contacts) && are_found_;
  return are_found_;
}

void LaneContacts::WriteToWorld(size_t l) const {
  const WorldLane& lane = set_.lanes[l];
  mjData* d = lane.world.get();
  ClearArena(d);
  if (lane.contacts == 0) return;
  const size_t width = set_.width(), bytes = static_cast<size_t>(lane.contacts) * sizeof(mjContact);
  auto* to = static_cast<mjContact*>(AllocArena(d, bytes, alignof(mjContact)));
  if (!to) return;  // End has seen that there is room
  d->ncon = lane.contacts;
  ForLane(l, [&](int id, const FoundContact& contact) {
    const LaneNumbers geometry = {contact.geometry, is_single_};
    const auto number = [&](size_t place) { return NumberAt(geometry, place * width + l); };
    mjContact& written = to[id];
    written = contact.of->parameters;
    if (lane.own) CompleteParameters(lane.model, set_.pairs->PairOf(*lane.model, contact.of->pair), &written, 1);
    written.dist = number(LaneContact::kDistance);
    for (size_t k = 0; k < 3; ++k) written.pos[k] = number(LaneContact::kPoint + k);
    for (size_t k = 0; k < 9; ++k) written.frame[k] = number(LaneContact::kFrame + k);
    written.exclude = written.dist >= written.includemargin ? contact_exclude::kInGap : contact_exclude::kActive;
  });
}

// Friction, impedance, margin and dofs of a pair, as collision gives them to each of its contacts.
void LaneContacts::FindParameters(int pair) {
  const mjModel& m = set_.m;
  const ItemPair& geoms = set_.pairs->pair(pair);
  FoundPair& found = pairs_.emplace_back();
  found.pair = pair;
  found.parameters.dist = 0;
  CompleteParameters(&m, geoms, &found.parameters, 1);
  found.dofs = &set_.pairs->DofsOf(m, m.geom_bodyid[geoms.first.id], m.geom_bodyid[geoms.second.id]);
  found.rows = RowCountOf(&m, found.parameters);
}

// The next contact of a lane that its world has found, where it is one of this pair.
const mjContact* LaneContacts::NextAlone(const WorldLane& lane, int pair) {
  if (lane.next_pair == lane.alone.size()) return nullptr;
  const PairContacts& next = lane.alone[lane.next_pair];
  return next.pair == pair && lane.next_alone < next.end ? &lane.world->contact[lane.next_alone] : nullptr;
}

// Returns room for the geometry of one more contact.
double* LaneContacts::TakeGeometry() {
  if (geometry_count_ == geometry_.size()) geometry_.emplace_back();
  if (!geometry_[geometry_count_].Resize(GeometrySize())) {
    is_short_of_memory_ = true;
    return nullptr;
  }
  return geometry_[geometry_count_++].get();
}

}  // namespace sinew::inline batch
