#include "derivatives/terms/transmission_rows.h"

#include <algorithm>

#include "derivatives/base/pair_columns.h"
#include "derivatives/base/rnea_derivatives_kernel.h"
#include "derivatives/base/rotation.h"
#include "derivatives/contact_geometry/contact_geometry.h"
#include "kinematics/apply_kernel.h"
#include "kinematics/slider_crank_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "math/dual.h"

namespace sinew::inline derivatives {

// With the wrench W about the centre of the tree, J_i = s_i' W. It turns with the site, so that
//   dJ_i/dq_j = s_i' (s_j x* W) unless j moves the axis s_i, which then turns as well.
OwnRow RowOfSite(const mjModel* model, mjData* data, int actuator) {
  const ModelView<double> m(model);
  const DataView<double> d(data);
  const int site = m.actuator_trnid(actuator)[0], body = m.site_bodyid(site), mover = m.body_weldid(body);
  OwnRow out;
  if (m.body_dofnum(mover) == 0) return out;
  for (int i = m.body_dofadr(mover) + m.body_dofnum(mover) - 1; i >= 0; i = m.dof_parentid(i)) out.dof.push_back(i);
  std::reverse(out.dof.begin(), out.dof.end());
  const auto gear = m.actuator_gear(actuator);
  const Mat3<double> R = d.site_xmat(site);
  const Vec3<double> force = R * Vec3<double>{gear[0], gear[1], gear[2]};
  const Vec3<double> torque = R * Vec3<double>{gear[3], gear[4], gear[5]};
  const Spatial<double> wrench = WrenchAt(m, d, force, torque, d.site_xpos(site), body);
  for (const int i : out.dof) {
    out.J.push_back(Dot(d.cdof(i), wrench));
    for (const int j : out.dof) {
      const bool turns = i < FirstOfTurn(model, j);
      out.K.push_back(turns ? Dot(d.cdof(i), CrossForce(d.cdof(j), wrench)) : 0);
    }
  }
  return out;
}

namespace {

// A row of wrenches on two bodies, about the point p where a site of the first one is.
class PairRow {
 public:
  PairRow(const mjModel* m, mjData* d, int site1, int site2)
      : m_(m),
        rest_(Size(m->nv)),
        motions_(m, d, rest_.data()),
        pair_(m, d, motions_),
        arm_(LoadVec3(d->site_xpos + 3 * site2) - LoadVec3(d->site_xpos + 3 * site1)) {
    pair_.Begin(m->site_bodyid[site1], m->site_bodyid[site2], LoadVec3(d->site_xpos + 3 * site1));
  }

  // From the first site to the second, and how that changes with a dof, and turns of the bodies.
  const Vec3<double>& arm() const { return arm_; }
  Vec3<double> ArmChange(const PairDof& j) const {
    Vec3<double> change = Zero3<double>();
    if (j.Moves(1)) change += PointVelocity(j.s, arm_);
    if (j.Moves(0)) change -= j.s.lin;
    return change;
  }
  static Vec3<double> Turn(const PairDof& j, int side) { return j.Moves(side) ? j.s.rot : Zero3<double>(); }

  // `wrench`: a force at the second site with a torque, f and t; on the first body it is -f at its own site, and the
  // torque `own`. `change(j)` gives all three. Dofs that move both sites do no work, and do not rotate the wrench.
  struct Wrench {
    Vec3<double> f, t, own;
  };
  template <class Change, class Length>
  OwnRow Make(const Wrench& wrench, const Change& change, const Length& length) const {
    OwnRow out;
    const PairWrench at = OnBodies(wrench, Zero3<double>(), arm_);
    const size_t n = pair_.dofs().size();
    for (const PairDof& i : pair_.dofs()) {
      out.dof.push_back(i.dof);
      out.J.push_back(IsCommon(i) ? 0 : Dot(i.s, at.on[SideOf(i)]));
      out.length.push_back(length(i));
    }
    out.K.assign(n * n, 0.0);
    for (size_t k = 0; k < n; ++k) {
      const PairDof& j = pair_.dofs()[k];
      if (IsCommon(j)) continue;
      // W = (t + x x f, f) at x, and its change where f, t and x change
      const Wrench by = change(j);
      PairWrench moved = OnBodies(by, Zero3<double>(), arm_);
      if (j.Moves(1)) moved.on[1].rot += Cross(PointVelocity(j.s, arm_), wrench.f);
      if (j.Moves(0)) moved.on[0].rot -= Cross(j.s.lin, wrench.f);
      const int turn = FirstOfTurn(m_, j.dof);
      for (size_t l = 0; l < n; ++l) {
        const PairDof& i = pair_.dofs()[l];
        if (IsCommon(i)) continue;
        const int side = SideOf(i);
        double sum = Dot(i.s, moved.on[side]);
        const bool axis_moves = (i.side & j.side) != 0 && (j.dof < i.dof || FirstOfTurn(m_, i.dof) == turn);
        if (axis_moves) sum -= Dot(i.s, CrossForce(j.s, at.on[side]));
        out.K[l * n + k] = sum;
      }
    }
    return out;
  }

 private:
  static bool IsCommon(const PairDof& j) { return j.side == 3; }
  static int SideOf(const PairDof& j) { return j.Moves(1) ? 1 : 0; }
  static PairWrench OnBodies(const Wrench& w, const Vec3<double>& first, const Vec3<double>& second) {
    return {{{w.own - Cross(first, w.f), -w.f}, {w.t + Cross(second, w.f), w.f}}};
  }

  const mjModel* m_;
  std::vector<double> rest_;
  PairMotions motions_;
  PairColumns pair_;
  Vec3<double> arm_;
};

Quat<double> OrientationOf(const mjModel* m, const mjData* d, int site) {
  return LoadQuat(d->xquat + 4 * m->site_bodyid[site]) * LoadQuat(m->site_quat + 4 * site);
}

// Sums the rows of contacts over all dofs: the rate at which the distance along the normal n grows, a wrench n on the
// second body and -n on the first, about the contact's point.
class NormalRows {
 public:
  NormalRows(const mjModel* m, mjData* d)
      : m_(m),
        rest_(Size(m->nv)),
        motions_(m, d, rest_.data()),
        pair_(m, d, motions_),
        geometry_(m, d),
        J_(Size(m->nv)),
        K_(Size(m->nv) * Size(m->nv)) {}

  void Add(const mjContact& contact) {
    pair_.Begin(m_->geom_bodyid[contact.geom[0]], m_->geom_bodyid[contact.geom[1]], LoadVec3(contact.pos));
    const ContactSides sides = geometry_.DifferentiateSides(contact, ", at which an actuator pulls,");
    const Vec3<double> normal = LoadVec3(contact.frame);
    const Spatial<double> wrench = {Zero3<double>(), normal};
    for (const PairDof& j : pair_.dofs()) {
      const ContactShift shift = sides.Along(j);
      const Spatial<double> change = {Cross(shift.pos, normal), Cross(shift.turn, normal)};
      AddColumn(j, wrench, change);
    }
  }

  // The dofs that have entries, with a factor.
  OwnRow Scaled(double factor) const {
    OwnRow out;
    const size_t n = J_.size();
    for (size_t i = 0; i < n; ++i) {
      if (touched_.empty() || !touched_[i]) continue;
      out.dof.push_back(static_cast<int>(i));
      out.J.push_back(factor * J_[i]);
    }
    for (const int i : out.dof) {
      for (const int j : out.dof) out.K.push_back(factor * K_[Size(i) * n + Size(j)]);
    }
    return out;
  }

 private:
  // (s_j x s_i)' W = -s_i' (s_j x* W) where j moves the axis s_i.
  void AddColumn(const PairDof& j, const Spatial<double>& wrench, const Spatial<double>& change) {
    touched_.resize(J_.size());
    touched_[Size(j.dof)] = true;
    J_[Size(j.dof)] += Relative(j, wrench);
    const Spatial<double> moved = change - CrossForce(j.s, wrench);
    const int turn = FirstOfTurn(m_, j.dof);
    for (const PairDof& i : pair_.dofs()) {
      const bool axis_moves = (i.side & j.side) != 0 && (j.dof < i.dof || FirstOfTurn(m_, i.dof) == turn);
      K_[Size(i.dof) * J_.size() + Size(j.dof)] += Relative(i, axis_moves ? moved : change);
    }
  }
  static double Relative(const PairDof& i, const Spatial<double>& wrench) {
    return ((i.Moves(1) ? 1 : 0) - (i.Moves(0) ? 1 : 0)) * Dot(i.s, wrench);
  }

  const mjModel* m_;
  std::vector<double> rest_;
  PairMotions motions_;
  PairColumns pair_;
  PairGeometry geometry_;
  std::vector<double> J_, K_;
  std::vector<bool> touched_;
};

}  // namespace

// Force and torque along the reference's axes, which turn with it. The length is the force's share of the displacement
// and the torque's of the rotation vector r = log(q), q = q_r* q_s, to whose gradient the torque of a servo turns; the
// reaction to its force acts at the site.
OwnRow RowOfRelativeSite(const mjModel* m, mjData* d, int actuator) {
  const int site = m->actuator_trnid[2 * actuator], reference = m->actuator_trnid[2 * actuator + 1];
  const double* gear = m->actuator_gear + 6 * actuator;
  const bool is_servo = UsesLength(ModelView<double>(m), actuator);
  const Mat3<double> R = LoadMat3(d->site_xmat + 9 * reference);
  const Vec3<double> force = LoadVec3(gear), torque = LoadVec3(gear + 3);
  const PairRow row(m, d, reference, site);
  const Quat<double> q = Conjugate(OrientationOf(m, d, reference)) * OrientationOf(m, d, site);
  const Vec3<double> r = RotationVector(q), gradient = GradientOfRotation(-r, torque);
  const Mat3<double> by_turn = Transpose(DifferentiateSubQuat(q, IdentityQuat<double>()).a);  // of a turn from the left
  const Vec3<double> f = R * force, t = R * (is_servo ? gradient : torque);
  const auto relative_turn = [&](const PairDof& j) {
    return MulTransposed(R, PairRow::Turn(j, 1) - PairRow::Turn(j, 0));
  };
  const auto own = [&](const Vec3<double>& arm, const Vec3<double>& f_at) {
    return is_servo ? Cross(arm, f_at) : Zero3<double>();
  };
  const auto change = [&](const PairDof& j) {
    const Vec3<double> w = PairRow::Turn(j, 0), df = Cross(w, f);
    Vec3<double> dt = Cross(w, t);
    if (is_servo) dt += R * GradientChange(-r, torque, -(by_turn * relative_turn(j)));
    return PairRow::Wrench{df, dt, -dt - own(row.ArmChange(j), f) - own(row.arm(), df)};
  };
  const auto length = [&](const PairDof& j) {
    const Vec3<double> w = PairRow::Turn(j, 0);
    return Dot(f, row.ArmChange(j)) + Dot(Cross(w, f), row.arm()) + Dot(gradient, relative_turn(j));
  };
  return row.Make({f, t, -t - own(row.arm(), f)}, change, length);
}

// The gradient of the pin's place by the crank's is a force there, that by the axis a torque on the slider; their
// changes come by dual numbers.
OwnRow RowOfSliderCrank(const mjModel* m, mjData* d, int actuator) {
  using Number = Dual<double, 1>;
  const int crank = m->actuator_trnid[2 * actuator], slider = m->actuator_trnid[2 * actuator + 1];
  const double gear = m->actuator_gear[6 * actuator], rod = m->actuator_cranklength[actuator];
  const Vec3<double> axis = LoadMat3(d->site_xmat + 9 * slider).Column(2);
  const PairRow row(m, d, slider, crank);
  const SliderCrank<double> at = SolveSliderCrank(axis, row.arm(), rod);
  const auto change = [&](const PairDof& j) {
    Vec3<Number> a, arm;
    const Vec3<double> turned = Cross(PairRow::Turn(j, 0), axis), moved = row.ArmChange(j);
    for (int k = 0; k < 3; ++k) {
      a[k] = Number(axis[k]);
      a[k].slope[0] = turned[k];
      arm[k] = Number(row.arm()[k]);
      arm[k].slope[0] = moved[k];
    }
    const SliderCrank<Number> by = SolveSliderCrank(a, arm, Number(rod));
    const Vec3<Number> torque = Cross(a, by.gradient_a);
    const auto slope = [gear](const Vec3<Number>& v) {
      return Vec3<double>{gear * v.x.slope[0], gear * v.y.slope[0], gear * v.z.slope[0]};
    };
    return PairRow::Wrench{slope(by.gradient_d), Zero3<double>(), slope(torque)};
  };
  const Vec3<double> force = at.gradient_d * gear, own = Cross(axis, at.gradient_a) * gear;
  const auto length = [&](const PairDof& j) { return Dot(force, row.ArmChange(j)) + Dot(own, PairRow::Turn(j, 0)); };
  return row.Make({force, Zero3<double>(), own}, change, length);
}

OwnRow RowOfAdhesion(const mjModel* m, mjData* d, int actuator) {
  const int body = m->actuator_trnid[2 * actuator];
  const auto count = std::count_if(d->contact, d->contact + d->ncon, [&](const mjContact& contact) {
    return IsAdhesive(ModelView<double>(m), contact, body);
  });
  if (count == 0) return {};
  NormalRows rows(m, d);
  for (int c = 0; c < d->ncon; ++c) {
    if (IsAdhesive(ModelView<double>(m), d->contact[c], body)) rows.Add(d->contact[c]);
  }
  return rows.Scaled(-1.0 / static_cast<double>(count));
}

}  // namespace sinew::inline derivatives
