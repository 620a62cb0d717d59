#include "collision/flex/flex_contact.h"

#include <utility>

#include "collision/contact.h"
#include "collision/contact_parameters.h"
#include "collision/spread.h"
#include "math/sort.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1, kPassive = 4;

ContactSurface SurfaceOf(const mjModel* m, const ContactSide& side) {
  return side.geom >= 0 ? ContactSurface::OfGeom(m, side.geom) : ContactSurface::OfFlex(m, side.flex);
}

bool IsPassive(const mjModel* m, const ContactSide& side) { return side.flex >= 0 && m->flex_passive[side.flex]; }

bool Before(const FlexContact& a, const FlexContact& b) {
  return std::pair(a.side[0].id(), a.side[1].id()) < std::pair(b.side[0].id(), b.side[1].id());
}

}  // namespace

void FlexContactList::Add(StackList<Touch<double>>& touches, const ContactSide& side1, const ContactSide& side2,
                          double includemargin) {
  for (const Touch<double>& touch : touches) contacts_.Add({touch, {side1, side2}, includemargin});
  touches.Truncate(0);
}

void FlexContactList::Flush(bool sorted) {
  if (contacts_.size() > mjMAXCONPAIR) KeepSpread(contacts_, frame_, mjMAXCONPAIR);
  if (sorted) InsertionSort(contacts_.begin(), contacts_.size(), Before);
  for (const FlexContact& contact : contacts_) Write(contact);
  contacts_.Truncate(0);
}

void FlexContactList::Write(const FlexContact& from) {
  ContactParameters parameters = ContactParameters::Mix(SurfaceOf(m_, from.side[0]), SurfaceOf(m_, from.side[1]));
  if (m_->opt.enableflags & mjENBL_OVERRIDE) parameters = ContactParameters::Overridden(m_->opt, parameters.dim);
  if (from.frictionless) parameters.dim = 1;

  mjContact contact = {};
  contact.dist = from.dist;
  StoreVec3(from.pos, contact.pos);
  StoreVec3(from.normal, contact.frame);
  CompleteFrame(contact.frame);
  contact.includemargin = from.includemargin;
  parameters.Store(contact);
  for (int i = 0; i < 2; ++i) {
    contact.geom[i] = from.side[i].geom;
    contact.flex[i] = from.side[i].flex;
    contact.elem[i] = from.side[i].elem;
    contact.vert[i] = from.side[i].vert;
  }
  contact.geom1 = contact.geom[0];
  contact.geom2 = contact.geom[1];
  contact.efc_address = -1;
  contact.exclude = IsPassive(m_, from.side[0]) || IsPassive(m_, from.side[1]) ? kPassive
                    : contact.dist >= contact.includemargin                    ? kInGap
                                                                               : 0;
  AddContact(d_, contact);
}

}  // namespace sinew
