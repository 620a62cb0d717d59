#include "constraint/anchors.h"

#include <algorithm>
#include <span>

#include "constraint/anchor_kernel.h"
#include "constraint/anchor_match.h"
#include "constraint/pulling_anchors.h"
#include "core/stack.h"
#include "model/kinds/stick.h"
#include "model/state/awake.h"
#include "model/view/view_of.h"
#include "simd/flatten.h"

namespace sinew::inline constraint {
namespace {

// ---- whose anchor

bool AreAlike(const mjContact& a, const mjContact& b) {
  return a.geom[0] == b.geom[0] && a.geom[1] == b.geom[1] && a.dim == b.dim;
}

// Contacts that hold their point, with their anchors. `taken`: of each anchor, whether a contact has it.
struct HeldContacts {
  std::span<HeldContact> contacts;
  char* taken;
};
HeldContacts FindHeldContacts(const mjModel* m, mjData* d, std::span<const Anchor> anchors, StackFrame& frame) {
  const StickSettings settings(m);
  const DataView<double> data = ViewOf(d);
  auto* held = frame.Alloc<HeldContact>(d->ncon);
  size_t count = 0;
  const mjContact* last = nullptr;
  bool holds = false;
  for (int id = 0; id < d->ncon; ++id) {
    const mjContact& contact = d->contact[id];
    if (contact.efc_address < 0 || contact.dist >= contact.includemargin) continue;
    if (!last || !AreAlike(*last, contact)) holds = settings.Holds(contact);
    last = &contact;
    if (!holds) continue;
    HeldContact& of = held[count++];
    of.id = id;
    of.anchor = HeldContact::kNoAnchor;
    for (int side = 0; side < 2; ++side) {
      of.geom[side] = contact.geom[side];
      StoreVec3(PointInGeom(data, of.geom[side], LoadVec3(contact.pos)), of.point[side]);
    }
  }
  const HeldContacts found = {{held, count}, frame.Alloc<char>(static_cast<ptrdiff_t>(anchors.size()))};
  std::fill_n(found.taken, anchors.size(), char{0});
  AnchorMatcher matcher(anchors, found.contacts, found.taken);
  while (matcher.NextPair()) {
    if (matcher.MatchInOrder()) continue;
    StackFrame of_pair(d);
    matcher.MatchNearest(of_pair.Doubles(static_cast<ptrdiff_t>(matcher.Numbers())));
  }
  return found;
}

// ---- one contact

Hold<double> HoldOf(const mjModel* m, const mjContact& contact) {
  return {ContactAxes<double>::Load(contact.frame), contact.friction, contact.dim, m->opt.cone == mjCONE_PYRAMIDAL};
}

AnchorSpring<double> SpringOf(const mjData* d, const mjContact& contact, bool pyramidal) {
  const int first = contact.efc_address;
  return AnchorSpring<double>::Of(d->efc_KBIP[4 * first], d->efc_R[first + (pyramidal ? 0 : 1)],
                                  d->efc_KBIP[4 * first + 2]);
}

AnchorState<double> StateOf(const Anchor& anchor) {
  return {{LoadVec3(anchor.slide), LoadVec3(anchor.turn)}, LoadVec3(anchor.normal), anchor.stiffness};
}

SINEW_FLATTEN void AddPull(const mjModel* m, mjData* d, const mjContact& contact, const Anchor& anchor) {
  const Hold<double> hold = HoldOf(m, contact);
  hold.AddPull(StateOf(anchor), SpringOf(d, contact, hold.pyramidal), d->efc_aref + contact.efc_address);
}

// Summed as by the solver over directions.
double NormalForce(const mjData* d, const mjContact& contact, bool pyramidal) {
  const double* force = d->efc_force + contact.efc_address;
  if (!pyramidal) return force[0];
  double sum = 0;
  for (int k = 0; k < contact.dim - 1; ++k) sum += force[2 * k] + force[2 * k + 1];
  return sum;
}

// ---- the end of the step

class AnchorsAtEnd {
 public:
  AnchorsAtEnd(const mjModel* m, const mjData* d, StackFrame& frame)
      : m_(m), d_(d), view_(ViewOf(d)), surfaces_(FindSurfaces(m)), velocity_(frame.Alloc<Spatial<double>>(m->nbody)) {
    VelocitiesAtEnd(ViewOf(m), view_, velocity_);
  }

  // Moves the anchor of a contact, or begins a new one (null). `after` may be the same.
  SINEW_FLATTEN void Move(const HeldContact& held, const Anchor* before, Anchor& after) const {
    const mjContact& contact = d_->contact[held.id];
    const Hold<double> hold = HoldOf(m_, contact);
    const AnchorState<double> moved =
        hold.Moved(before ? StateOf(*before) : AnchorState<double>{}, SpringOf(d_, contact, hold.pyramidal),
                   MotionOf(held, contact), NormalForce(d_, contact, hold.pyramidal));
    for (int side = 0; side < 2; ++side) {
      after.geom[side] = held.geom[side] + 1;
      std::copy_n(held.point[side], 3, after.point[side]);
    }
    StoreVec3(moved.at.slide, after.slide);
    StoreVec3(moved.at.turn, after.turn);
    StoreVec3(moved.normal, after.normal);
    after.stiffness = moved.stiffness;
  }

 private:
  ContactMotion<double> MotionOf(const HeldContact& held, const mjContact& contact) const {
    const int body[2] = {m_->geom_bodyid[held.geom[0]], m_->geom_bodyid[held.geom[1]]};
    const int root[2] = {m_->body_rootid[body[0]], m_->body_rootid[body[1]]};
    const Vec3<double> point = LoadVec3(contact.pos);
    return MotionOfContact(view_, velocity_, body, root, point, LoadVec3(contact.frame),
                           SurfaceTwistsOf(surfaces_, view_, contact.geom, point), m_->opt.timestep);
  }

  const mjModel* m_;
  const mjData* d_;
  DataView<double> view_;
  Surfaces surfaces_;
  Spatial<double>* velocity_;
};

// Whether no anchor stands in front of the place that it moves to, where another one would be written first.
bool CanMoveInPlace(std::span<const HeldContact> contacts) {
  for (size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].anchor != HeldContact::kNoAnchor && static_cast<size_t>(contacts[i].anchor) < i) return false;
  }
  return true;
}

// Whether an anchor lies between bodies that sleep, whose contacts are not looked for.
bool Sleeps(const mjModel* m, const mjData* d, const Anchor& anchor) {
  if (IsEmpty(anchor)) return false;
  bool any_asleep = false;
  for (const double number : anchor.geom) {
    if (!(number >= 1 && number <= static_cast<double>(m->ngeom))) return false;
    const int geom = static_cast<int>(number) - 1;
    const int tree = m->body_treeid[m->geom_bodyid[geom]];
    if (tree >= 0 && d->tree_awake[tree]) return false;
    any_asleep |= tree >= 0;
  }
  return any_asleep;
}

}  // namespace

void AddAnchorReference(const mjModel* m, mjData* d) {
  const std::span<Anchor> anchors = ListOf(AnchorsOf(m, d));
  if (anchors.empty() || d->nefc == 0) return;
  StackFrame frame(d);
  for (const HeldContact& held : FindHeldContacts(m, d, anchors, frame).contacts) {
    if (held.anchor == HeldContact::kNoAnchor) continue;
    AddPull(m, d, d->contact[held.id], anchors[static_cast<size_t>(held.anchor)]);
  }
}

std::vector<PullingAnchor> FindPullingAnchors(const mjModel* m, mjData* d) {
  std::vector<PullingAnchor> pulling;
  const std::span<Anchor> anchors = ListOf(AnchorsOf(m, d));
  if (anchors.empty() || d->nefc == 0) return pulling;
  StackFrame frame(d);
  for (const HeldContact& held : FindHeldContacts(m, d, anchors, frame).contacts) {
    if (held.anchor == HeldContact::kNoAnchor) continue;
    const mjContact& contact = d->contact[held.id];
    pulling.push_back({held.id, StateOf(anchors[static_cast<size_t>(held.anchor)]),
                       SpringOf(d, contact, m->opt.cone == mjCONE_PYRAMIDAL)});
  }
  return pulling;
}

void MoveAnchors(const mjModel* m, mjData* d) {
  const std::span<Anchor> slots = AnchorsOf(m, d), anchors = ListOf(slots);
  if (slots.empty()) return;
  StackFrame frame(d);
  const HeldContacts held = FindHeldContacts(m, d, anchors, frame);
  const bool in_place = !SleepEnabled(m) && CanMoveInPlace(held.contacts);
  const size_t most = std::min(slots.size(), held.contacts.size() + anchors.size());
  auto* next = in_place ? slots.data() : frame.Alloc<Anchor>(static_cast<ptrdiff_t>(most));
  size_t count = 0;
  if (!held.contacts.empty()) {
    const AnchorsAtEnd at_end(m, d, frame);
    for (const HeldContact& contact : held.contacts) {
      if (count == most) break;
      const bool is_new = contact.anchor == HeldContact::kNoAnchor;
      at_end.Move(contact, is_new ? nullptr : &anchors[static_cast<size_t>(contact.anchor)], next[count++]);
    }
  }
  for (size_t i = 0; SleepEnabled(m) && i < anchors.size() && count < most; ++i) {
    if (!held.taken[i] && Sleeps(m, d, anchors[i])) next[count++] = anchors[i];
  }
  if (!in_place) std::copy_n(next, count, slots.begin());
  ForgetBehind(count, slots);
}

}  // namespace sinew::inline constraint
