#include "derivatives/integrators/metric_columns.h"

#include "constraint/metric_row.h"
#include "core/error.h"
#include "derivatives/base/names.h"
#include "derivatives/terms/actuator_law.h"
#include "integrate/midpoint_kernel.h"
#include "integrate/velocity_derivative/metric_kernel.h"
#include "model/kinds/integrator.h"
#include "model/kinds/stick.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// A force along a row where the step leads: c, by how much it is larger there, and S = D + h K, with their slopes.
struct MetricForce {
  RowForce<double> change = {0, 0, 0}, slope = {0, 0, 0};
};

// Adds them to the residual:  h J' S J a - J' c.
void AddForce(const mjModel* m, const Row& row, const MetricForce& force, const double* length, const double* a,
              const double* qvel, Columns& out) {
  if (!length) length = row.J;
  AddScalarForce<double>(row, force.change, length, qvel, FullShare(), out.From(0), out.FromVelocity());
  const ImplicitRow implicit(m, row, a, ImplicitRow::Pattern::kInertia);
  AddImplicitScalarForce<double>(row, implicit, force.slope, length, qvel, m->opt.timestep, out.From(0),
                                 out.FromVelocity());
}

double Curvature(const Polynomial<double>& p, double x) { return 2 * p.c1 + 6 * p.c2 * x; }

// A spring whose displacement is `before`, and `after` where the step leads.
void AddSpring(const Polynomial<double>& stiffness, double before, double after, double h, MetricForce& force) {
  if (stiffness.IsZero()) return;
  const double slope = after != 0 ? stiffness.Slope(after) : 0;
  force.change.f += SpringForce(stiffness, after) - SpringForce(stiffness, before);
  force.change.f_length += (before != 0 ? stiffness.Slope(before) : 0) - slope;
  force.change.f_velocity -= h * slope;
  if (slope <= 0) return;
  force.slope.f += h * slope;
  force.slope.f_length += h * Curvature(stiffness, after);
  force.slope.f_velocity += h * h * Curvature(stiffness, after);
}

void AddDamper(const Polynomial<double>& damping, double velocity, MetricForce& force) {
  if (damping.IsZero() || DamperSlope(damping, velocity) <= 0) return;
  force.slope.f += DamperSlope(damping, velocity);
  force.slope.f_velocity += DamperCurvature(damping, velocity);
}

void AddJoints(const Model& m, const Data& d, const double* a, Columns& out) {
  const int disabled = m.opt_disableflags();
  const double one = 1, h = m.opt_timestep();
  for (int i = 0; i < m.nv(); ++i) {
    const int joint = m.dof_jntid(i), type = m.jnt_type(joint);
    MetricForce force;
    if (!(disabled & mjDSBL_SPRING) && (type == mjJNT_HINGE || type == mjJNT_SLIDE)) {
      const double x = JointDisplacement(m, d, joint);
      AddSpring(JointStiffness(m, joint), x, x + h * d.qvel(i), h, force);
    }
    if (!(disabled & mjDSBL_DAMPER)) AddDamper(DofDamping(m, i), d.qvel(i), force);
    AddForce(m.raw(), {1, &i, &one, nullptr}, force, nullptr, a, d.qvel_data(), out);
  }
}

void AddTendons(const Model& m, const Data& d, const TendonRows& tendons, const double* a, Columns& out) {
  const int disabled = m.opt_disableflags();
  const double h = m.opt_timestep();
  for (int t = 0; t < m.ntendon(); ++t) {
    const double velocity = d.ten_velocity(t);
    MetricForce force;
    if (!(disabled & mjDSBL_SPRING)) {
      const double after = TendonDisplacementAt(m, t, d.ten_length(t) + h * velocity);
      AddSpring(TendonStiffness(m, t), TendonDisplacement(m, d, t), after, h, force);
    }
    if (!(disabled & mjDSBL_DAMPER)) AddDamper(TendonDamping(m, t), velocity, force);
    AddForce(m.raw(), tendons[t], force, nullptr, a, d.qvel_data(), out);
  }
}

// Whether the metric has a row of the actuator, which moves dofs that inertia couples.
bool IsInMetric(const Model& m, const Data& d, int i) {
  const int type = m.actuator_trntype(i);
  if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT || type == mjTRN_TENDON) return true;
  return IsCoupledByInertia(m.raw(), d.moment_colind_data() + d.moment_rowadr(i), d.moment_rownnz(i));
}

// Slopes by length are constant; those by velocity are muscles', too, and follow the state and the control.
void AddActuator(const Model& m, const Data& d, const TendonRows& tendons, int i, double share, const double* a,
                 Columns& out) {
  if (!ForceWithinLimits(m, d, i) || IsHeldByTarget(m, d, i)) return;
  const StateSizes sizes(m.raw());
  const double h = m.opt_timestep(), by_length = std::min(0.0, LengthSlope(m, d, i));
  const ImplicitForce<double> step = StepOfActuator(m, d, i);
  MetricForce force;
  force.change = {step.change, 0, h * by_length};
  force.slope.f = step.slope;
  const ActuatorRow actuator(m, d, tendons, i);
  const Row& row = actuator.row();
  const bool damps = ActuatorSlope(m, d, i) < 0;
  const ForceSlopes slopes = SlopesOfForce(m, d, i, share);
  if (damps) {
    force.slope.f_length -= slopes.along.g_length;
    force.slope.f_velocity -= slopes.along.g_velocity;
  }
  AddForce(m.raw(), row, force, actuator.length(), a, d.qvel_data(), out);
  if (!damps) return;
  const ImplicitRow implicit(m.raw(), row, a, ImplicitRow::Pattern::kInertia);
  implicit.Add(-h * (slopes.g_control + slopes.g_plain), out[sizes.control() + i]);
  for (int k = 0; k < m.actuator_actnum(i); ++k) {
    implicit.Add(-h * slopes.g_act[k], out[sizes.activation() + m.actuator_actadr(i) + k]);
  }
}

// A free body under the midpoint rule has no metric but its inertia.
void RequireFreeBodiesWithoutMetric(const Model& m, const Data& d) {
  for (int joint = 0; joint < m.njnt(); ++joint) {
    if (!IsFreeAssembly(m, joint) || IsFreeOfMetric(m, d, joint)) continue;
    throw Error(NameOf(m.raw(), mjOBJ_JOINT, joint) + " is that of a free body with forces in the metric of 'discrete'",
                "use mjd_transitionFD");
  }
}

}  // namespace

std::string ObstacleOfMetric(const mjModel* model) {
  const Model m(model);
  if (!IsDiscrete(model)) return {};
  if (HasMedium(m)) return "the drag of a medium is in the metric of 'discrete'";
  if (SpringLaws(model)) return "limit forces and ligaments are in the metric of 'discrete'";
  if (model->nhistory > StickStates(model)) return "controls of the past are in the metric of 'discrete'";
  for (int f = 0; f < model->nflex; ++f) {
    if (!model->flex_rigid[f]) return NameOf(model, mjOBJ_FLEX, f) + " is in the metric of 'discrete'";
  }
  for (int t = 0; t < model->ntendon; ++t) {
    if (HasMetricRow(model, t)) return NameOf(model, mjOBJ_TENDON, t) + " has a row in the metric of 'discrete'";
  }
  for (int j = 0; j < model->njnt; ++j) {
    const bool turns = m.jnt_type(j) == mjJNT_BALL || m.jnt_type(j) == mjJNT_FREE;
    if (turns && !JointStiffness(m, j).IsZero()) {
      return NameOf(model, mjOBJ_JOINT, j) + " has a spring about three axes in the metric of 'discrete'";
    }
  }
  for (int i = 0; i < model->nu; ++i) {
    if (m.actuator_gaintype(i) != mjGAIN_AFFINE) continue;
    if (m.actuator_gainprm(i)[1] == 0 && m.actuator_gainprm(i)[2] == 0) continue;
    return NameOf(model, mjOBJ_ACTUATOR, i) + " has a gain that changes with length or velocity, in 'discrete'";
  }
  return {};
}

void AddMetricColumns(const mjModel* model, mjData* data, const TendonRows& tendons, const double* a, Columns& force) {
  if (!IsDiscrete(model)) return;
  const Model m(model);
  const Data d(data);
  RequireFreeBodiesWithoutMetric(m, d);
  if (!PassiveDisabled(model)) {
    AddJoints(m, d, a, force);
    AddTendons(m, d, tendons, a, force);
  }
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  const std::vector<ForceShare> shares = SharesOfSlopes(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    if (!ActuatorDisabled(m, i) && IsInMetric(m, d, i)) AddActuator(m, d, tendons, i, shares[Size(i)].along, a, force);
  }
}

}  // namespace sinew::inline derivatives
