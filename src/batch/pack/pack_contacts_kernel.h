// Contacts of a pack in lanes: bounding spheres of all pairs of geoms that may collide, and for those that are near in
// some lane the formula of the pair (collision/analytic), the same text as for a world alone. A contact of the union is
// a pair of geoms and a place among the points that its formula may give. Of meshes on planes, each lane looks for the
// vertices that touch. Other pairs without a formula (boxes with each other, meshes, general convex shapes) are left to
// the worlds of the lanes, whose i-th contacts share a place.
#ifndef SINEW_BATCH_PACK_PACK_CONTACTS_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_CONTACTS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "batch/rows/own_contacts_kernel.h"
#include "batch/rows/separation_kernel.h"
#include "collision/analytic/formula_kernels.h"
#include "collision/analytic/plane_mesh_kernel.h"
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

// Finds the pairs whose spheres overlap in some lane, in the list's order. Convex ones that are known to be apart are
// left out where `separates`, meshes whose boxes are above a plane, and pairs with long formulas whose boxes are apart.
template <class S>
void FindNearPairs(const ModelView<S>& m, const DataView<S>& d, const LanePairs& pairs, bool separates) {
  int count = 0;
  for (int i = 0; i < pairs.geom1.count; ++i) {
    MaskOf<S> near = IsNear(m, d, pairs, i);
    if (!Any(near)) continue;
    if (separates && (pairs.separation[i] || pairs.is_mesh_on_plane[i] || pairs.compares_boxes[i])) {
      const S reach = ReachOf(m, pairs, i);
      near = pairs.separation[i]         ? NotApart(m, d, pairs, i, reach, near)
             : pairs.is_mesh_on_plane[i] ? NotAbove(m, d, pairs, i, reach, near)
                                         : NotApartByBoxes(m, d, pairs, i, reach, near);
      if (!Any(near)) continue;
    }
    pairs.near[count] = i;
    pairs.lanes[count++] = LaneBits(near);
  }
  *pairs.near_count = count;
}

// Hands contacts of a pair to the worlds' list, with their geometry where some lane has a row for them: that begins at
// the margin less the gap, which lanes may have for themselves.
template <class S>
class ContactKeeper {
 public:
  ContactKeeper(const ModelView<S>& m, LaneWorlds& worlds, const LanePairs& pairs, int pair)
      : worlds_(worlds), pair_(pair), has_own_(pairs.own_distances) {
    if (!has_own_) return;
    const PairDistances<S> own(m, pairs.geom1[pair], pairs.geom2[pair], pairs.explicit_pair[pair]);
    own_margin_ = own.margin - own.gap;
  }

  // frame() returns the frame of the contact.
  template <class Frame>
  void Keep(const ContactPoint<S>& point, MaskOf<S> hit, const Frame& frame) const {
    const S shared = Uniform<S>(worlds_.IncludeMargin(pair_)), includemargin = has_own_ ? own_margin_ : shared;
    const MaskOf<S> present = worlds_.KeepsWholeContacts() ? hit : hit & !(point.dist >= includemargin);
    double* numbers = worlds_.AddContact(LaneBits(hit), LaneBits(present));
    if (!numbers) return;
    S* geometry = reinterpret_cast<S*>(numbers);
    const ContactFrame<S> axes = frame();
    const auto keep = [&](int place, S x) { geometry[place] = Select(present, x, S(0)); };
    keep(LaneContact::kDistance, point.dist);
    for (int i = 0; i < 3; ++i) {
      keep(LaneContact::kPoint + i, point.pos[i]);
      keep(LaneContact::kFrame + i, axes.normal[i]);
      keep(LaneContact::kFrame + 3 + i, axes.first[i]);
      keep(LaneContact::kFrame + 6 + i, axes.second[i]);
    }
    keep(LaneContact::kPresent, S(1));
  }

 private:
  LaneWorlds& worlds_;
  int pair_;
  bool has_own_;
  S own_margin_ = S(0);
};

template <class S, auto Kernel>
SINEW_STAGE void CollidePair(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, const LanePairs& pairs,
                             int pair, MaskOf<S> near) {
  const auto found =
      Kernel(LoadGeom(m, d, pairs.geom1[pair]), LoadGeom(m, d, pairs.geom2[pair]), MarginOf(m, pairs, pair));
  const ContactKeeper<S> keeper(m, worlds, pairs, pair);
  constexpr int kPoints = sizeof(found.point) / sizeof(found.point[0]);
  for (int k = 0; k < (pairs.keeps_first[pair] ? 1 : kPoints); ++k) {
    const MaskOf<S> hit = found.hit[k] & near;
    if (!Any(hit)) continue;
    keeper.Keep(found.point[k], hit, [&] { return CompletedFrame(found.point[k].normal, found.tangent); });
  }
}

// A mesh on a plane: vertices are found lane by lane, contacts at them in lanes.
template <class S>
SINEW_STAGE void CollideMeshOnPlane(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds,
                                    const LanePairs& pairs, int pair, unsigned lanes) {
  constexpr int kWidth = LaneTraits<S>::kWidth;
  const int mesh = pairs.geom2[pair];
  const MeshOverPlane<S> over(LoadGeom(m, d, pairs.geom1[pair]), LoadGeom(m, d, mesh));
  alignas(64) double query[LaneFeet::kQueryNumbers * kWidth], vertex[3 * LaneFeet::kMost * kWidth];
  const auto ask = [&query](int place, const S& x) {
    for (int lane = 0; lane < kWidth; ++lane) query[place * kWidth + lane] = LaneOf(x, lane);
  };
  for (int k = 0; k < 3; ++k) ask(LaneFeet::kDown + k, over.down[k]);
  ask(LaneFeet::kCentre, over.centre);
  ask(LaneFeet::kMargin, MarginOf(m, pairs, pair));
  ask(LaneFeet::kRadius, m.geom_rbound(mesh));
  LaneFeet feet = {query, vertex, {}};
  const int count = worlds.FindFeet(pair, lanes, feet);
  if (count == 0) return;
  const S* numbers = TakeNumbers<S>(vertex, 3 * LaneFeet::kMost);
  const ContactFrame<S> frame = CompletedFrame(over.normal, Zero3<S>());
  const ContactKeeper<S> keeper(m, worlds, pairs, pair);
  for (int k = 0; k < count; ++k) {
    const ContactPoint<S> point = over.ContactAt({numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]});
    keeper.Keep(point, MaskOfBits<S>(feet.lanes[k]), [&frame] { return frame; });
  }
}

// Contacts of all pairs that are near in some lane. Those that are left to the worlds have been found there.
template <class S>
void CollideInLanes(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, const LanePairs& pairs) {
  for (int k = 0; k < *pairs.near_count; ++k) {
    const int pair = pairs.near[k];
    if (pairs.is_mesh_on_plane[pair]) {
      CollideMeshOnPlane(m, d, worlds, pairs, pair, pairs.lanes[k]);
      continue;
    }
    const MaskOf<S> near = IsNear(m, d, pairs, pair);
    const auto collide = [&]<auto Kernel>() { CollidePair<S, Kernel>(m, d, worlds, pairs, pair, near); };
    if (!VisitFormula<S>(pairs.formula[pair], collide)) worlds.AddContactsAlone(pair);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_CONTACTS_KERNEL_H_
