#include "collision/analytic/box_lanes_kernel.h"
#include "simd/flatten.h"

namespace sinew::inline collision {

#if defined(__x86_64__)
namespace {

SINEW_FLATTEN unsigned Decide(const mjModel* m, mjData* d, const ItemPair* const* pairs, BoxDecision* out) {
  return box_box::Decide<8>(m, d, pairs, out);
}
SINEW_FLATTEN void ContactsAtFaces(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                                   const BoxDecision* const* decisions, BoxContacts& out) {
  box_box::ContactsAtFaces<8>(m, d, pairs, decisions, out);
}
SINEW_FLATTEN void ContactsAtEdges(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                                   const BoxDecision* const* decisions, BoxContacts& out) {
  box_box::ContactsAtEdges<8>(m, d, pairs, decisions, out);
}

}  // namespace

constinit const BoxLanes kEightBoxes = {8, Decide, ContactsAtFaces, ContactsAtEdges};
#endif

}  // namespace sinew::inline collision
