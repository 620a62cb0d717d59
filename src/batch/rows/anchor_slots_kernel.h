// Contacts of a pack that hold their point (docs/how/stick.md): their anchors in lanes, by the formulas of a world
// alone (constraint/anchor_kernel.h). The worlds of the lanes have the anchors (batch/pairs/lane_anchors.h).
#ifndef SINEW_BATCH_ROWS_ANCHOR_SLOTS_KERNEL_H_
#define SINEW_BATCH_ROWS_ANCHOR_SLOTS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/own_contacts_kernel.h"
#include "constraint/anchor_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"
#include "solve/slots.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// The numbers of a contact that holds its point (LaneContact).
template <class S>
S* AnchorNumbers(const LaneContact& contact) {
  return reinterpret_cast<S*>(contact.anchor);
}

template <class S>
AnchorState<S> LoadAnchor(const S* numbers) {
  return {{LoadVec3(numbers + LaneContact::kSlide), LoadVec3(numbers + LaneContact::kTurn)},
          LoadVec3(numbers + LaneContact::kNormal),
          numbers[LaneContact::kStiffness]};
}

template <class S>
void StoreAnchor(const AnchorState<S>& anchor, S* numbers) {
  StoreVec3(anchor.at.slide, numbers + LaneContact::kSlide);
  StoreVec3(anchor.at.turn, numbers + LaneContact::kTurn);
  StoreVec3(anchor.normal, numbers + LaneContact::kNormal);
  numbers[LaneContact::kStiffness] = anchor.stiffness;
}

template <class S>
AnchorSpring<S> LoadSpring(const S* numbers) {
  return {numbers[LaneContact::kSpringK], numbers[LaneContact::kSpringR], numbers[LaneContact::kSpringStiffness]};
}

template <class S>
void StoreSpring(const AnchorSpring<S>& spring, S* numbers) {
  numbers[LaneContact::kSpringK] = spring.K;
  numbers[LaneContact::kSpringR] = spring.R;
  numbers[LaneContact::kSpringStiffness] = spring.stiffness;
}

// Calls act(contact, its anchor's numbers) for the contacts of the union that hold their point.
template <class S, class Act>
void ForHeldContacts(const LaneSlots& slots, const Act& act) {
  for (const LaneContact& contact : slots.contacts) {
    if (contact.anchor) act(contact, AnchorNumbers<S>(contact));
  }
}

// Points of contacts in the frames of their geoms, by which anchors are found.
template <class S>
SINEW_STAGE void PlaceHeldContacts(const DataView<S>& d, const LaneSlots& slots) {
  ForHeldContacts<S>(slots, [&](const LaneContact& contact, S* numbers) {
    const Vec3<S> point = LoadVec3(reinterpret_cast<const S*>(contact.geometry) + LaneContact::kPoint);
    for (int side = 0; side < 2; ++side) {
      StoreVec3(PointInGeom(d, contact.parameters->geom[side], point), numbers + LaneContact::kPointInGeom + 3 * side);
    }
  });
}

// Moves the anchors of a pack at the end of its step. `velocity`: of each body (VelocitiesAtEnd).
template <class S>
SINEW_STAGE void MoveHeldContacts(const ModelView<S>& m, const DataView<S>& d, const LaneSlots& slots,
                                  const SlotProblem<S>& p, const Spatial<S>* velocity) {
  const Surfaces surfaces = FindSurfaces(m.raw());
  ForHeldContacts<S>(slots, [&](const LaneContact& contact, S* numbers) {
    const S* geometry = reinterpret_cast<const S*>(contact.geometry);
    const S* frame = geometry + LaneContact::kFrame;
    const Vec3<S> point = LoadVec3(geometry + LaneContact::kPoint);
    const mjContact& parameters = *contact.parameters;
    const ContactNumbers<S> of_contact(contact, /*has_own_laws=*/false);
    S friction[5];
    for (int k = 0; k < 5; ++k) friction[k] = of_contact.friction(k);
    const Hold<S> hold = {ContactAxes<S>::Load(frame), friction, parameters.dim, m.raw()->opt.cone == mjCONE_PYRAMIDAL};
    const ContactMotion<S> motion =
        MotionOfContact(d, velocity, contact.body, contact.root, point, hold.axes.axis[0],
                        SurfaceTwistsOf(surfaces, d, parameters.geom, point), m.opt_timestep());
    const S force = p.force[p.slot[contact.slot].first];
    StoreAnchor(hold.Moved(LoadAnchor(numbers), LoadSpring(numbers), motion, force), numbers);
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_ANCHOR_SLOTS_KERNEL_H_
