#include "collision/bounds.h"

#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr double kUnbounded = 1e10;  // half size (mjMAXVAL) of the box below a plane
constexpr double kCoarse = 1e-5;     // [m] more than the rounding of such coordinates

bool IsUnbounded(const double* box) { return box[3] >= kUnbounded || box[4] >= kUnbounded || box[5] >= kUnbounded; }

}  // namespace

RelativeFrame::RelativeFrame(const double* pos1, const double* mat1, const double* pos2, const double* mat2) {
  const Mat3<double> first = LoadMat3(mat1);
  R = Transpose(first) * LoadMat3(mat2);
  for (int i = 0; i < 9; ++i) absolute.m[i] = std::fabs(R.m[i]);
  origin = MulTransposed(first, LoadVec3(pos2) - LoadVec3(pos1));
}

bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const double* box2, double margin) {
  const double slack = IsUnbounded(box1) || IsUnbounded(box2) ? margin + kCoarse : margin;
  const Vec3<double> half1 = LoadVec3(box1 + 3), half2 = LoadVec3(box2 + 3);
  const Vec3<double> apart = frame.origin + frame.R * LoadVec3(box2) - LoadVec3(box1);
  const Vec3<double> reach1 = frame.absolute * half2;
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(apart[k]) > half1[k] + reach1[k] + slack) return false;
  }
  const Vec3<double> apart2 = MulTransposed(frame.R, apart), reach2 = MulTransposed(frame.absolute, half1);
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(apart2[k]) > half2[k] + reach2[k] + slack) return false;
  }
  return true;
}

// Axis by axis: the first that separates ends the test, with most of the relative orientation never computed.
bool BoxesOverlap(const PlacedBox& box1, const PlacedBox& box2, double margin) {
  const double slack = IsUnbounded(box1.box) || IsUnbounded(box2.box) ? margin + kCoarse : margin;
  const Mat3<double> R1 = LoadMat3(box1.axes), R2 = LoadMat3(box2.axes);
  const Vec3<double> half1 = LoadVec3(box1.box + 3), half2 = LoadVec3(box2.box + 3);
  const Vec3<double> apart =
      (LoadVec3(box2.origin) - LoadVec3(box1.origin)) + R2 * LoadVec3(box2.box) - R1 * LoadVec3(box1.box);
  Vec3<double> reach2 = Zero3<double>();  // of box 1 along the axes of box 2
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> axis = R1.Column(k), cosine = MulTransposed(R2, axis);
    const Vec3<double> absolute = {std::fabs(cosine.x), std::fabs(cosine.y), std::fabs(cosine.z)};
    if (std::fabs(Dot(axis, apart)) > half1[k] + Dot(absolute, half2) + slack) return false;
    reach2 += absolute * half1[k];
  }
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(Dot(R2.Column(k), apart)) > half2[k] + reach2[k] + slack) return false;
  }
  return true;
}

bool SpheresOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom2] == mjGEOM_PLANE) std::swap(geom1, geom2);
  const Vec3<double> apart = LoadVec3(d->geom_xpos + 3 * geom2) - LoadVec3(d->geom_xpos + 3 * geom1);
  const double reach = margin + m->geom_rbound[geom1] + m->geom_rbound[geom2];
  if (m->geom_type[geom1] == mjGEOM_PLANE) {
    const double* mat = d->geom_xmat + 9 * geom1;
    return Dot(apart, Vec3<double>{mat[2], mat[5], mat[8]}) <= reach;
  }
  return Dot(apart, apart) <= reach * reach;
}

bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  const PlacedBox box1 = {d->geom_xpos + 3 * geom1, d->geom_xmat + 9 * geom1, m->geom_aabb + 6 * geom1};
  const PlacedBox box2 = {d->geom_xpos + 3 * geom2, d->geom_xmat + 9 * geom2, m->geom_aabb + 6 * geom2};
  return BoxesOverlap(box1, box2, margin);
}

bool GeomBoundsOverlap(const mjModel* m, const mjData* d, int geom1, int geom2) {
  const bool override_margin = m->opt.enableflags & mjENBL_OVERRIDE;
  const double margin = override_margin ? m->opt.o_margin : m->geom_margin[geom1] + m->geom_margin[geom2];
  return SpheresOverlap(m, d, geom1, geom2, margin) && GeomBoxesOverlap(m, d, geom1, geom2, margin);
}

}  // namespace sinew
