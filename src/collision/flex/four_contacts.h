// The contacts of four pairs that are compared in lanes.
#ifndef SINEW_COLLISION_FLEX_FOUR_CONTACTS_H_
#define SINEW_COLLISION_FLEX_FOUR_CONTACTS_H_

#include "collision/geom.h"

namespace sinew::inline collision {

struct FourContacts {
  unsigned known = 0;  // bits of the pairs that are decided
  int count[4] = {};
  ContactPoint<double> point[4][2];

  void Add(int lane, const ContactPoint<double>& contact) { point[lane][count[lane]++] = contact; }
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_FOUR_CONTACTS_H_
