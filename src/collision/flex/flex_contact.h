// Contacts in which a flex takes part, from where they are found to where they stand in mjData.
#ifndef SINEW_COLLISION_FLEX_FLEX_CONTACT_H_
#define SINEW_COLLISION_FLEX_FLEX_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/item.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// The items that touch, the margin within which they were found, and where.
struct FlexContact : ContactPoint<double> {
  Item side[2];
  double margin;
  bool is_internal = false;   // of a flex with itself, where gaps do not count
  bool frictionless = false;  // whatever the surfaces ask for
};

// The contacts of two bodies or flexes that meet, one of them a flex. Of more than mjMAXCONPAIR, as many are kept that
// are spread over the surface.
class FlexContactList {
 public:
  FlexContactList(const mjModel* m, mjData* d, StackFrame& frame) : m_(m), d_(d), frame_(frame), contacts_(frame) {}

  // Appends a contact for each of the points, and clears them.
  void Add(StackList<ContactPoint<double>>& points, const Item& side1, const Item& side2, double margin);
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

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_FLEX_CONTACT_H_
