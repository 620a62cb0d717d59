// Contacts in which a flex takes part, from where they are found to where they stand in mjData.
#ifndef SINEW_COLLISION_FLEX_FLEX_CONTACT_H_
#define SINEW_COLLISION_FLEX_FLEX_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/stack_list.h"

namespace sinew {

// What touches on one side of a contact: a geom, or an element or a vertex of a flex; -1: none.
struct ContactSide {
  int geom = -1, flex = -1, elem = -1, vert = -1;

  static ContactSide OfGeom(int geom) { return {geom, -1, -1, -1}; }
  static ContactSide OfElement(int flex, int elem) { return {-1, flex, elem, -1}; }
  static ContactSide OfVertex(int flex, int vert) { return {-1, flex, -1, vert}; }

  // Order number within the body or flex that takes part.
  int id() const { return geom >= 0 ? geom : elem >= 0 ? elem : vert; }
};

struct FlexContact : Touch<double> {
  ContactSide side[2];
  double includemargin;
  bool frictionless = false;  // whatever the surfaces ask for
};

// The contacts of two bodies or flexes that meet, one of them a flex. Of more than mjMAXCONPAIR, as many are kept that
// are spread over the surface.
class FlexContactList {
 public:
  FlexContactList(const mjModel* m, mjData* d, StackFrame& frame) : m_(m), d_(d), frame_(frame), contacts_(frame) {}

  // Appends a contact for each of the touches, and clears them.
  void Add(StackList<Touch<double>>& touches, const ContactSide& side1, const ContactSide& side2, double includemargin);
  void Add(const FlexContact& contact) { contacts_.Add(contact); }

  // Appends the contacts to those of mjData and clears the list; sorted by the ids of their sides when asked for.
  void Flush(bool sorted);

 private:
  void Write(const FlexContact& contact);

  const mjModel* m_;
  mjData* d_;
  StackFrame& frame_;
  StackList<FlexContact> contacts_;
};

}  // namespace sinew

#endif  // SINEW_COLLISION_FLEX_FLEX_CONTACT_H_
