#include "gradient/contact_geometry.h"

#include <algorithm>

#include "collision/contact.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"

namespace sinew {
namespace {

// The pose of a geom, moved about a point until the end of the scope.
class MovedGeom {
 public:
  MovedGeom(mjData* d, int geom, const Vec3<double>& about, int component, double step)
      : pos_(d->geom_xpos + 3 * geom), mat_(d->geom_xmat + 9 * geom) {
    std::copy_n(pos_, 3, kept_);
    std::copy_n(mat_, 9, kept_ + 3);
    if (component >= 3) {
      pos_[component - 3] += step;
      return;
    }
    Vec3<double> axis = Zero3<double>();
    axis[component] = 1;
    const Mat3<double> turn = ToMat3(ExpRotation(axis, step));
    StoreVec3(about + turn * (LoadVec3(pos_) - about), pos_);
    const Mat3<double> turned = turn * LoadMat3(mat_);
    std::copy_n(turned.m, 9, mat_);
  }
  ~MovedGeom() {
    std::copy_n(kept_, 3, pos_);
    std::copy_n(kept_ + 3, 9, mat_);
  }
  MovedGeom(const MovedGeom&) = delete;
  MovedGeom& operator=(const MovedGeom&) = delete;

 private:
  double *pos_, *mat_;
  double kept_[12];
};

Vec3<double> Axis(const mjContact& contact, int k) { return LoadVec3(contact.frame + 3 * k); }

}  // namespace

bool PairGeometry::After(const mjContact& contact, int geom, int component, double step, mjContact& found) {
  const int g1 = contact.geom[0], g2 = contact.geom[1];
  const mjfCollision collide = mjCOLLISIONFUNC[m_->geom_type[g1]][m_->geom_type[g2]];
  if (!collide) return false;
  const Vec3<double> point = LoadVec3(contact.pos);
  const MovedGeom moved(d_, geom, point, component, step);
  // contacts that are about to end are found nevertheless
  const double margin = contact.includemargin + 16 * Abs(step) * (1 + Abs(contact.dist));
  const int count = std::min(collide(m_, d_, scratch_, g1, g2, margin), mjMAXCONPAIR);
  int best = -1;
  double least = 1e-3;  // further away, it is another contact: 1000 times the motion
  for (int i = 0; i < count; ++i) {
    const double distance = Norm(LoadVec3(scratch_[i].pos) - point);
    if (distance >= least) continue;
    least = distance;
    best = i;
  }
  if (best < 0) return false;
  found = scratch_[best];
  CompleteFrame(found.frame);
  return true;
}

bool PairGeometry::Differentiate(const mjContact& contact, int side, ContactSide& out) {
  constexpr double kStep = 1e-6;
  for (int k = 0; k < 6; ++k) {
    mjContact above, below;
    double width = 2 * kStep;
    const bool up = After(contact, contact.geom[side], k, kStep, above);
    const bool down = After(contact, contact.geom[side], k, -kStep, below);
    if (!up && !down) return false;
    if (!up || !down) width = kStep;
    if (!up) above = contact;
    if (!down) below = contact;
    out.dist[k] = (above.dist - below.dist) / width;
    out.pos[k] = (LoadVec3(above.pos) - LoadVec3(below.pos)) * (1 / width);
    out.turn[k] = Zero3<double>();
    for (int axis = 0; axis < 3; ++axis) {
      out.turn[k] += Cross(Axis(contact, axis), Axis(above, axis) - Axis(below, axis)) * (0.5 / width);
    }
  }
  return true;
}

}  // namespace sinew
