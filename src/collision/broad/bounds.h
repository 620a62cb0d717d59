// Tests of bounding spheres and boxes.
//
// The test of two boxes uses their six face normals and not the cross products of edges: cheaper, and only ever wrong
// on the safe side.
#ifndef SINEW_COLLISION_BROAD_BOUNDS_H_
#define SINEW_COLLISION_BROAD_BOUNDS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/mat3.h"
#include "math/vec3.h"
#include "simd/functions.h"
#include "simd/unroll.h"

namespace sinew {

// A box in a frame of the world.
template <class S>
struct PlacedBox {
  Vec3<S> origin;  // of the frame
  Mat3<S> axes;
  Vec3<S> centre, half;  // of the box
};

// A box of the second frame of two, seen in the first: its centre, and how far it reaches along each axis.
struct BoxInFrame {
  Vec3<double> centre, reach, half;
  bool is_unbounded;
};

// A frame relative to another, with what the box test needs of it.
struct RelativeFrame {
  Mat3<double> R, absolute;  // axes of the second frame in the first, and the magnitudes of their components
  Vec3<double> origin;       // of the second frame in the first

  // Where the first frame is the world's, there is nothing to turn.
  RelativeFrame(bool first_is_world, const double* pos1, const double* mat1, const double* pos2, const double* mat2) {
    R = LoadMat3(mat2);
    origin = LoadVec3(pos2);
    if (!first_is_world) {
      const Mat3<double> first = LoadMat3(mat1);
      R = Transpose(first) * R;
      origin = MulTransposed(first, origin - LoadVec3(pos1));
    }
    for (int i = 0; i < 9; ++i) absolute.m[i] = std::fabs(R.m[i]);
  }

  BoxInFrame Place(const double* box) const;
};

// Half sizes from which a box has no end (mjMAXVAL): that of a plane fills the space below it.
inline constexpr double kUnbounded = 1e10;
inline constexpr double kCoarse = 1e-5;  // [m] more than the rounding of the coordinates of such boxes
template <class S>
MaskOf<S> IsUnbounded(const Vec3<S>& half) {
  return (half.x >= S(kUnbounded)) | (half.y >= S(kUnbounded)) | (half.z >= S(kUnbounded));
}

// Whether a box without end holds all that is near along an axis, or along all three: the boxes of several planes do.
inline constexpr double kNear = 1e9;  // [m]
inline bool HoldsAll(const double* box, int axis) { return box[3 + axis] - std::fabs(box[axis]) >= kNear; }
inline bool HoldsAll(const double* box) { return HoldsAll(box, 0) && HoldsAll(box, 1) && HoldsAll(box, 2); }

inline BoxInFrame RelativeFrame::Place(const double* box) const {
  BoxInFrame placed;
  placed.half = LoadVec3(box + 3);
  placed.centre = origin + R * LoadVec3(box);
  placed.reach = absolute * placed.half;
  placed.is_unbounded = IsUnbounded(placed.half);
  return placed;
}

// Most boxes that are near each other stand one over the other, or on the ground: z tells them apart first.
inline constexpr int kAxisOrder[3] = {2, 0, 1};

template <class S>
Vec3<S> Absolute(const Vec3<S>& v) {
  return {Abs(v.x), Abs(v.y), Abs(v.z)};
}

// Whether two boxes, the first in its own frame, overlap or are within the margin along every face normal. Of a box
// without end, only its own normals count; a centre within the other box leaves none to ask.
inline bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const BoxInFrame& box2, double margin) {
  const Vec3<double> half1 = LoadVec3(box1 + 3), apart = box2.centre - LoadVec3(box1);
  const bool unbounded1 = IsUnbounded(half1);
  if (unbounded1 && HoldsAll(box1)) return true;
  const double slack = unbounded1 || box2.is_unbounded ? margin + kCoarse : margin;
  if (!box2.is_unbounded) {
    for (const int k : kAxisOrder) {
      if (std::fabs(apart[k]) > half1[k] + box2.reach[k] + slack) return false;
    }
  }
  const Vec3<double> distance = Absolute(apart);
  if (unbounded1 || ((distance.x <= half1.x) & (distance.y <= half1.y) & (distance.z <= half1.z))) return true;
  const Vec3<double> apart2 = MulTransposed(frame.R, apart);
  for (const int k : kAxisOrder) {
    if (std::fabs(apart2[k]) > box2.half[k] + Dot(frame.absolute.Column(k), half1) + slack) return false;
  }
  return true;
}

// Whether two boxes overlap, or are within the margin, along every face normal: distances of the projections of their
// centres, and reaches, are computed as established. What touches exactly, by the design of a model, is decided by the
// rounding of these sums.
inline bool ProjectionsOverlap(const PlacedBox<double>& box1, const PlacedBox<double>& box2, double margin) {
  const Mat3<double>&R1 = box1.axes, &R2 = box2.axes;
  const Vec3<double> centre1 = R1 * box1.centre + box1.origin, centre2 = R2 * box2.centre + box2.origin;
  for (int i = 0; i < 6; ++i) {
    const Vec3<double> axis = i < 3 ? R1.Column(i) : R2.Column(i - 3);
    const double reach1 = Dot(Absolute(MulTransposed(R1, axis)), box1.half);
    const double reach2 = Dot(Absolute(MulTransposed(R2, axis)), box2.half);
    if (std::fabs(Dot(centre1, axis) - Dot(centre2, axis)) > reach1 + reach2 + margin) return false;
  }
  return true;
}

inline constexpr double kTie = 1e-9;  // [m] more than the rounding of coordinates in a scene

template <class S>
struct BoxComparison {
  MaskOf<S> apart;
  MaskOf<S> tie;  // almost: ProjectionsOverlap decides
};

// The largest gap along the face normals of two boxes. Without branches: along which of them boxes are apart is chance.
template <class S>
BoxComparison<S> CompareBoxes(const PlacedBox<S>& box1, const PlacedBox<S>& box2, S margin) {
  const Vec3<S> apart = (box2.origin - box1.origin) + box2.axes * box2.centre - box1.axes * box1.centre;
  Vec3<S> reach = Zero3<S>();  // of box 1 along the axes of box 2
  S gap1 = S(-kInfinity), gap2 = S(-kInfinity);
  Unroll<0, 3>([&](auto i) {
    constexpr int k = kAxisOrder[i];
    const Vec3<S> axis = box1.axes.Column(k), absolute = Absolute(MulTransposed(box2.axes, axis));
    gap1 = Max(Abs(Dot(axis, apart)) - (box1.half[k] + Dot(absolute, box2.half)), gap1);
    reach += absolute * box1.half[k];
  });
  Unroll<0, 3>([&](auto k) { gap2 = Max(Abs(Dot(box2.axes.Column(k), apart)) - (box2.half[k] + reach[k]), gap2); });

  // of a box without end, only its own normals count
  const MaskOf<S> unbounded1 = IsUnbounded(box1.half), unbounded2 = IsUnbounded(box2.half),
                  any = unbounded1 | unbounded2;
  const S gap = Max(Select(unbounded2 & !unbounded1, S(-kInfinity), gap1), Select(unbounded1, S(-kInfinity), gap2));
  const MaskOf<S> is_apart = gap > margin + Select(any, S(kCoarse), S(kTie));
  return {is_apart, !(is_apart | any | (gap < margin - S(kTie)))};
}

inline bool BoxesOverlap(const PlacedBox<double>& box1, const PlacedBox<double>& box2, double margin) {
  const BoxComparison<double> comparison = CompareBoxes(box1, box2, margin);
  return !comparison.apart && (!comparison.tie || ProjectionsOverlap(box1, box2, margin));
}

// Whether a box of the world's frame and another are within the margin along the world's z axis.
template <class S>
MaskOf<S> AreNearAlongZ(S centre1, S half1, const PlacedBox<S>& box2, S margin) {
  const Vec3<S> axis = box2.axes.Row(2);
  const S apart = box2.origin.z + Dot(axis, box2.centre) - centre1;
  return Abs(apart) <= half1 + Dot(Absolute(axis), box2.half) + margin + S(kCoarse);
}

// A geom's share of the margin of its pairs.
inline double GeomMargin(const mjModel* m, int geom) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? 0.5 * m->opt.o_margin : m->geom_margin[geom];
}

// Distance up to which the contacts of two geoms without an explicit pair are detected.
inline double PairMargin(const mjModel* m, int geom1, int geom2) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return GeomMargin(m, geom1) + GeomMargin(m, geom2);
  return m->geom_margin[geom1] + m->geom_margin[geom2];
}

// Whether bounding spheres are within `reach`: the sum of their radii and the margin.
template <class S>
MaskOf<S> AreNear(const Vec3<S>& pos1, const Vec3<S>& pos2, S reach) {
  const Vec3<S> apart = pos2 - pos1;
  return Dot(apart, apart) <= reach * reach;
}
// A plane has no sphere: the height over it counts.
template <class S>
MaskOf<S> IsNearPlane(const Vec3<S>& plane_pos, const Vec3<S>& normal, const Vec3<S>& pos, S reach) {
  return Dot(pos - plane_pos, normal) <= reach;
}

// Whether the space below a plane, and the margin over it, holds a part of a box.
template <class S>
MaskOf<S> ReachesBelow(const Vec3<S>& plane_pos, const Vec3<S>& normal, const PlacedBox<S>& box, S margin) {
  const Vec3<S> local = MulTransposed(box.axes, normal);
  const S height = Dot(normal, box.origin - plane_pos) + Dot(local, box.centre);
  return height - Dot(Absolute(local), box.half) <= margin + S(kCoarse);
}

inline Vec3<double> PlaneNormal(const mjData* d, int plane) {
  const double* axes = d->geom_xmat + 9 * plane;
  return {axes[2], axes[5], axes[8]};
}

inline PlacedBox<double> PlaceGeomBox(const mjModel* m, const mjData* d, int geom) {
  const double* box = m->geom_aabb + 6 * static_cast<ptrdiff_t>(geom);
  return {LoadVec3(d->geom_xpos + 3 * geom), LoadMat3(d->geom_xmat + 9 * geom), LoadVec3(box), LoadVec3(box + 3)};
}

// For geoms in the order of their types, where a plane comes first.
inline bool OrderedSpheresOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  const Vec3<double> pos1 = LoadVec3(d->geom_xpos + 3 * geom1), pos2 = LoadVec3(d->geom_xpos + 3 * geom2);
  const double reach = margin + m->geom_rbound[geom1] + m->geom_rbound[geom2];
  if (m->geom_type[geom1] == mjGEOM_PLANE) return IsNearPlane(pos1, PlaneNormal(d, geom1), pos2, reach);
  return AreNear(pos1, pos2, reach);
}
inline bool SpheresOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom2] == mjGEOM_PLANE) std::swap(geom1, geom2);
  return OrderedSpheresOverlap(m, d, geom1, geom2, margin);
}

// Whether the boxes of two geoms are within the margin.
inline bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom2] == mjGEOM_PLANE) std::swap(geom1, geom2);
  const PlacedBox<double> box2 = PlaceGeomBox(m, d, geom2);
  if (m->geom_type[geom1] == mjGEOM_PLANE) {
    return ReachesBelow(LoadVec3(d->geom_xpos + 3 * geom1), PlaneNormal(d, geom1), box2, margin);
  }
  return BoxesOverlap(PlaceGeomBox(m, d, geom1), box2, margin);
}

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_BOUNDS_H_
