// Pairs of convex geoms that lanes find separated: by the face normals of their boxes, and by directions that have
// separated them apart before (batch/pairs/lane_separations.h), along which each lane compares what both geoms reach.
#ifndef SINEW_BATCH_ROWS_SEPARATION_KERNEL_H_
#define SINEW_BATCH_ROWS_SEPARATION_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "batch/rows/own_contacts_kernel.h"
#include "collision/broad/box_test.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/functions.h"
#include "simd/lane_bits.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// By how much geoms have to be apart, beside their margin, so that no world finds a contact: more than the tolerance of
// its search and the rounding here. `size`: of the spheres around both, which overlap.
template <class S>
S SureDistance(const ModelView<S>& m, S size) {
  constexpr double kRounding = kIsSingle<S> ? 1e-5 : 1e-9;
  return Uniform<S>(4 * m.raw()->opt.ccd_tolerance) + Uniform<S>(kRounding) * size;
}

// How far a convex geom reaches from its origin along a unit vector of its frame; infinitely in lanes that nobody asks
// for, where it takes a search for each lane.
template <class S>
S ReachOfGeom(const ModelView<S>& m, int geom, const HullLists* hull, const Vec3<S>& u, MaskOf<S> asked) {
  if (hull) return ReachOfHull(*hull, u, LaneBits(asked));
  const Vec3<S> size = m.geom_size(geom);
  switch (m.raw()->geom_type[geom]) {
    case mjGEOM_CAPSULE:
      return size.x + size.y * Abs(u.z);
    case mjGEOM_ELLIPSOID:
      return Norm(Vec3<S>{size.x * u.x, size.y * u.y, size.z * u.z});
    case mjGEOM_CYLINDER:
      return size.x * Sqrt(u.x * u.x + u.y * u.y) + size.y * Abs(u.z);
    case mjGEOM_BOX:
      return size.x * Abs(u.x) + size.y * Abs(u.y) + size.z * Abs(u.z);
    default:  // sphere
      return size.x;
  }
}

// Of some lanes, those in which a pair is apart by more than `distance` along a direction.
template <class S>
MaskOf<S> AreApartAlong(const ModelView<S>& m, const DataView<S>& d, const LaneSeparation& pair,
                        const LaneSeparation::Direction& direction, S distance, MaskOf<S> asked) {
  const Vec3<S> in_base = {Uniform<S>(direction.axis[0]), Uniform<S>(direction.axis[1]), Uniform<S>(direction.axis[2])};
  const Vec3<S> u = d.geom_xmat(pair.base) * in_base;
  const S apart = Dot(u, d.geom_xpos(pair.other) - d.geom_xpos(pair.base));
  const S of_base =
      pair.base_hull ? Uniform<S>(direction.reach) : ReachOfGeom<S>(m, pair.base, nullptr, in_base, asked);
  const S of_other = ReachOfGeom(m, pair.other, pair.other_hull, MulTransposed(d.geom_xmat(pair.other), -u), asked);
  return asked & (apart - of_base - of_other > distance);
}

template <class S>
OrientedBox<S> BoxOf(const ModelView<S>& m, const DataView<S>& d, int geom) {
  const auto box = m.geom_aabb(geom);
  return {d.geom_xpos(geom), d.geom_xmat(geom), {box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
}

// Of the lanes in which the sphere of a mesh reaches a plane, those in which its box does.
template <class S>
MaskOf<S> NotAbove(const ModelView<S>& m, const DataView<S>& d, const LanePairs& pairs, int pair, S reach,
                   MaskOf<S> near) {
  if (!pairs.have_boxes_of_model) return near;
  const int plane = pairs.geom1[pair], mesh = pairs.geom2[pair];
  const Vec3<S> normal = d.geom_xmat(plane).Column(2);
  const OrientedBox<S> box = BoxOf(m, d, mesh);
  const Vec3<S> u = MulTransposed(box.axes, normal);
  const S middle = Dot(normal, box.origin - d.geom_xpos(plane)) + Dot(u, box.centre);
  const S below = box.half.x * Abs(u.x) + box.half.y * Abs(u.y) + box.half.z * Abs(u.z);
  return near & (middle - below <= MarginOf(m, pairs, pair) + SureDistance(m, reach));
}

// Of the lanes in which the spheres of a pair overlap, those in which its boxes do.
template <class S>
MaskOf<S> NotApartByBoxes(const ModelView<S>& m, const DataView<S>& d, const LanePairs& pairs, int pair, S reach,
                          MaskOf<S> near) {
  if (!pairs.have_boxes_of_model) return near;
  const S distance = MarginOf(m, pairs, pair) + SureDistance(m, reach);
  return near & !CompareBoxes(BoxOf(m, d, pairs.geom1[pair]), BoxOf(m, d, pairs.geom2[pair]), distance).apart;
}

// Of the lanes in which the spheres of a pair overlap, those in which it is not known to be apart. Boxes are those of
// the model: they are compared where lanes have no sizes of their own.
template <class S>
MaskOf<S> NotApart(const ModelView<S>& m, const DataView<S>& d, const LanePairs& pairs, int pair, S reach,
                   MaskOf<S> near) {
  LaneSeparation& known = *pairs.separation[pair];
  const S distance = MarginOf(m, pairs, pair) + SureDistance(m, reach);
  if (pairs.have_boxes_of_model) {
    near = near & !CompareBoxes(BoxOf(m, d, known.base), BoxOf(m, d, known.other), distance).apart;
  }
  for (int k = 0; k < known.known && Any(near); ++k) {
    const MaskOf<S> apart = AreApartAlong(m, d, known, known.direction[k], distance, near);
    if (!Any(apart)) continue;
    near = near & !apart;
    if (k == 0) continue;
    const LaneSeparation::Direction serves = known.direction[k];
    known.direction[k] = known.direction[k - 1];
    known.direction[k - 1] = serves;
  }
  return near;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ROWS_SEPARATION_KERNEL_H_
