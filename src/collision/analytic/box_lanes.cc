#include "collision/analytic/box_lanes.h"

#include "collision/analytic/box_lanes_kernel.h"

namespace sinew::inline collision {
namespace {

SINEW_DISPATCH unsigned Decide(const mjModel* m, mjData* d, const ItemPair* const* pairs, BoxDecision* out) {
  return box_box::Decide<4>(m, d, pairs, out);
}
SINEW_DISPATCH void ContactsAtFaces(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                                    const BoxDecision* const* decisions, BoxContacts& out) {
  box_box::ContactsAtFaces<4>(m, d, pairs, decisions, out);
}
SINEW_DISPATCH void ContactsAtEdges(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                                    const BoxDecision* const* decisions, BoxContacts& out) {
  box_box::ContactsAtEdges<4>(m, d, pairs, decisions, out);
}

}  // namespace

constinit const BoxLanes kFourBoxes = {4, Decide, ContactsAtFaces, ContactsAtEdges};

}  // namespace sinew::inline collision
