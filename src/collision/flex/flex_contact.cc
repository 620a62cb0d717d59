// Lists contacts of flexes, keeps those that are spread widest when there are too many, and writes them with mixed
// parameters.
#include "collision/flex/flex_contact.h"

#include <utility>

#include "collision/contact.h"
#include "collision/spread.h"
#include "math/sort.h"
#include "model/kinds/contact_exclude.h"

namespace sinew::inline collision {
namespace {

// Order number of an item within its body or flex.
int NumberOf(const Item& side) { return side.kind == ItemKind::kGeom ? side.id : side.part; }

bool Before(const FlexContact& a, const FlexContact& b) {
  return std::pair(NumberOf(a.side[0]), NumberOf(a.side[1])) < std::pair(NumberOf(b.side[0]), NumberOf(b.side[1]));
}

}  // namespace

void FlexContactList::Add(StackList<ContactPoint<double>>& points, const Item& side1, const Item& side2,
                          double margin) {
  const bool is_internal = side1.kind != ItemKind::kGeom && side1.id == side2.id;
  for (const ContactPoint<double>& point : points) contacts_.Add({point, {side1, side2}, margin, is_internal});
  points.Truncate(0);
}

void FlexContactList::Flush(bool sorted) {
  if (contacts_.size() > mjMAXCONPAIR) KeepSpread(contacts_, frame_, mjMAXCONPAIR);
  if (sorted) InsertionSort(contacts_.begin(), contacts_.size(), Before);
  for (const FlexContact& contact : contacts_) Write(contact);
  contacts_.Truncate(0);
}

void FlexContactList::Write(const FlexContact& from) {
  mjContact contact = {};
  contact.dist = from.dist;
  StoreVec3(from.pos, contact.pos);
  StoreVec3(from.normal, contact.frame);
  CompleteFrame(contact.frame);
  CompleteParameters(m_, {from.side[0], from.side[1], -1, from.margin}, &contact, 1);
  if (from.is_internal) contact.includemargin = from.margin;
  if (from.frictionless) contact.dim = 1;
  contact.efc_address = -1;
  contact.exclude = contact.dist >= contact.includemargin ? contact_exclude::kInGap : contact_exclude::kActive;
  AddContact(d_, contact);
}

}  // namespace sinew::inline collision
