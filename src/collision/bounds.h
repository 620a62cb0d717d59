// Tests of bounding spheres and boxes.
//
// The test of two boxes uses their six face normals and not the cross products of edges: cheaper, and only ever wrong
// on the safe side.
#ifndef SINEW_COLLISION_BOUNDS_H_
#define SINEW_COLLISION_BOUNDS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew {

// A box in a frame: `box` is its centre and half sizes.
struct PlacedBox {
  const double *origin, *axes;  // of the frame
  const double* box;
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
inline bool IsUnbounded(const double* box) {
  return box[3] >= kUnbounded || box[4] >= kUnbounded || box[5] >= kUnbounded;
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
  placed.is_unbounded = IsUnbounded(box);
  return placed;
}

// Most boxes that are near each other stand one over the other, or on the ground: z tells them apart first.
inline constexpr int kAxisOrder[3] = {2, 0, 1};

inline Vec3<double> Absolute(const Vec3<double>& v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }

// Whether two boxes, the first in its own frame, overlap or are within the margin along every face normal. Of a box
// without end, only its own normals count; a centre within the other box leaves none to ask.
inline bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const BoxInFrame& box2, double margin) {
  const bool unbounded1 = IsUnbounded(box1);
  if (unbounded1 && HoldsAll(box1)) return true;
  const double slack = unbounded1 || box2.is_unbounded ? margin + kCoarse : margin;
  const Vec3<double> half1 = LoadVec3(box1 + 3), apart = box2.centre - LoadVec3(box1);
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
inline bool ProjectionsOverlap(const PlacedBox& box1, const PlacedBox& box2, double margin) {
  const Mat3<double> R1 = LoadMat3(box1.axes), R2 = LoadMat3(box2.axes);
  const Vec3<double> half1 = LoadVec3(box1.box + 3), half2 = LoadVec3(box2.box + 3);
  const Vec3<double> centre1 = R1 * LoadVec3(box1.box) + LoadVec3(box1.origin);
  const Vec3<double> centre2 = R2 * LoadVec3(box2.box) + LoadVec3(box2.origin);
  for (int i = 0; i < 6; ++i) {
    const Vec3<double> axis = i < 3 ? R1.Column(i) : R2.Column(i - 3);
    const double reach1 = Dot(Absolute(MulTransposed(R1, axis)), half1);
    const double reach2 = Dot(Absolute(MulTransposed(R2, axis)), half2);
    if (std::fabs(Dot(centre1, axis) - Dot(centre2, axis)) > reach1 + reach2 + margin) return false;
  }
  return true;
}

inline constexpr double kTie = 1e-9;  // [m] more than the rounding of coordinates in a scene

// The same for two boxes, each in its own frame, that are compared once. Axis by axis: the first that separates ends
// the test, with most of the relative orientation never computed. Boxes that almost touch are compared again.
inline bool BoxesOverlap(const PlacedBox& box1, const PlacedBox& box2, double margin) {
  const bool unbounded1 = IsUnbounded(box1.box);
  if (!unbounded1 && IsUnbounded(box2.box)) return BoxesOverlap(box2, box1, margin);
  const double slack = margin + (unbounded1 ? kCoarse : kTie);
  const Mat3<double> R1 = LoadMat3(box1.axes), R2 = LoadMat3(box2.axes);
  const Vec3<double> half1 = LoadVec3(box1.box + 3), half2 = LoadVec3(box2.box + 3);
  const Vec3<double> apart =
      (LoadVec3(box2.origin) - LoadVec3(box1.origin)) + R2 * LoadVec3(box2.box) - R1 * LoadVec3(box1.box);
  double largest_gap = -kUnbounded;
  Vec3<double> reach2 = Zero3<double>();  // of box 1 along the axes of box 2
  for (const int k : kAxisOrder) {
    const Vec3<double> axis = R1.Column(k), absolute = Absolute(MulTransposed(R2, axis));
    const double gap = std::fabs(Dot(axis, apart)) - (half1[k] + Dot(absolute, half2));
    if (gap > slack) return false;
    largest_gap = std::max(largest_gap, gap);
    reach2 += absolute * half1[k];
  }
  if (unbounded1) return true;
  for (const int k : kAxisOrder) {
    const double gap = std::fabs(Dot(R2.Column(k), apart)) - (half2[k] + reach2[k]);
    if (gap > slack) return false;
    largest_gap = std::max(largest_gap, gap);
  }
  return largest_gap < margin - kTie || ProjectionsOverlap(box1, box2, margin);
}

// The same along the world's z axis only, box 1 being in the world's frame.
inline bool BoxesOverlapAlongZ(const double* box1, const PlacedBox& box2, double margin) {
  const double *axis = box2.axes + 6, *box = box2.box;
  const double apart = box2.origin[2] + axis[0] * box[0] + axis[1] * box[1] + axis[2] * box[2] - box1[2];
  const double reach = std::fabs(axis[0]) * box[3] + std::fabs(axis[1]) * box[4] + std::fabs(axis[2]) * box[5];
  return std::fabs(apart) <= box1[5] + reach + margin + kCoarse;
}

// A geom's share of the margin of its pairs.
inline double GeomMargin(const mjModel* m, int geom) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? 0.5 * m->opt.o_margin : m->geom_margin[geom];
}

// Distance up to which the contacts of two geoms without an explicit pair are detected.
inline double PairMargin(const mjModel* m, int geom1, int geom2) { return GeomMargin(m, geom1) + GeomMargin(m, geom2); }

// Whether the bounding spheres of two geoms are within the margin. A plane has no sphere: the height over it counts.
inline bool SpheresOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom2] == mjGEOM_PLANE) std::swap(geom1, geom2);
  const Vec3<double> apart = LoadVec3(d->geom_xpos + 3 * geom2) - LoadVec3(d->geom_xpos + 3 * geom1);
  const double reach = margin + m->geom_rbound[geom1] + m->geom_rbound[geom2];
  if (m->geom_type[geom1] == mjGEOM_PLANE) {
    const double* mat = d->geom_xmat + 9 * geom1;
    return Dot(apart, Vec3<double>{mat[2], mat[5], mat[8]}) <= reach;
  }
  return Dot(apart, apart) <= reach * reach;
}

// Whether the space below a plane, and the margin over it, holds a part of a geom's box.
inline bool ReachesBelow(const mjModel* m, const mjData* d, int plane, int geom, double margin) {
  const double *axes = d->geom_xmat + 9 * plane, *box = m->geom_aabb + 6 * geom;
  const Vec3<double> normal = {axes[2], axes[5], axes[8]};
  const Vec3<double> local = MulTransposed(LoadMat3(d->geom_xmat + 9 * geom), normal);
  const double height =
      Dot(normal, LoadVec3(d->geom_xpos + 3 * geom) - LoadVec3(d->geom_xpos + 3 * plane)) + Dot(local, LoadVec3(box));
  return height - Dot(Absolute(local), LoadVec3(box + 3)) <= margin + kCoarse;
}

// Whether the boxes of two geoms are within the margin.
inline bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom1] == mjGEOM_PLANE) return ReachesBelow(m, d, geom1, geom2, margin);
  if (m->geom_type[geom2] == mjGEOM_PLANE) return ReachesBelow(m, d, geom2, geom1, margin);
  const PlacedBox box1 = {d->geom_xpos + 3 * geom1, d->geom_xmat + 9 * geom1, m->geom_aabb + 6 * geom1};
  const PlacedBox box2 = {d->geom_xpos + 3 * geom2, d->geom_xmat + 9 * geom2, m->geom_aabb + 6 * geom2};
  return BoxesOverlap(box1, box2, margin);
}

// Whether both the spheres and the boxes of two geoms are within the margin.
inline bool GeomBoundsOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  return SpheresOverlap(m, d, geom1, geom2, margin) && GeomBoxesOverlap(m, d, geom1, geom2, margin);
}

}  // namespace sinew

#endif  // SINEW_COLLISION_BOUNDS_H_
