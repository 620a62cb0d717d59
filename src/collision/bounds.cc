#include "collision/bounds.h"

#include <cmath>

namespace sinew {
namespace {

// Most boxes that are near each other stand one over the other, or on the ground: z tells them apart first.
constexpr int kAxes[3] = {2, 0, 1};

Vec3<double> Absolute(const Vec3<double>& v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }

bool IsWithin(const Vec3<double>& v, const Vec3<double>& half) {
  return (std::fabs(v.x) <= half.x) & (std::fabs(v.y) <= half.y) & (std::fabs(v.z) <= half.z);
}

// The space below a plane and a box.
bool ReachesBelow(const mjModel* m, const mjData* d, int plane, int geom, double margin) {
  const double *axes = d->geom_xmat + 9 * plane, *box = m->geom_aabb + 6 * geom;
  const Vec3<double> normal = {axes[2], axes[5], axes[8]};
  const Vec3<double> local = MulTransposed(LoadMat3(d->geom_xmat + 9 * geom), normal);
  const double height =
      Dot(normal, LoadVec3(d->geom_xpos + 3 * geom) - LoadVec3(d->geom_xpos + 3 * plane)) + Dot(local, LoadVec3(box));
  return height - Dot(Absolute(local), LoadVec3(box + 3)) <= margin + kCoarse;
}

}  // namespace

void RelativeFrame::SetAbsolute() {
  for (int i = 0; i < 9; ++i) absolute.m[i] = std::fabs(R.m[i]);
}

RelativeFrame::RelativeFrame(const double* pos1, const double* mat1, const double* pos2, const double* mat2) {
  const Mat3<double> first = LoadMat3(mat1);
  R = Transpose(first) * LoadMat3(mat2);
  SetAbsolute();
  origin = MulTransposed(first, LoadVec3(pos2) - LoadVec3(pos1));
}

RelativeFrame::RelativeFrame(const double* pos, const double* mat) : R(LoadMat3(mat)), origin(LoadVec3(pos)) {
  SetAbsolute();
}

bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const double* box2, double margin) {
  const bool unbounded1 = IsUnbounded(box1), unbounded2 = IsUnbounded(box2);
  const double slack = unbounded1 || unbounded2 ? margin + kCoarse : margin;
  const Vec3<double> half1 = LoadVec3(box1 + 3), half2 = LoadVec3(box2 + 3);
  const Vec3<double> apart = frame.origin + frame.R * LoadVec3(box2) - LoadVec3(box1);
  if (!unbounded2) {
    for (const int k : kAxes) {
      if (std::fabs(apart[k]) > half1[k] + Dot(frame.absolute.Row(k), half2) + slack) return false;
    }
  }
  if (unbounded1 || IsWithin(apart, half1)) return true;
  const Vec3<double> apart2 = MulTransposed(frame.R, apart);
  for (const int k : kAxes) {
    if (std::fabs(apart2[k]) > half2[k] + Dot(frame.absolute.Column(k), half1) + slack) return false;
  }
  return true;
}

// Axis by axis: the first that separates ends the test, with most of the relative orientation never computed.
bool BoxesOverlap(const PlacedBox& box1, const PlacedBox& box2, double margin) {
  const bool unbounded1 = IsUnbounded(box1.box);
  if (!unbounded1 && IsUnbounded(box2.box)) return BoxesOverlap(box2, box1, margin);
  const double slack = unbounded1 ? margin + kCoarse : margin;
  const Mat3<double> R1 = LoadMat3(box1.axes), R2 = LoadMat3(box2.axes);
  const Vec3<double> half1 = LoadVec3(box1.box + 3), half2 = LoadVec3(box2.box + 3);
  const Vec3<double> apart =
      (LoadVec3(box2.origin) - LoadVec3(box1.origin)) + R2 * LoadVec3(box2.box) - R1 * LoadVec3(box1.box);
  Vec3<double> reach2 = Zero3<double>();  // of box 1 along the axes of box 2
  for (const int k : kAxes) {
    const Vec3<double> axis = R1.Column(k), absolute = Absolute(MulTransposed(R2, axis));
    if (std::fabs(Dot(axis, apart)) > half1[k] + Dot(absolute, half2) + slack) return false;
    reach2 += absolute * half1[k];
  }
  if (unbounded1) return true;
  for (const int k : kAxes) {
    if (std::fabs(Dot(R2.Column(k), apart)) > half2[k] + reach2[k] + slack) return false;
  }
  return true;
}

bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom1] == mjGEOM_PLANE) return ReachesBelow(m, d, geom1, geom2, margin);
  if (m->geom_type[geom2] == mjGEOM_PLANE) return ReachesBelow(m, d, geom2, geom1, margin);
  const PlacedBox box1 = {d->geom_xpos + 3 * geom1, d->geom_xmat + 9 * geom1, m->geom_aabb + 6 * geom1};
  const PlacedBox box2 = {d->geom_xpos + 3 * geom2, d->geom_xmat + 9 * geom2, m->geom_aabb + 6 * geom2};
  return BoxesOverlap(box1, box2, margin);
}

bool GeomBoundsOverlap(const mjModel* m, const mjData* d, int geom1, int geom2) {
  const double margin = PairMargin(m, geom1, geom2);
  return SpheresOverlap(m, d, geom1, geom2, margin) && GeomBoxesOverlap(m, d, geom1, geom2, margin);
}

}  // namespace sinew
