// Contacts of a pack in lanes: bounding spheres of all pairs of geoms that may collide, and for those that are near in
// some lane the formula of the pair (collision/analytic), the same text as for a world alone. A contact of the union is
// a pair of geoms and a place among the points that its formula may give. Pairs without a formula (boxes with each
// other, meshes, general convex shapes) are left to the worlds of the lanes, whose i-th contacts share a place.
#ifndef SINEW_BATCH_PACK_PACK_CONTACTS_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_CONTACTS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "batch/rows/own_contacts_kernel.h"
#include "batch/rows/separation_kernel.h"
#include "collision/analytic/formula_kernels.h"
#include "collision/contact_frame.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/flatten.h"
#include "simd/lane_bits.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// How far apart the centres of a pair may be.
template <class S>
S ReachOf(const ModelView<S>& m, const LanePairs& pairs, int pair) {
  if (!pairs.reach.empty()) return Uniform<S>(pairs.reach[pair]);
  return MarginOf(m, pairs, pair) + m.geom_rbound(pairs.geom1[pair]) + m.geom_rbound(pairs.geom2[pair]);
}

// Lanes in which the spheres of a pair overlap (collision/broad/bounds.h).
template <class S>
MaskOf<S> IsNear(const ModelView<S>& m, const DataView<S>& d, const LanePairs& pairs, int pair) {
  const Vec3<S> apart = d.geom_xpos(pairs.geom2[pair]) - d.geom_xpos(pairs.geom1[pair]);
  const S reach = ReachOf(m, pairs, pair);
  return pairs.is_plane[pair] ? Dot(apart, d.geom_xmat(pairs.geom1[pair]).Column(2)) <= reach
                              : Dot(apart, apart) <= reach * reach;
}

template <class S>
bool IsMeshOnPlane(const ModelView<S>& m, const LanePairs& pairs, int pair) {
  return pairs.is_plane[pair] && m.raw()->geom_type[pairs.geom2[pair]] == mjGEOM_MESH;
}

// Finds the pairs whose spheres overlap in some lane, in the list's order. Convex ones that are known to be apart are
// left out where `separates`, and meshes whose boxes are above a plane.
template <class S>
void FindNearPairs(const ModelView<S>& m, const DataView<S>& d, const LanePairs& pairs, bool separates) {
  int count = 0;
  for (int i = 0; i < pairs.geom1.count; ++i) {
    MaskOf<S> near = IsNear(m, d, pairs, i);
    if (!Any(near)) continue;
    if (separates && (pairs.separation[i] || IsMeshOnPlane(m, pairs, i))) {
      const S reach = ReachOf(m, pairs, i);
      near = pairs.separation[i] ? NotApart(m, d, pairs, i, reach, near) : NotAbove(m, d, pairs, i, reach, near);
      if (!Any(near)) continue;
    }
    pairs.near[count] = i;
    pairs.lanes[count++] = LaneBits(near);
  }
  *pairs.near_count = count;
}

// Hands the contacts of a pair to the worlds' list, with their geometry where some lane has a row for them. Rows begin
// at `own_margin`, where lanes have their own.
template <class S, int N>
void KeepContacts(LaneWorlds& worlds, int pair, bool keeps_first, const ContactPoints<S, N>& found, const S* own_margin,
                  MaskOf<S> near) {
  for (int k = 0; k < (keeps_first ? 1 : N); ++k) {
    const MaskOf<S> hit = found.hit[k] & near;
    if (!Any(hit)) continue;
    const ContactPoint<S>& point = found.point[k];
    const S shared = Uniform<S>(worlds.IncludeMargin(pair)), includemargin = own_margin ? *own_margin : shared;
    const MaskOf<S> present = worlds.KeepsWholeContacts() ? hit : hit & !(point.dist >= includemargin);
    double* numbers = worlds.AddContact(LaneBits(hit), LaneBits(present));
    if (!numbers) continue;
    S* geometry = reinterpret_cast<S*>(numbers);
    const ContactFrame<S> frame = CompletedFrame(point.normal, found.tangent);
    const auto keep = [&](int place, S x) { geometry[place] = Select(present, x, S(0)); };
    keep(LaneContact::kDistance, point.dist);
    for (int i = 0; i < 3; ++i) {
      keep(LaneContact::kPoint + i, point.pos[i]);
      keep(LaneContact::kFrame + i, frame.normal[i]);
      keep(LaneContact::kFrame + 3 + i, frame.first[i]);
      keep(LaneContact::kFrame + 6 + i, frame.second[i]);
    }
    keep(LaneContact::kPresent, S(1));
  }
}

template <class S, auto Kernel>
SINEW_STAGE void CollidePair(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, const LanePairs& pairs,
                             int pair, MaskOf<S> near) {
  const int geom1 = pairs.geom1[pair], geom2 = pairs.geom2[pair];
  const auto found = Kernel(LoadGeom(m, d, geom1), LoadGeom(m, d, geom2), MarginOf(m, pairs, pair));
  S own_margin(0);
  if (pairs.own_distances) {
    const PairDistances<S> own(m, geom1, geom2, pairs.explicit_pair[pair]);
    own_margin = own.margin - own.gap;
  }
  KeepContacts(worlds, pair, pairs.keeps_first[pair], found, pairs.own_distances ? &own_margin : nullptr, near);
}

// Contacts of all pairs that are near in some lane. Those without a formula have been found in the worlds.
template <class S>
void CollideInLanes(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, const LanePairs& pairs) {
  for (int k = 0; k < *pairs.near_count; ++k) {
    const int pair = pairs.near[k];
    const MaskOf<S> near = IsNear(m, d, pairs, pair);
    const auto collide = [&]<auto Kernel>() { CollidePair<S, Kernel>(m, d, worlds, pairs, pair, near); };
    if (!VisitFormula<S>(pairs.formula[pair], collide)) worlds.AddContactsAlone(pair);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_CONTACTS_KERNEL_H_
