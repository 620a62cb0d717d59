#include "collision/analytic/box_lanes.h"

#include "collision/analytic/box_lanes_kernel.h"

namespace sinew {
namespace {

SINEW_DISPATCH unsigned Decide(const mjModel* m, mjData* d, const ItemPair* const* pairs, BoxDecision* out) {
  return box_box::Decide<4>(m, d, pairs, out);
}
SINEW_DISPATCH void TouchFaces(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                               const BoxDecision* const* decisions, BoxTouches& out) {
  box_box::TouchFaces<4>(m, d, pairs, decisions, out);
}
SINEW_DISPATCH void TouchEdges(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                               const BoxDecision* const* decisions, BoxTouches& out) {
  box_box::TouchEdges<4>(m, d, pairs, decisions, out);
}

}  // namespace

constinit const BoxLanes kFourBoxes = {4, Decide, TouchFaces, TouchEdges};

}  // namespace sinew
