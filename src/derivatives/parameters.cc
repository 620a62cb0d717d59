#include "derivatives/parameters.h"

#include <algorithm>
#include <memory>

#include "constraint/contact_rows.h"
#include "constraint/cost.h"
#include "constraint/impedance.h"
#include "constraint/jacobian_product.h"
#include "core/error.h"
#include "derivatives/base/motions.h"
#include "derivatives/base/rnea_derivatives_kernel.h"
#include "derivatives/base/row_forces.h"
#include "derivatives/base/smooth_columns_kernel.h"
#include "derivatives/base/smoothed_rows.h"
#include "derivatives/base/tree_memory.h"
#include "derivatives/terms/actuator_columns.h"
#include "derivatives/terms/contact_columns.h"
#include "derivatives/terms/difference_parameters.h"
#include "force/immersed_kernel.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"
#include "model/kinds/integrator.h"
#include "model/kinds/surface.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Slopes = ResidualDerivative::Slopes;

// ---- mass and inertia: forces of bodies are linear in them

// Motions of all bodies, for the derivative by a body's inertia.
struct BodyMotions {
  TreeMemory memory;

  BodyMotions(const Model& m, const Data& d, const TreeMotion<double>& motion) : memory(m.raw()) {
    PassMotion(m, d, motion, memory.tree());
  }
  Spatial<double> Force(int body, const Inertia10<double>& unit) const {
    return BodyForce(unit, memory.tree().velocity[body], memory.tree().acceleration[body]);
  }
};

// The implicit integrator's X has h dc/dv with the bias force c, a quadratic form of velocities: dc/dv b is the half
// difference of c at v + b and v - b, with b scaled to the size of v.
class ForcesOfBias {
 public:
  ForcesOfBias(const Model& m, const Data& d, const ResidualPoint& at) {
    if (!at.HasStep() || m.raw()->opt.integrator != mjINT_IMPLICIT) return;
    const double scale = at.ScaleToVelocities(d.qvel_data(), m.nv());
    if (scale == 0) return;
    weight_ = -0.5 * m.opt_timestep() / scale;
    const auto moving = [&](double by) {
      const std::vector<double> rest(Size(m.nv()));
      std::vector<double> velocity(Size(m.nv()));
      for (int i = 0; i < m.nv(); ++i) velocity[Size(i)] = d.qvel(i) + by * at.b[i];
      return std::make_unique<BodyMotions>(m, d, TreeMotion<double>{velocity.data(), rest.data(), /*gravity=*/false});
    };
    above_ = moving(scale);
    below_ = moving(-scale);
  }
  // The part of M a - X b of a body with this inertia.
  Spatial<double> OfStep(int body, const Inertia10<double>& unit) const {
    if (!above_) return ZeroSpatial<double>();
    return (above_->Force(body, unit) - below_->Force(body, unit)) * weight_;
  }

 private:
  std::unique_ptr<BodyMotions> above_, below_;
  double weight_ = 0;
};

// Whether gravity compensation reaches a dof: of actuators, only where there are any, below the limit of its joint.
bool CompensationActs(const Model& m, const Data& d, int dof) {
  const int joint = m.dof_jntid(dof);
  if (!m.jnt_actgravcomp(joint)) return true;
  if (m.nu() == 0 || (m.opt_disableflags() & mjDSBL_ACTUATION)) return false;
  return dof != m.jnt_dofadr(joint) || !IsHeldByJoint(m, d, joint);
}

// The force of a body is linear in its mass and inertia: its derivative is the force of a body with a unit of it, at
// the same motion. The slopes by forces, spread over the bodies as if they were velocities, turn a product with the
// Jacobian of each body into one with its motion.
void AddBodies(const Model& m, const Data& d, const ResidualPoint& at, const Slopes& slopes,
               const sinewParameterGradients& out) {
  const BodyMotions present(m, d, {d.qvel_data(), at.a, /*gravity=*/true});
  const std::vector<Spatial<double>> by_force = SpreadOverBodies(m, d, slopes.force.data());
  std::vector<double> rest(Size(m.nv())), difference(Size(m.nv()));
  for (int i = 0; i < m.nv(); ++i) difference[Size(i)] = at.a[i] - at.b[i];
  const BodyMotions ahead(m, d, {rest.data(), difference.data(), /*gravity=*/false});
  const ForcesOfBias bias(m, d, at);
  std::vector<Spatial<double>> by_step(Size(m.nbody()), ZeroSpatial<double>());
  if (at.HasStep()) by_step = SpreadOverBodies(m, d, slopes.step.data());

  const bool lifted = HasGravityCompensation(m.raw());
  std::vector<double> by_dof = slopes.force;
  for (int i = 0; lifted && i < m.nv(); ++i) {
    if (!CompensationActs(m, d, i)) by_dof[Size(i)] = 0;
  }
  const std::vector<Spatial<double>> by_lift = SpreadOverBodies(m, d, by_dof.data());
  for (int b = 1; b < m.nbody(); ++b) {
    const auto of = [&](const Inertia10<double>& unit) {
      return Dot(by_force[Size(b)], present.Force(b, unit)) +
             Dot(by_step[Size(b)], ahead.Force(b, unit) + bias.OfStep(b, unit));
    };
    const Vec3<double> arm = d.xipos(b) - TreeCenter(m, d, b), none = Zero3<double>();
    if (out.body_mass) {
      out.body_mass[b] += of(ShiftInertia(d.ximat(b), none, arm, 1.0));
      const Vec3<double> lift = m.opt_gravity() * -m.body_gravcomp(b);
      if (lifted) out.body_mass[b] -= Dot(by_lift[Size(b)], {Cross(arm, lift), lift});
    }
    for (int k = 0; out.body_inertia && k < 3; ++k) {
      Vec3<double> unit = none;
      unit[k] = 1;
      out.body_inertia[3 * b + k] += of(ShiftInertia(d.ximat(b), unit, none, 0.0));
    }
  }
}

// ---- joints

// Damping, armature and stiffness act dof by dof; springs of free and ball joints act along their displacements.
void AddJoints(const Model& m, const Data& d, const ResidualPoint& at, const Slopes& slopes,
               const sinewParameterGradients& out) {
  const bool dampers = !(m.opt_disableflags() & mjDSBL_DAMPER), springs = !(m.opt_disableflags() & mjDSBL_SPRING);
  for (int i = 0; i < m.nv(); ++i) {
    const double step = slopes.step.empty() ? 0 : slopes.step[Size(i)], force = slopes.force[Size(i)];
    if (out.dof_damping && dampers) out.dof_damping[i] += force * d.qvel(i) - step * m.opt_timestep() * at.b[i];
    if (out.dof_armature) out.dof_armature[i] += force * at.a[i] + step * (at.a[i] - at.b[i]);
  }
  for (int joint = 0; out.jnt_stiffness && springs && joint < m.njnt(); ++joint) {
    int adr = m.jnt_qposadr(joint), dof = m.jnt_dofadr(joint);
    const auto along = [&](const Vec3<double>& x) { return Dot(LoadVec3(slopes.force.data() + dof), x); };
    switch (m.jnt_type(joint)) {
      case mjJNT_FREE:
        out.jnt_stiffness[joint] += along(PositionDisplacement(m, d, adr));
        adr += 3;
        dof += 3;
        [[fallthrough]];
      case mjJNT_BALL:
        out.jnt_stiffness[joint] += along(RotationDisplacement(m, d, adr));
        break;
      default:
        out.jnt_stiffness[joint] += slopes.force[Size(dof)] * JointDisplacement(m, d, joint);
    }
  }
}

// ---- actuators: force = (g0 + g1 L + g2 V) input + b0 + b1 L + b2 V

void AddActuators(const Model& m, const Data& d, const ResidualPoint& at, const Slopes& slopes,
                  const sinewParameterGradients& out) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  const bool implicit = at.HasStep() && IsImplicit(m.raw());
  const std::vector<ForceShare> shares = SharesOfSlopes(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    if (ActuatorDisabled(m, i)) continue;
    const int adr = d.moment_rowadr(i);
    double along = 0, ahead = 0;
    for (int k = adr; k < adr + d.moment_rownnz(i); ++k) {
      const int dof = d.moment_colind_data()[k];
      if (!IsHeldByJoint(m, d, m.dof_jntid(dof))) along += d.actuator_moment_data()[k] * slopes.force[Size(dof)];
    }
    if (implicit && ForceWithinLimits(m, d, i)) {
      const Row row = {d.moment_rownnz(i), d.moment_colind_data() + adr, d.actuator_moment_data() + adr, nullptr};
      std::vector<double> product(Size(m.nv()));
      ImplicitRow(m.raw(), row, at.b).Add(1, product.data());
      for (int k = 0; k < row.count; ++k) ahead += slopes.step[Size(row.dof[k])] * product[Size(row.dof[k])];
    }
    const double motion[3] = {1, d.actuator_length(i), d.actuator_velocity(i)};
    const bool has_act = m.actuator_actnum(i) > 0;
    const double input = has_act ? DrivingInput(m, d, i) : LimitedControl(m, d, i), plain = has_act ? input : d.ctrl(i);
    const auto add = [&](double* gradient, int type, int fixed, int affine, double by_force, double by_slope) {
      const int count = !gradient ? 0 : type == affine ? 3 : type == fixed ? 1 : 0;
      for (int k = 0; k < count; ++k) gradient[3 * i + k] -= shares[Size(i)].along * along * motion[k] * by_force;
      if (count == 3) gradient[3 * i + 2] += m.opt_timestep() * ahead * by_slope;
    };
    add(out.actuator_gainprm, m.actuator_gaintype(i), mjGAIN_FIXED, mjGAIN_AFFINE, input, plain);
    add(out.actuator_biasprm, m.actuator_biastype(i), -1, mjBIAS_AFFINE, 1, 1);
  }
}

// ---- friction

// The slope of the forces of a contact by its sliding friction, times the motion that the slopes by the residual are:
// by a central difference of the cost's gradient at fixed residuals of the directions, over a millionth of the
// friction.
class SlidingFriction {
 public:
  SlidingFriction(const mjModel* m, mjData* d, double scale, const double* residual, const double* motion)
      : m_(m), d_(d), scale_(scale), residual_(residual), motion_(motion) {}

  double Gradient(const mjContact& contact) const {
    const double step = 1e-6 * contact.friction[0];
    return (Power(contact, step) - Power(contact, -step)) / (2 * step);
  }

 private:
  // -f . motion at changed friction.
  double Power(const mjContact& contact, double change) const {
    mjContact changed = contact;
    const bool both = contact.dim > 2 && contact.friction[1] == contact.friction[0];
    changed.friction[0] += change;
    if (both) changed.friction[1] += change;

    const int row = contact.efc_address, count = RowCountOf(m_, contact);
    const bool pyramid = IsPyramidal(m_, contact);
    const double impedance = d_->efc_KBIP[4 * row + 2], ratio = (1 - impedance) / impedance;
    const double scale = pyramid ? 2 * contact.mu * contact.mu : 1;
    const double linear = d_->efc_R[row] / scale / ratio / WeightOfFirstRow(m_, contact, 1);
    const ContactRegularization<double> R(impedance, WeightOfFirstRow(m_, changed, linear), changed.friction,
                                          m_->opt.impratio);
    changed.mu = R.mu();
    const double adhesion = pyramid ? AdhesionOf(m_, FindSurfaces(m_), contact) : 0;  // else its bias stays
    double x[10], D[10], inverse[10], force[10], weight[10], power = 0;
    int state[10], type[10], id[10] = {};
    for (int r = 0; r < count; ++r) {
      type[r] = d_->efc_type[row + r];
      inverse[r] = pyramid ? R.Edge() : R.Row(r);
      D[r] = 1 / inverse[r];
      x[r] = AtFriction(residual_ + row, contact, changed, pyramid, r) +
             AdhesionReference(d_->efc_R[row] - inverse[r], adhesion, count, pyramid);
    }
    const RowSet rows = {count, 0, 0, type, id, D, inverse, d_->efc_frictionloss + row, &changed};
    EvaluateLaw(rows, scale_, x, force, weight, state);
    for (int r = 0; r < count; ++r) power -= force[r] * AtFriction(motion_ + row, contact, changed, pyramid, r);
    return power;
  }

  // The numbers of a row of the contact, if its friction were that of `changed`: pyramid edges are n +- mu u.
  static double AtFriction(const double* rows, const mjContact& contact, const mjContact& changed, bool pyramid,
                           int r) {
    if (!pyramid) return rows[r];
    const int pair = r / 2;
    const double normal = 0.5 * (rows[2 * pair] + rows[2 * pair + 1]);
    const double tangent = 0.5 * (rows[2 * pair] - rows[2 * pair + 1]) / contact.friction[pair];
    return normal + (r % 2 == 0 ? 1 : -1) * changed.friction[pair] * tangent;
  }

  const mjModel* m_;
  mjData* d_;
  double scale_;  // of the noise of smoothed rows
  const double *residual_, *motion_;
};

// The slope by its loss of the force of a dof without loss, which has no row: a row with little loss would exert all of
// it against the residual that it would have, x = a + B v. A dof that is at rest to rounding, as its row would keep it,
// has none.
double ForceByFirstLoss(const mjModel* m, const mjData* d, const ResidualPoint& at, int dof, double scale) {
  constexpr double kRounding = 1e-8;
  const double braked = DampingOfFriction(m, dof) * d->qvel[dof], residual = at.a[dof] + braked;
  if (scale > 0) return SmoothedForceByLoss(1, 0, scale, residual);
  const double parts = std::max({std::abs(at.a[dof]), std::abs(braked), std::abs(d->qacc_smooth[dof])});
  if (std::abs(residual) <= kRounding * parts) return 0;
  return residual > 0 ? -1 : 1;
}

void AddFrictionLoss(const mjModel* m, const mjData* d, const ResidualPoint& at, const Slopes& slopes,
                     const RowForces& forces, double scale, double* dof_frictionloss) {
  if (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_FRICTIONLOSS)) return;
  for (int row = d->ne; row < d->ne + d->nf; ++row) {
    if (d->efc_type[row] != mjCNSTR_FRICTION_DOF) continue;
    const double kept = forces.Weight(row) != 0 ? 0 : forces[row] > 0 ? 1 : -1;
    const double by_loss =
        scale > 0 ? SmoothedForceByLoss(d->efc_D[row], d->efc_frictionloss[row], scale, forces.residual[Size(row)])
                  : kept;
    dof_frictionloss[d->efc_id[row]] -= by_loss * slopes.force[Size(d->efc_id[row])];
  }
  for (int dof = 0; dof < m->nv; ++dof) {
    if (m->dof_frictionloss[dof] != 0) continue;
    dof_frictionloss[dof] -= ForceByFirstLoss(m, d, at, dof, scale) * slopes.force[Size(dof)];
  }
}

// The friction of a contact is the larger one of its geoms' or flexes', or that of the higher priority; of equal
// ones, each counts half.
void AddFriction(const mjModel* m, mjData* d, const Slopes& slopes, const RowForces& forces, double scale,
                 const sinewParameterGradients& out) {
  if (d->nefc == 0) return;
  std::vector<double> motion(Size(d->nefc));
  MulJacVec(m, d, motion.data(), slopes.force.data());
  const SlidingFriction sliding(m, d, scale, forces.residual.data(), motion.data());
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (contact.efc_address < 0 || contact.dim == 1) continue;
    const auto friction = [&](int side) {
      return contact.geom[side] >= 0 ? m->geom_friction[3 * contact.geom[side]]
                                     : m->flex_friction[3 * contact.flex[side]];
    };
    const auto priority = [&](int side) {
      return contact.geom[side] >= 0 ? m->geom_priority[contact.geom[side]] : m->flex_priority[contact.flex[side]];
    };
    double share = friction(0) > friction(1) ? 1 : friction(0) == friction(1) ? 0.5 : 0;
    if (priority(0) != priority(1)) share = priority(0) > priority(1) ? 1 : 0;
    if (friction(share > 0 ? 0 : 1) != contact.friction[0]) continue;  // of an explicit pair
    const double gradient = sliding.Gradient(contact);
    if (contact.geom[0] >= 0) out.geom_friction[contact.geom[0]] += share * gradient;
    if (contact.geom[1] >= 0) out.geom_friction[contact.geom[1]] += (1 - share) * gradient;
  }
}

// ---- sizes of geoms, which move and turn contacts

void AddSizes(const mjModel* m, mjData* d, const ResidualPoint& at, const Slopes& slopes, const RowForces& forces,
              const sinewParameterGradients& out) {
  const PairMotions motions(m, d, at.a);
  PairColumns pair(m, d, motions);
  ContactColumns contacts(m, d, forces, pair);
  const std::vector<Spatial<double>> by_force = SpreadOverBodies(Model(m), Data(d), slopes.force.data());
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (contact.efc_address < 0) continue;
    if (contact.geom[0] < 0 || contact.geom[1] < 0) {
      throw Error("sizes of geoms have no gradients: a flex takes part in a contact",
                  "use finite differences for geom_size");
    }
    contacts.AddSizeGradients(i, by_force, out.geom_size);
  }
}

}  // namespace

void AddParameterGradients(const mjModel* model, mjData* data, const ResidualPoint& at, const Slopes& slopes,
                           const Smoothing& smoothing, const sinewParameterGradients& out) {
  const Model m(model);
  const Data d(data);
  if (out.body_mass || out.body_inertia) AddBodies(m, d, at, slopes, out);
  AddJoints(m, d, at, slopes, out);
  AddActuators(m, d, at, slopes, out);
  if (out.dof_frictionloss || out.geom_friction || out.geom_size) {
    const RowForces forces(model, data, at.a, smoothing);
    const double scale = smoothing.Scale(model);
    if (out.dof_frictionloss) AddFrictionLoss(model, data, at, slopes, forces, scale, out.dof_frictionloss);
    if (out.geom_friction) AddFriction(model, data, slopes, forces, scale, out);
    if (out.geom_size) AddSizes(model, data, at, slopes, forces, out);
  }
  const bool immersed = HasMedium(m) && !PassiveDisabled(model);
  if (immersed && (out.body_mass || out.body_inertia || out.geom_size)) {
    AddFluidParameters(model, data, at, slopes, out);
  }
  if (out.geom_size) AddWrapSizes(model, data, at, slopes, out.geom_size);  // last, as it moves the world's tendons
}

sinewParameterGradients PartOf(const sinewParameterGradients& all, const mjModel& m, int place) {
  const auto part = [place](double* array, mjtSize size) { return array ? array + place * size : nullptr; };
  return {part(all.body_mass, m.nbody),         part(all.body_inertia, 3 * m.nbody),  part(all.dof_damping, m.nv),
          part(all.dof_armature, m.nv),         part(all.dof_frictionloss, m.nv),     part(all.jnt_stiffness, m.njnt),
          part(all.actuator_gainprm, 3 * m.nu), part(all.actuator_biasprm, 3 * m.nu), part(all.geom_friction, m.ngeom),
          part(all.geom_size, 3 * m.ngeom)};
}

}  // namespace sinew::inline derivatives
