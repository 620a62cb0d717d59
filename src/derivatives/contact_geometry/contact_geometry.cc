#include "derivatives/contact_geometry/contact_geometry.h"

#include <algorithm>

#include "collision/contact.h"
#include "collision/triangles/triangle_contact.h"
#include "core/error.h"
#include "derivatives/base/names.h"
#include "derivatives/contact_geometry/witness_points.h"
#include "force/compliant_contact.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "model/kinds/contact_exclude.h"

namespace sinew::inline derivatives {
namespace {

constexpr double kStep = 1e-6;

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

// A number that is another one until the end of the scope.
class MovedNumber {
 public:
  MovedNumber(double& x, double step) : x_(x), kept_(x) { x += step; }
  ~MovedNumber() { x_ = kept_; }
  MovedNumber(const MovedNumber&) = delete;
  MovedNumber& operator=(const MovedNumber&) = delete;

 private:
  double& x_;
  double kept_;
};

// Slopes of a geom's pose by its motion about a point.
PlacedGeom<PairNumber> MovingGeom(const mjModel* m, const mjData* d, int geom, const Vec3<double>& about) {
  PlacedGeom<PairNumber> g = ConstantGeom(m, d, geom);
  const Vec3<double> arm = LoadVec3(d->geom_xpos + 3 * geom) - about;
  const Mat3<double> mat = LoadMat3(d->geom_xmat + 9 * geom);
  for (int k = 0; k < 3; ++k) {
    Vec3<double> axis = Zero3<double>();
    axis[k] = 1;
    const Vec3<double> swing = Cross(axis, arm);
    for (int i = 0; i < 3; ++i) {
      g.pos[i].slope[k] = swing[i];
      g.pos[i].slope[3 + k] = axis[i];
    }
    for (int column = 0; column < 3; ++column) {
      const Vec3<double> turned = Cross(axis, mat.Column(column));
      for (int i = 0; i < 3; ++i) g.mat(i, column).slope[k] = turned[i];
    }
  }
  return g;
}

// Slopes of a geom's sizes by themselves, the variables from `first` on.
PlacedGeom<PairNumber> SizedGeom(const mjModel* m, const mjData* d, int geom, int first) {
  PlacedGeom<PairNumber> g = ConstantGeom(m, d, geom);
  for (int k = 0; k < 3; ++k) g.size[k].slope[first + k] = 1;
  return g;
}

}  // namespace

// Compliant contacts have been moved from where they were found.
mjContact AsFound(const mjModel* m, const mjContact& contact) {
  mjContact found = contact;
  if (contact.exclude != contact_exclude::kCompliant) return found;
  const double shift = ShiftOfCompliant(CompliantLawOf(m, contact), contact.dist);
  StoreVec3(LoadVec3(contact.pos) - LoadVec3(contact.frame) * shift, found.pos);
  return found;
}

bool PairGeometry::InClosedForm(const mjContact& contact, const PlacedGeom<PairNumber>& first,
                                const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]) {
  if (triangles_.HavePair(contact.geom[0], contact.geom[1])) return false;
  return DifferentiateFormula(m_, contact, first, second, by) || polytopes_.Differentiate(contact, first, second, by) ||
         (IsOnlyOfPair(d_, contact) && DifferentiateWitness(m_, AsFound(m_, contact), first, second, by));
}

PairGeometry::FineModel& PairGeometry::fine() {
  if (fine_) return *fine_;
  fine_.reset(new FineModel{*m_, std::vector<double>(m_->geom_size, m_->geom_size + 3 * m_->ngeom)});
  mjModel& model = fine_->model;
  model.geom_size = fine_->sizes.data();
  model.opt.ccd_tolerance = std::min(model.opt.ccd_tolerance, 1e-14);
  model.opt.ccd_iterations = std::max(model.opt.ccd_iterations, 200);
  return *fine_;
}

bool PairGeometry::Find(const mjContact& contact, double step, mjContact& found) {
  const int g1 = contact.geom[0], g2 = contact.geom[1];
  const int type1 = m_->geom_type[g1], type2 = m_->geom_type[g2];
  const mjfCollision collide = mjCOLLISIONFUNC[type1][type2];
  if (!collide) return false;
  const bool by_triangles = IsOfTriangles(triangles_, KindOfPair(type1, type2), g1, g2);
  // contacts that are about to end are found nevertheless
  const double margin = std::max(contact.includemargin, contact.dist) + 16 * step * (1 + Abs(contact.dist));
  const int found_now = (by_triangles ? CollideTriangles : collide)(&fine().model, d_, scratch_, g1, g2, margin);
  const int count = std::min(found_now, mjMAXCONPAIR);
  int best = -1;
  double least = 1e-3;  // further away, it is another contact: 1000 times the motion
  for (int i = 0; i < count; ++i) {
    const double distance = Norm(LoadVec3(scratch_[i].pos) - LoadVec3(contact.pos));
    if (distance >= least) continue;
    least = distance;
    best = i;
  }
  if (best < 0) return false;
  found = scratch_[best];
  CompleteFrame(found.frame);
  return true;
}

template <class Make>
bool PairGeometry::Difference(const mjContact& contact, const Make& make, ContactShift& out) {
  const auto after = [&](double step, mjContact& found) {
    const auto moved = make(step);
    return Find(contact, kStep, found);
  };
  mjContact above, below;
  const bool up = after(kStep, above), down = after(-kStep, below);
  if (!up && !down) return false;
  const double width = up && down ? 2 * kStep : kStep;
  // The other end of a one-sided difference is the contact that the search finds at the unmoved pose.
  if ((!up && !after(0, above)) || (!down && !after(0, below))) return false;
  out.dist = (above.dist - below.dist) / width;
  out.pos = (LoadVec3(above.pos) - LoadVec3(below.pos)) * (1 / width);
  Vec3<double> axes[3], changes[3];
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> one = LoadVec3(below.frame + 3 * k), other = LoadVec3(above.frame + 3 * k);
    axes[k] = (one + other) * 0.5;
    changes[k] = (other - one) * (1 / width);
  }
  out.turn = TurnOfAxes(axes, changes);
  return true;
}

bool PairGeometry::Differentiate(const mjContact& contact, int side, SideShifts& out) {
  const Vec3<double> point = LoadVec3(contact.pos);
  PlacedGeom<PairNumber> geom[2];
  for (int b = 0; b < 2; ++b) {
    const int id = contact.geom[b];
    geom[b] = b == side ? MovingGeom(m_, d_, id, point) : ConstantGeom(m_, d_, id);
  }
  if (InClosedForm(contact, geom[0], geom[1], out.by)) return true;
  for (int k = 0; k < 6; ++k) {
    const auto make = [&](double step) { return MovedGeom(d_, contact.geom[side], point, k, step); };
    if (!Difference(contact, make, out.by[k])) return false;
  }
  return true;
}

ContactSides PairGeometry::DifferentiateSides(const mjContact& contact, const char* which) {
  ContactSides sides;
  for (int b = 0; b < 2; ++b) {
    const int body = m_->geom_bodyid[contact.geom[b]];
    if (m_->body_dofnum[m_->body_weldid[body]] == 0) continue;
    if (!Differentiate(contact, b, sides.side[b])) ThrowVanishing(contact, which);
  }
  return sides;
}

void PairGeometry::ThrowVanishing(const mjContact& contact, const char* which) const {
  throw Error("the contact of " + NameOf(m_, mjOBJ_GEOM, contact.geom[0]) + " with " +
                  NameOf(m_, mjOBJ_GEOM, contact.geom[1]) + which +
                  " has no derivative: it vanishes when one of them moves",
              "take the derivative at a state nearby");
}

bool PairGeometry::DifferentiateSizes(const mjContact& contact, ContactShift (&out)[kPairNumbers]) {
  const PlacedGeom<PairNumber> first = SizedGeom(m_, d_, contact.geom[0], 0);
  const PlacedGeom<PairNumber> second = SizedGeom(m_, d_, contact.geom[1], 3);
  if (InClosedForm(contact, first, second, out)) return true;
  for (int k = 0; k < kPairNumbers; ++k) {
    double& size = fine().sizes[static_cast<size_t>(3 * contact.geom[k / 3] + k % 3)];
    const auto make = [&](double step) { return MovedNumber(size, step); };
    if (!Difference(contact, make, out[k])) return false;
  }
  return true;
}

}  // namespace sinew::inline derivatives
