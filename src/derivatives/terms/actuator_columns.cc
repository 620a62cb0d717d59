#include "derivatives/terms/actuator_columns.h"

#include "derivatives/base/names.h"
#include "derivatives/terms/compensation_columns.h"
#include "derivatives/terms/motor_law.h"
#include "derivatives/terms/muscle_law.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"
#include "model/kinds/integrator.h"
#include "model/storage/extension.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// ---- forces

// Dofs whose actuators together are at the limit of their joint, so that their force is constant. Their residual before
// actuators add to it is restored in the end. (The integrators' slopes ignore limits.)
class HeldDofs {
 public:
  HeldDofs(const Model& m, const Data& d, const StateSizes& sizes, const Columns& force) : columns_(sizes.all()) {
    for (int joint = 0; joint < m.njnt(); ++joint) {
      if (IsHeldByJoint(m, d, joint)) dof_.push_back(m.jnt_dofadr(joint));
    }
    for (const int dof : dof_) {
      for (int c = 0; c < columns_; ++c) kept_.push_back(force[c][dof]);
    }
  }
  void PutBack(Columns& force) const {
    const double* next = kept_.data();
    for (const int dof : dof_) {
      for (int c = 0; c < columns_; ++c) force[c][dof] = *next++;
    }
  }

 private:
  int columns_;
  std::vector<int> dof_;
  std::vector<double> kept_;
};

// Whether the column of a control is one of the control that acts.
bool ControlColumnActs(const Model& m, int actuator, ControlColumns controls) {
  return controls == ControlColumns::kActing || !IsDelayed(m, actuator);
}

}  // namespace

std::string ObstacleOfActuators(const mjModel* model) {
  const Model m(model);
  for (int i = 0; i < m.nu(); ++i) {
    const auto refuse = [&](const char* what) { return NameOf(model, mjOBJ_ACTUATOR, i) + what; };
    const int gain = m.actuator_gaintype(i), bias = m.actuator_biastype(i);
    if (gain == mjGAIN_DCMOTOR) {
      if (m.actuator_dyntype(i) == mjDYN_DCMOTOR || m.actuator_actnum(i) == 0) continue;
      return refuse(" is a motor with a user's states");
    }
    if (IsMusculotendon(model, i)) continue;
    if (gain != mjGAIN_FIXED && gain != mjGAIN_AFFINE && gain != mjGAIN_MUSCLE) {
      return refuse(" has a user's gain");
    }
    if (bias != mjBIAS_NONE && bias != mjBIAS_AFFINE && bias != mjBIAS_MUSCLE) return refuse(" has a user's bias");
    if (m.actuator_actnum(i) > 1) return refuse(" has several activations");
    if (m.actuator_dyntype(i) > mjDYN_MUSCLE) return refuse(" has a user's activation dynamics");
  }
  return {};
}

void AddActuatorColumns(const mjModel* model, mjData* data, const TendonRows& tendons, const ResidualPoint& at,
                        ResidualColumns& out, ControlColumns controls) {
  const Model m(model);
  const Data d(data);
  if (m.nu() == 0 || (m.opt_disableflags() & mjDSBL_ACTUATION)) return;
  const StateSizes sizes(model);
  const HeldDofs held(m, d, sizes, out.force);
  AddActuatorCompensation(model, data, 1, out.force);
  const double h = m.opt_timestep();
  const bool implicit = at.HasStep() && IsImplicit(model);
  const std::vector<ForceShare> shares = SharesOfSlopes(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    if (ActuatorDisabled(m, i)) continue;
    const ForceSlopes force = SlopesOfForce(m, d, i, shares[Size(i)].along);
    const ActuatorRow actuator_row(m, d, tendons, i);
    const Row& row = actuator_row.row();
    const int activation = sizes.activation() + m.actuator_actadr(i), control = sizes.control() + i;
    AddScalarForce(row, force.along, data->qvel, out.force, actuator_row.length());
    const bool acts = ControlColumnActs(m, i, controls);
    if (acts) row.Subtract(force.f_control, out.force[control]);
    for (int k = 0; k < m.actuator_actnum(i); ++k) row.Subtract(force.f_act[k], out.force[activation + k]);
    if (!implicit) continue;
    const ImplicitRow implicit_row(model, row, at.b);
    AddImplicitScalarForce(row, implicit_row, force.along, data->qvel, h, out.step, actuator_row.length());
    implicit_row.Add(h * ((acts ? force.g_control : 0) + force.g_plain), out.step[control]);
    for (int k = 0; k < m.actuator_actnum(i); ++k) implicit_row.Add(h * force.g_act[k], out.step[activation + k]);
  }
  held.PutBack(out.force);
}

// ---- activations

namespace {

// Input for all rows.
struct RowsAt {
  const mjModel* model;
  mjData* data;
  const TendonRows& tendons;
  const StateSizes sizes;
  ControlColumns controls;
  std::vector<double> end = {};  // velocities after the step, where fibres move with them
};

// Velocities v + h b, for fibres that the step moves to the lengths of its end. (Free bodies under the midpoint rule
// get theirs after that.)
std::vector<double> EndVelocities(const mjModel* m, const mjData* d, const ResidualPoint& at) {
  if (!HasFibers(m)) return {};
  std::vector<double> end(Size(m->nv));
  for (int i = 0; i < m->nv; ++i) end[Size(i)] = d->qvel[i] + m->opt.timestep * at.b[i];
  return end;
}

// The slopes of an activation of actuator i, spread over positions and velocities along its row. `by_end`: by the rate
// of the row with the velocities of the end.
template <int N>
ActivationRow Spread(const RowsAt& at, int i, const ActuatorRow& actuator, const Dual<double, N>& x, double by_end) {
  ActivationRow out;
  const auto add = [&](int column, double value) {
    if (value != 0) out.slopes.push_back({column, value});
  };
  const Row& row = actuator.row();
  const double* length = actuator.length() ? actuator.length() : row.J;
  for (int j = 0; j < row.count; ++j) {
    const int dof = row.dof[j];
    double by_position = x.slope[kByLength] * length[j] + x.slope[kByVelocity] * row.TurnTimes(j, at.data->qvel);
    if (by_end != 0) by_position += by_end * row.TurnTimes(j, at.end.data());
    add(dof, by_position);
    add(at.sizes.velocity() + dof, x.slope[kByVelocity] * row.J[j]);
    if (by_end != 0) out.by_end.push_back({dof, by_end * row.J[j]});
  }
  for (int k = 0; k < at.model->actuator_actnum[i]; ++k) {
    add(at.sizes.activation() + at.model->actuator_actadr[i] + k, x.slope[kByState + k]);
  }
  if (ControlColumnActs(Model(at.model), i, at.controls)) add(at.sizes.control() + i, x.slope[kByControl]);
  return out;
}

// Appends the rows of a muscle with a tendon.
void AddFiberRows(const RowsAt& at, int i, std::vector<ActivationRow>& rows) {
  const Model m(at.model);
  const Data d(at.data);
  const ActuatorRow actuator(m, d, at.tendons, i);
  const int first = m.actuator_actadr(i), count = m.actuator_actnum(i);
  const bool rates = at.model->opt.integrator == mjINT_RK4, moves = !at.end.empty() && count == kElasticStates;
  const FiberChanges states =
      rates ? RatesOfFiber(m, d, i) : EndsOfFiber(m, d, i, moves ? actuator.row().Times(at.end.data()) : 0);
  for (int k = 0; k < count; ++k) {
    const bool is_fiber = moves && k == 0;
    const double by_end = is_fiber ? states.state[k].slope[kByEnd] : 0;
    rows[Size(first + k)] = Spread(at, i, actuator, states.state[k], by_end);
  }
}

// Appends the rows of a motor.
void AddMotorRows(const RowsAt& at, int i, std::vector<ActivationRow>& rows) {
  const Model m(at.model);
  const Data d(at.data);
  const ActuatorRow actuator(m, d, at.tendons, i);
  const bool rates = at.model->opt.integrator == mjINT_RK4;
  const MotorChanges states = rates ? RatesOfMotor(m, d, i) : EndsOfMotor(m, d, i);
  for (int k = 0; k < m.actuator_actnum(i); ++k) {
    rows[Size(m.actuator_actadr(i) + k)] = Spread(at, i, actuator, states.state[k], 0);
  }
}

}  // namespace

std::vector<ActivationRow> RowsOfActivations(const mjModel* model, mjData* data, const TendonRows& tendons,
                                             const ResidualPoint& at, ControlColumns controls) {
  const RowsAt rows_at = {model, data, tendons, StateSizes(model), controls, EndVelocities(model, data, at)};
  std::vector<ActivationRow> rows(Size(model->na));
  const bool rates = model->opt.integrator == mjINT_RK4;
  for (int i = 0; i < model->nu; ++i) {
    if (model->actuator_actnum[i] == 0) continue;
    if (IsMusculotendon(model, i)) {
      AddFiberRows(rows_at, i, rows);
      continue;
    }
    if (model->actuator_dyntype[i] == mjDYN_DCMOTOR) {
      AddMotorRows(rows_at, i, rows);
      continue;
    }
    const ActivationSlopes own = SlopesOfActivation(Model(model), Data(data), i);
    const int adr = model->actuator_actadr[i];
    rows[Size(adr)].slopes = {{rows_at.sizes.activation() + adr, rates ? own.rate_by_act : own.next_by_act}};
    if (!ControlColumnActs(Model(model), i, controls)) continue;
    rows[Size(adr)].slopes.push_back({rows_at.sizes.control() + i, rates ? own.rate_by_control : own.next_by_control});
  }
  return rows;
}

std::vector<ActivationRow> RowsOfBristles(const mjModel* model, mjData* data) {
  std::vector<ActivationRow> rows(Size(model->nu));
  const auto has_bristle = [&](int i) {
    return model->actuator_dyntype[i] == mjDYN_DCMOTOR && MakeDcMotor(Model(model), i).bristle_state >= 0;
  };
  bool any = false;
  for (int i = 0; i < model->nu; ++i) any |= has_bristle(i);
  if (!any) return rows;
  const TendonRows tendons(model, data);
  const RowsAt at = {model, data, tendons, StateSizes(model), ControlColumns::kPresent};
  const MotorNumber velocity = MotorNumber::Variable(0, kByVelocity);
  for (int i = 0; i < model->nu; ++i) {
    if (!has_bristle(i)) continue;
    rows[Size(i)] = Spread(at, i, ActuatorRow(Model(model), Data(data), tendons, i), velocity, 0);
  }
  return rows;
}

}  // namespace sinew::inline derivatives
