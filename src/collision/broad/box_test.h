// Whether two oriented boxes overlap: the one test of the broad phase, of nodes of trees and of geoms.
//
// It compares the projections on the six face normals of the boxes and not those on the cross products of their edges:
// that is cheaper, and only ever wrong on the safe side (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996,
// name all 15 axes). With boxes of centre c and half sizes h in frames of origin p and axes R,
//
//   apart along n  if  |n . (p2 + R2 c2 - p1 - R1 c1)| > sum_k |n . R1_k| h1_k + sum_k |n . R2_k| h2_k + margin.
//
// Boxes without end, such as a plane's, which fills the space below it, have half sizes of mjMAXVAL. Only their own
// normals count, and boxes that touch these to a hundredth of a millimetre are told apart by the rounding of sums.
#ifndef SINEW_COLLISION_BROAD_BOX_TEST_H_
#define SINEW_COLLISION_BROAD_BOX_TEST_H_

#include <mujoco/mujoco.h>

#include <cmath>

#include "collision/item.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/functions.h"
#include "simd/unroll.h"

namespace sinew::inline collision {

// A box in the world: p, R, c and h above.
template <class S>
struct OrientedBox {
  Vec3<S> origin;
  Mat3<S> axes;
  Vec3<S> centre, half;
};

// Where the numbers of a box are: its frame, and centre and half sizes in it.
struct BoxSource {
  const Vec3<double>* origin;
  const Mat3<double>* axes;
  const double* box;  // six numbers

  OrientedBox<double> Load() const { return {*origin, *axes, LoadVec3(box), LoadVec3(box + 3)}; }
};

inline BoxSource BoxOfGeom(const mjModel* m, mjData* d, int geom) {
  const DataView<double> data(d);
  return {&data.geom_xpos(geom), &data.geom_xmat(geom), ModelView<double>(m).geom_aabb(geom)};
}

// Boxes of flexes are aligned with the world.
inline constexpr Vec3<double> kWorldOrigin = {0, 0, 0};
inline constexpr Mat3<double> kWorldAxes = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};

// The box of a node, by its number in the model, in its own frame. Nodes of flexes come last.
inline const double* NodeBox(const mjModel* m, const mjData* d, ptrdiff_t node) {
  return node < m->nbvhstatic ? m->bvh_aabb + 6 * node : d->bvh_aabb_dyn + 6 * (node - m->nbvhstatic);
}
// Of a body's tree, whose boxes are aligned with the body's inertial frame, or of a flex's, at nbody + flex.
inline BoxSource BoxOfNode(const mjModel* m, mjData* d, int body, int node) {
  if (body >= m->nbody) return {&kWorldOrigin, &kWorldAxes, NodeBox(m, d, node)};
  const DataView<double> data(d);
  return {&data.xipos(body), &data.ximat(body), NodeBox(m, d, node)};
}
inline BoxSource BoxOfElement(const mjModel* m, const mjData* d, int flex, int elem) {
  return {&kWorldOrigin, &kWorldAxes, d->flexelem_aabb + 6 * static_cast<ptrdiff_t>(m->flex_elemadr[flex] + elem)};
}

inline constexpr double kCoarse = 1e-5;  // [m] more than the rounding of the coordinates of boxes without end

template <class S>
MaskOf<S> IsUnbounded(const Vec3<S>& half) {
  constexpr double kUnbounded = 1e10;  // mjMAXVAL
  return (half.x >= S(kUnbounded)) | (half.y >= S(kUnbounded)) | (half.z >= S(kUnbounded));
}

// Whether a box holds all that is near: those of several planes do.
inline bool HoldsEverything(const double* box) {
  constexpr double kNear = 1e9;  // [m]
  for (int k = 0; k < 3; ++k) {
    if (!(box[3 + k] - std::fabs(box[k]) >= kNear)) return false;
  }
  return true;
}

template <class S>
Vec3<S> Absolute(const Vec3<S>& v) {
  return {Abs(v.x), Abs(v.y), Abs(v.z)};
}

template <class S>
struct BoxComparison {
  MaskOf<S> apart;
  MaskOf<S> tie;  // the boxes touch up to rounding
};

// The largest gap along the face normals decides. It is hard to predict along which of them boxes are apart: branches
// ask for all lanes only. The normals of the first box come first, as most boxes that are compared with the ground are
// above it.
template <class S>
BoxComparison<S> CompareBoxes(const OrientedBox<S>& box1, const OrientedBox<S>& box2, S margin) {
  constexpr double kTie = 1e-9;  // [m] more than the rounding of coordinates in a scene
  const MaskOf<S> unbounded1 = IsUnbounded(box1.half), unbounded2 = IsUnbounded(box2.half),
                  any = unbounded1 | unbounded2;
  const S tie = Select(any, S(kCoarse), S(kTie));
  const Vec3<S> apart = (box2.origin - box1.origin) + box2.axes * box2.centre - box1.axes * box1.centre;
  Vec3<S> reach = Zero3<S>();  // of box 1 along the axes of box 2
  S gap1 = S(-kInfinity), gap2 = S(-kInfinity);
  Unroll<0, 3>([&](auto k) {
    const Vec3<S> axis = box1.axes.Column(k), absolute = Absolute(MulTransposed(box2.axes, axis));
    gap1 = Max(Abs(Dot(axis, apart)) - (box1.half[k] + Dot(absolute, box2.half)), gap1);
    reach += absolute * box1.half[k];
  });
  gap1 = Select(unbounded2 & !unbounded1, S(-kInfinity), gap1);
  const MaskOf<S> apart1 = gap1 > margin + tie;
  if (All(apart1)) return {apart1, !apart1};

  Unroll<0, 3>([&](auto k) { gap2 = Max(Abs(Dot(box2.axes.Column(k), apart)) - (box2.half[k] + reach[k]), gap2); });

  const S gap = Max(gap1, Select(unbounded1, S(-kInfinity), gap2));
  const MaskOf<S> is_apart = gap > margin + tie;
  return {is_apart, !(is_apart | (gap < margin - tie))};
}

// The same test in the order of sums that decides ties as MuJoCo 3.8.0 does: models are built with exact numbers, and
// boxes that touch exactly are told apart by the rounding of these sums.
bool TouchingBoxesOverlap(const OrientedBox<double>& box1, const OrientedBox<double>& box2, double margin);

inline bool BoxesOverlap(const OrientedBox<double>& box1, const OrientedBox<double>& box2, double margin) {
  const BoxComparison<double> comparison = CompareBoxes(box1, box2, margin);
  return !comparison.apart && (!comparison.tie || TouchingBoxesOverlap(box1, box2, margin));
}

// The same for four pairs at once; bit i of the result is that of pair i.
unsigned FourBoxesOverlap(const BoxSource (&box1)[4], const BoxSource (&box2)[4], const double (&margin)[4]);

// Calls prepare(i, box1, box2, margin) for each of `count` pairs, and then found(i, overlap) for each of them, in their
// order.
template <class Prepare, class Found>
void CompareInFours(int count, const Prepare& prepare, const Found& found) {
  for (int first = 0; first < count; first += 4) {
    BoxSource box1[4], box2[4];
    double margin[4];
    for (int lane = 0; lane < 4; ++lane) {  // the last pair fills the lanes that are left
      prepare(first + lane < count ? first + lane : count - 1, box1[lane], box2[lane], margin[lane]);
    }
    const unsigned overlap = FourBoxesOverlap(box1, box2, margin);
    for (int lane = 0; lane < 4 && first + lane < count; ++lane) found(first + lane, (overlap >> lane & 1) != 0);
  }
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_BOX_TEST_H_
