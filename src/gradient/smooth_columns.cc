#include "gradient/smooth_columns.h"

#include <algorithm>

#include "derivative/inverse_dynamics_kernel.h"
#include "derivative/rotation.h"
#include "force/passive_kernel.h"
#include "gradient/compensation_columns.h"
#include "gradient/fluid_columns.h"
#include "gradient/simple_dofs.h"
#include "gradient/tree_memory.h"
#include "model/integrator.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Tree = TreeDerivative<double>;

// ---- wrenches that keep their directions

// xfrc_applied, and the lift of bodies with gravity compensation.
void AddFixedWrenches(const Model& m, const Data& d, Applied applied, const Tree& tree) {
  const bool lifted = HasGravityCompensation(m);
  for (int b = 1; b < m.nbody(); ++b) {
    constexpr double kNone[6] = {};
    const double* row = applied == Applied::kActs ? d.xfrc_applied_data() + 6 * b : kNone;
    Vec3<double> force = LoadVec3(row);
    if (lifted) force += m.opt_gravity() * -(m.body_gravcomp(b) * m.body_mass(b));
    AddFixedWrench(force, LoadVec3(row + 3), d.xipos(b) - TreeCenter(m, d, b), b, tree);
  }
}

bool HasFixedWrenches(const Model& m, const Data& d, Applied applied) {
  return HasGravityCompensation(m) || (applied == Applied::kActs && !NothingApplied(m, d));
}

// ---- joints

// Adds the matrix to the block of three dofs that begins at `dof`, column by column.
void AddBlock(const Mat3<double>& matrix, int dof, Columns& out) {
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) out[dof + j][dof + i] += matrix(i, j);
  }
}

// Derivative of x P(|x|) with respect to x:  P 1 + P'/|x| x x'
Mat3<double> SpringSlope(const Polynomial<double>& stiffness, const Vec3<double>& x) {
  const double length = Norm(x), P = stiffness(length);
  const double rate = length > 0 ? (stiffness.Slope(length) - P) / (length * length) : 0;
  Mat3<double> K;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) K(i, j) = rate * x[i] * x[j] + (i == j ? P : 0);
  }
  return K;
}

// Forces of springs count with the sign of the balance, which has them on its left side: -qfrc_spring.
void AddJointSpring(const Model& m, const Data& d, int joint, Columns& force) {
  const Polynomial<double> stiffness = JointStiffness(m, joint);
  if (stiffness.IsZero()) return;
  int adr = m.jnt_qposadr(joint), dof = m.jnt_dofadr(joint);
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE:
      AddBlock(SpringSlope(stiffness, PositionDisplacement(m, d, adr)), dof, force);
      adr += 3;
      dof += 3;
      [[fallthrough]];
    case mjJNT_BALL: {
      const Quat<double> rest = LoadQuat(m.raw()->qpos_spring + adr);
      const Mat3<double> turn = DifferentiateSubQuat(Normalized(LoadQuat(d.qpos_data() + adr)), rest).a;
      AddBlock(SpringSlope(stiffness, RotationDisplacement(m, d, adr)) * turn, dof, force);
      break;
    }
    default:
      force[dof][dof] += stiffness.Slope(JointDisplacement(m, d, joint));
  }
}

// d2 (v P(|v|)) / dv2
double DamperCurvature(const Polynomial<double>& damping, double v) {
  return (v < 0 ? -1 : 1) * (2 * damping.c1 + 6 * damping.c2 * Abs(v));
}

// With an integrator that takes the damping of joints in, s has -h (slope at v) b.
void AddDofDamping(const Model& m, const Data& d, const BalancePoint& at, BalanceColumns& out) {
  const bool disabled = (m.opt_disableflags() & mjDSBL_DAMPER) != 0;
  for (int i = 0; i < m.nv() && !disabled; ++i) {
    const Polynomial<double> damping = DofDamping(m, i);
    if (damping.IsZero()) continue;
    const int column = m.nv() + i;
    out.force[column][i] += DamperSlope(damping, d.qvel(i));
    if (at.HasStep()) out.step[column][i] -= m.opt_timestep() * DamperCurvature(damping, d.qvel(i)) * at.b[i];
  }
}

// ---- trees

// Inertia, bias and gravity of all trees, at the acceleration of the solution. Gravity enters as an acceleration of the
// world, so that it turns with the bodies like any other.
void AddTrees(const Model& m, const Data& d, const BalancePoint& at, Applied applied, TreeMemory& memory,
              BalanceColumns& out) {
  const bool fixed = HasFixedWrenches(m, d, applied);
  const Tree tree = fixed ? memory.WithApplied(m.raw()) : memory.tree();
  PassMotion(m, d, {d.qvel_data(), at.a, /*gravity=*/true}, tree);
  if (fixed) AddFixedWrenches(m, d, applied, tree);
  AddSubtrees(m, tree);
  AddTreeColumns(m, d, tree, out.force[0], out.force[m.nv()]);
}

// The derivative of M (a - b): inverse dynamics at rest and without gravity, at the acceleration a - b.
void AddInertiaOfStep(const Model& m, const Data& d, const BalancePoint& at, TreeMemory& memory, Columns& step) {
  const size_t nv = static_cast<size_t>(m.nv());
  std::vector<double> rest(nv), difference(nv);
  for (size_t i = 0; i < nv; ++i) difference[i] = at.a[i] - at.b[i];
  PassMotion(m, d, {rest.data(), difference.data(), /*gravity=*/false}, memory.tree());
  AddSubtrees(m, memory.tree());
  AddTreeColumns<double>(m, d, memory.tree(), step[0], nullptr);
}

// The implicit integrator's X has h dc/dv. The bias force is a quadratic form of velocities, so that
//   d/dq (dc/dv b) = (dc/dq(v + b) - dc/dq(v - b)) / 2,    d/dv (dc/dv b) = dc/dv at the velocity b
// exactly; b is scaled to the size of v.
void AddBiasOfStep(const Model& m, const Data& d, const BalancePoint& at, TreeMemory& memory, Columns& step) {
  const size_t nv = static_cast<size_t>(m.nv());
  const double h = m.opt_timestep();
  const double scale = at.ScaleToVelocities(d.qvel_data(), m.nv());
  if (scale == 0) return;
  std::vector<double> rest(nv), velocity(nv), sides(nv * nv), by_v(nv * nv);
  const auto add = [&](double of_v, double of_b, double weight, bool velocities) {
    for (int i = 0; i < m.nv(); ++i) velocity[static_cast<size_t>(i)] = of_v * d.qvel(i) + of_b * at.b[i];
    std::fill(sides.begin(), sides.end(), 0.0);
    PassMotion(m, d, {velocity.data(), rest.data(), /*gravity=*/false}, memory.tree());
    AddSubtrees(m, memory.tree());
    AddTreeColumns(m, d, memory.tree(), sides.data(), velocities ? by_v.data() : nullptr);
    if (velocities) return;
    for (size_t k = 0; k < nv * nv; ++k) step[0][k] += weight * sides[k];
  };
  add(1, scale, -0.5 * h / scale, false);
  add(1, -scale, 0.5 * h / scale, false);
  add(0, scale, 0, true);
  for (size_t k = 0; k < nv * nv; ++k) step[m.nv()][k] -= h / scale * by_v[k];
}

// The implicit integrators' X has -h times the slopes of the medium's forces.
void AddMediumOfStep(const Model& m, const Data& d, const BalancePoint& at, const Tree& tree, Columns& step) {
  TreeMemory ahead(m.raw());
  const std::vector<double> rest(Size(m.nv()));
  PassMotion(m, d, {at.b, rest.data(), /*gravity=*/false}, ahead.tree());
  AddFluidOfStep(m.raw(), d.raw(), tree, ahead.tree(), step);
}

}  // namespace

SINEW_DISPATCH void AddSmoothColumns(const mjModel* model, mjData* data, const BalancePoint& at, Applied applied,
                                     BalanceColumns& out) {
  const Model m(model);
  const Data d(data);
  // The memory is shared: each pass over the trees starts anew.
  TreeMemory memory(model);
  AddTrees(m, d, at, applied, memory, out);
  if (HasMedium(m) && !PassiveDisabled(model)) {
    AddFluidColumns(model, data, memory.tree(), out.force);
    if (at.HasStep() && IsImplicit(model)) {
      AddStepOfBodies(model, StateSizes(model), at, out.step, [&](const BalancePoint& part, Columns& step) {
        AddMediumOfStep(m, d, part, memory.tree(), step);
      });
    }
  }
  AddActuatorCompensation(model, data, -1, out.force);  // theirs counts with actuators
  if (at.HasStep()) AddInertiaOfStep(m, d, at, memory, out.step);
  if (at.HasStep() && model->opt.integrator == mjINT_IMPLICIT) AddBiasOfStep(m, d, at, memory, out.step);
  if (PassiveDisabled(model)) return;
  for (int joint = 0; joint < m.njnt() && !(m.opt_disableflags() & mjDSBL_SPRING); ++joint) {
    AddJointSpring(m, d, joint, out.force);
  }
  AddDofDamping(m, d, at, out);
}

}  // namespace sinew
