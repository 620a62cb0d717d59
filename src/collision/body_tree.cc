#include "collision/body_tree.h"

namespace sinew {
namespace {

constexpr double kUnbounded = 1e10;  // half size (mjMAXVAL) that stands for an infinite box

bool IsUnbounded(const double* box) { return box[3] >= kUnbounded || box[4] >= kUnbounded || box[5] >= kUnbounded; }

}  // namespace

RelativeFrame::RelativeFrame(const double* pos1, const double* mat1, const double* pos2, const double* mat2) {
  const Mat3<double> first = LoadMat3(mat1);
  R = Transpose(first) * LoadMat3(mat2);
  for (int i = 0; i < 9; ++i) absolute.m[i] = std::fabs(R.m[i]);
  origin = MulTransposed(first, LoadVec3(pos2) - LoadVec3(pos1));
}

bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const double* box2, double margin) {
  if (IsUnbounded(box1) || IsUnbounded(box2)) return true;
  const Vec3<double> half1 = LoadVec3(box1 + 3), half2 = LoadVec3(box2 + 3);
  const Vec3<double> apart = frame.origin + frame.R * LoadVec3(box2) - LoadVec3(box1);
  const Vec3<double> reach1 = frame.absolute * half2;
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(apart[k]) > half1[k] + reach1[k] + margin) return false;
  }
  const Vec3<double> apart2 = MulTransposed(frame.R, apart), reach2 = MulTransposed(frame.absolute, half1);
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(apart2[k]) > half2[k] + reach2[k] + margin) return false;
  }
  return true;
}

bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2) {
  const double margin =
      m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin : m->geom_margin[geom1] + m->geom_margin[geom2];
  const RelativeFrame frame(d->geom_xpos + 3 * geom1, d->geom_xmat + 9 * geom1, d->geom_xpos + 3 * geom2,
                            d->geom_xmat + 9 * geom2);
  return BoxesOverlap(frame, m->geom_aabb + 6 * geom1, m->geom_aabb + 6 * geom2, margin);
}

}  // namespace sinew
