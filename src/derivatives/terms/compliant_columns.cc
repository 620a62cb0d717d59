// With the frame E of a contact (rows), its depth x, and the velocity u of the second body relative to the first there,
//
//   F = E' f(x, E u)
//   dF = E' (f_x dx + f_v E (du - w x u)) + w x F      dx = -d dist, w: the rotation of the frame, du with the point
//
// acts at the point where the surfaces meet. Implicit integrators have h J' D J b in their step, with D the damping of
// the law, and without what couples the two bodies: on each of them a force h E' D E U, with the velocity U that b
// gives it.
#include "derivatives/terms/compliant_columns.h"

#include "core/error.h"
#include "derivatives/base/dual_order.h"
#include "derivatives/base/names.h"
#include "derivatives/base/pair_columns.h"
#include "derivatives/contact_geometry/contact_geometry.h"
#include "derivatives/terms/simple_dofs.h"
#include "force/compliant_contact.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/integrator.h"

namespace sinew::inline derivatives {
namespace {

// Slopes are by depth and by the velocity in the frame.
using Number = Dual<double, 4>;

CompliantLaw<Number> Constant(const CompliantLaw<double>& law) {
  return {law.model,
          law.friction,
          Number(law.k),
          Number(law.lambda),
          Number(law.mu_static),
          Number(law.mu_dynamic),
          Number(law.mu_viscous),
          Number(law.inverse_slip),
          Number(law.share)};
}

class CompliantColumns {
 public:
  // `force`, `step`: what is added to, or null. `b`: velocities of the damping that implicit integrators take in.
  CompliantColumns(const mjModel* m, mjData* d, const double* b, Columns* force, Columns* step)
      : m_(m),
        h_(m->opt.timestep),
        force_columns_(force),
        step_columns_(step),
        motions_(m, d, b),
        pair_(m, d, motions_),
        geometry_(m, d) {}

  void Subtract(const mjContact& contact) {
    const CompliantLaw<double> law = CompliantLawOf(m_, contact);
    const double shift = ShiftOfCompliant(law, contact.dist);
    const int body[2] = {m_->geom_bodyid[contact.geom[0]], m_->geom_bodyid[contact.geom[1]]};
    const mjContact found = AsFound(m_, contact);
    normal_ = LoadVec3(contact.frame);
    arm_ = normal_ * shift;
    pair_.Begin(body[0], body[1], LoadVec3(found.pos));
    if (step_columns_) RequireOtherTree(contact);
    const ContactSides sides = geometry_.DifferentiateSides(found);
    frame_ = LoadMat3(contact.frame);
    SetLaw(law, contact);

    for (const PairDof& j : pair_.dofs()) {
      const Change change = ChangeBy(j, sides, found, law, shift);
      const Vec3<double> slip = Local(change.velocity - Cross(change.turn, velocity_));
      Vec3<double> moved = Cross(change.turn, force_);
      moved += MulTransposed(frame_, by_depth_ * change.depth + by_velocity_ * slip);
      if (force_columns_) {
        pair_.SubtractPosition(j, OnBoth(At(force_)), OnBoth(Moved(change.point, force_, moved)), *force_columns_);
      }
      if (step_columns_) SubtractStep(j, change, slip);
      if (j.side == 3) continue;  // a dof that moves both bodies does not change their relative motion
      const Vec3<double> speed = Local(PointVelocity(j.s, arm_)) * (j.Moves(1) ? 1.0 : -1.0);
      if (force_columns_) {
        pair_.SubtractVelocity(j, OnBoth(At(MulTransposed(frame_, by_velocity_ * speed))), *force_columns_);
      }
      if (step_columns_) SubtractStepByVelocity(j, speed);
    }
  }

 private:
  // With a dof: depth, the point, the rotation of the frame, and the relative velocity there.
  struct Change {
    double depth;
    Vec3<double> point, turn, velocity;
  };

  Vec3<double> Local(const Vec3<double>& v) const { return frame_ * v; }
  Spatial<double> At(const Vec3<double>& force) const { return {Cross(arm_, force), force}; }
  Spatial<double> Moved(const Vec3<double>& point, const Vec3<double>& force, const Vec3<double>& change) const {
    return {Cross(point, force) + Cross(arm_, change), change};
  }
  static PairWrench OnBoth(const Spatial<double>& on_second) {
    return {{ZeroSpatial<double>() - on_second, on_second}};
  }

  // The law at the contact: force, damping, and their slopes.
  void SetLaw(const CompliantLaw<double>& law, const mjContact& contact) {
    const Spatial<double> V = pair_.Velocity(1) - pair_.Velocity(0);
    velocity_ = PointVelocity(V, arm_);
    spin_ = V.rot;
    const Vec3<double> local = Local(velocity_);
    const Number depth = Number::Variable(-contact.dist, 0);
    const Vec3<Number> v = {Number::Variable(local.x, 1), Number::Variable(local.y, 2), Number::Variable(local.z, 3)};
    const CompliantLaw<Number> moving = Constant(law);
    const Vec3<Number> f = CompliantForce(moving, depth, v);
    force_ = MulTransposed(frame_, Vec3<double>{f.x.value, f.y.value, f.z.value});
    for (int i = 0; i < 3; ++i) {
      by_depth_[i] = f[i].slope[0];
      for (int k = 0; k < 3; ++k) by_velocity_(i, k) = f[i].slope[1 + k];
    }
    if (step_columns_) damping_ = CompliantDamping(moving, depth, v, m_->opt.integrator == mjINT_IMPLICITFAST);
  }

  Change ChangeBy(const PairDof& j, const ContactSides& sides, const mjContact& found, const CompliantLaw<double>& law,
                  double shift) const {
    const ContactShift with = sides.Along(j);
    const double slope = found.dist < 0 ? ShiftOfCompliant(law, -1) : 0;  // of the shift by the depth
    Change change = {-with.dist, with.pos - normal_ * (slope * with.dist) + Cross(with.turn, normal_) * shift,
                     with.turn, Zero3<double>()};
    Spatial<double> dV = ZeroSpatial<double>();
    for (int b = 0; b < 2; ++b) {
      if (j.Moves(b)) dV += (CrossMotion(j.s, pair_.Velocity(b)) + j.p) * (b == 1 ? 1.0 : -1.0);
    }
    change.velocity = PointVelocity(dV, arm_) + Cross(spin_, change.point);
    return change;
  }

  // E' D E U on each body, at velocities b.
  Vec3<double> Damped(const Mat3<double>& D, const Vec3<double>& U) const {
    return MulTransposed(frame_, D * Local(U));
  }
  Mat3<double> DampingSlope(double depth, const Vec3<double>& slip) const {
    Mat3<double> sum;
    for (int k = 0; k < 9; ++k) {
      const double* slope = damping_.m[k].slope;
      sum.m[k] = slope[0] * depth + slope[1] * slip.x + slope[2] * slip.y + slope[3] * slip.z;
    }
    return sum;
  }
  Mat3<double> Damping() const {
    Mat3<double> D;
    for (int k = 0; k < 9; ++k) D.m[k] = damping_.m[k].value;
    return D;
  }

  void SubtractStep(const PairDof& j, const Change& change, const Vec3<double>& slip) {
    const Mat3<double> D = Damping(), slope = DampingSlope(change.depth, slip);
    PairWrench present, moved;
    for (int b = 0; b < 2; ++b) {
      const Spatial<double> Y = pair_.Accelerated(b);
      Spatial<double> dY = ZeroSpatial<double>();
      if (j.Moves(b)) dY = CrossMotion(j.s, Y) + j.m;
      const Vec3<double> U = PointVelocity(Y, arm_), dU = PointVelocity(dY, arm_) + Cross(Y.rot, change.point),
                         F = Damped(D, U);
      const Vec3<double> dF = Damped(D, dU - Cross(change.turn, U)) + Damped(slope, U) + Cross(change.turn, F);
      present.on[b] = At(F * -h_);
      moved.on[b] = Moved(change.point, F * -h_, dF * -h_);
    }
    pair_.SubtractPosition(j, present, moved, *step_columns_);
  }
  void SubtractStepByVelocity(const PairDof& j, const Vec3<double>& speed) {
    const Mat3<double> slope = DampingSlope(0, speed);
    PairWrench change;
    for (int b = 0; b < 2; ++b) change.on[b] = At(Damped(slope, PointVelocity(pair_.Accelerated(b), arm_)) * -h_);
    pair_.SubtractVelocity(j, change, *step_columns_);
  }

  // The integrator's matrix has only a part of a coupling between branches of one tree.
  void RequireOtherTree(const mjContact& contact) const {
    bool one = false, both = false;
    for (const PairDof& j : pair_.dofs()) (j.side == 3 ? both : one) = true;
    if (!both || !one) return;
    throw Error("the compliant contact of " + NameOf(m_, mjOBJ_GEOM, contact.geom[0]) + " with " +
                    NameOf(m_, mjOBJ_GEOM, contact.geom[1]) +
                    " has no derivative under implicit integrators: both are in one tree",
                "choose integrator Euler");
  }

  const mjModel* m_;
  double h_;
  Columns *force_columns_, *step_columns_;
  PairMotions motions_;  // at the accelerations b, which stand for velocities here
  PairColumns pair_;
  PairGeometry geometry_;
  Mat3<double> frame_, by_velocity_;
  Mat3<Number> damping_;
  Vec3<double> arm_;  // from where the contact was found to where it acts
  Vec3<double> normal_, velocity_, spin_, force_, by_depth_;
};

}  // namespace

void AddCompliantColumns(const mjModel* m, mjData* d, const ResidualPoint& at, ResidualColumns& out) {
  if (!HasCompliantContact(d)) return;
  const auto add = [&](const double* b, Columns* force, Columns* step) {
    CompliantColumns columns(m, d, b, force, step);
    for (int i = 0; i < d->ncon; ++i) {
      const mjContact& contact = d->contact[i];
      if (contact.exclude == contact_exclude::kCompliant && contact.dist < 0) columns.Subtract(contact);
    }
  };
  add(at.b, &out.force, nullptr);
  if (!at.HasStep() || !IsImplicit(m)) return;
  AddStepOfBodies(m, StateSizes(m), at, out.step,
                  [&](const ResidualPoint& part, Columns& step) { add(part.b, nullptr, &step); });
}

}  // namespace sinew::inline derivatives
