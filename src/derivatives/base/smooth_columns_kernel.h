// The contributions of trees and of joints of one dof to the derivatives of the residual (columns.h), for one world and
// for lanes. Columns have their numbers by [column][dof], wherever they are.
#ifndef SINEW_DERIVATIVES_BASE_SMOOTH_COLUMNS_KERNEL_H_
#define SINEW_DERIVATIVES_BASE_SMOOTH_COLUMNS_KERNEL_H_

#include "derivatives/base/rnea_derivatives_kernel.h"
#include "force/passive_kernel.h"
#include "math/rotation_vector.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

// Whether bodies are lifted by a share of their weight.
inline bool HasGravityCompensation(const mjModel* m) {
  return m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) && !PassiveDisabled(m);
}

// Wrenches that keep their directions: xfrc_applied, where it acts, and the lift of bodies with gravity compensation.
template <class S>
void AddFixedWrenches(const ModelView<S>& m, const DataView<S>& d, bool applied, const TreeDerivative<S>& tree) {
  const bool lifted = HasGravityCompensation(m.raw());
  for (int b = 1; b < m.nbody(); ++b) {
    const S* row = d.xfrc_applied_data() + 6 * b;
    Vec3<S> force = applied ? LoadVec3(row) : Zero3<S>();
    if (lifted) force += m.opt_gravity() * -(m.body_gravcomp(b) * m.body_mass(b));
    AddFixedWrench(force, applied ? LoadVec3(row + 3) : Zero3<S>(), d.xipos(b) - TreeCenter(m, d, b), b, tree);
  }
}

// Inertia, bias and gravity of all trees, at the accelerations a of the solution. Gravity enters as an acceleration of
// the world, so that it turns with the bodies like any other. Wrenches that keep their directions take part where the
// tree has room for what they add, all zero.
template <class S, class Out>
void AddTrees(const ModelView<S>& m, const DataView<S>& d, const S* a, bool applied, const TreeDerivative<S>& tree,
              const Out& by_q, const Out& by_v) {
  PassMotion(m, d, {d.qvel_data(), a, /*gravity=*/true}, tree);
  if (tree.applied) AddFixedWrenches(m, d, applied, tree);
  AddSubtrees(m, tree);
  AddTreeColumns(m, d, tree, by_q, by_v);
}

// The derivative of M (a - b): inverse dynamics at rest and without gravity, at the acceleration a - b. `scratch`: two
// vectors of nv numbers.
template <class S, class Out>
void AddInertiaOfStep(const ModelView<S>& m, const DataView<S>& d, const S* a, const S* b, S* scratch,
                      const TreeDerivative<S>& tree, const Out& by_q) {
  S *rest = scratch, *difference = scratch + m.nv();
  for (int i = 0; i < m.nv(); ++i) {
    rest[i] = S(0);
    difference[i] = a[i] - b[i];
  }
  PassMotion(m, d, {rest, difference, /*gravity=*/false}, tree);
  AddSubtrees(m, tree);
  AddTreeColumns(m, d, tree, by_q, NoColumns());
}

// Adds the matrix to the block of three dofs that begins at `dof`.
template <class S, class Out>
void AddBlock(const Mat3<S>& matrix, int dof, const Out& out) {
  for (int j = 0; j < 3; ++j) {
    const auto column = out[dof + j];
    for (int i = 0; i < 3; ++i) column[dof + i] += matrix(i, j);
  }
}

// Derivative of x P(|x|) with respect to x:  P 1 + P'/|x| x x'
template <class S>
Mat3<S> SpringSlope(const Polynomial<S>& stiffness, const Vec3<S>& x) {
  const S length = Norm(x), P = stiffness(length);
  const S rate = Select(length > S(0), (stiffness.Slope(length) - P) / (length * length), S(0));
  Mat3<S> K;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) K(i, j) = rate * x[i] * x[j] + (i == j ? P : S(0));
  }
  return K;
}

template <class S, class Out>
void AddJointSpring(const ModelView<S>& m, const DataView<S>& d, int joint, const Polynomial<S>& stiffness,
                    const Out& by_q) {
  int adr = m.jnt_qposadr(joint), dof = m.jnt_dofadr(joint);
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE:
      AddBlock(SpringSlope(stiffness, PositionDisplacement(m, d, adr)), dof, by_q);
      adr += 3;
      dof += 3;
      [[fallthrough]];
    case mjJNT_BALL: {
      const Quat<S> rest = {m.qpos_spring(adr), m.qpos_spring(adr + 1), m.qpos_spring(adr + 2), m.qpos_spring(adr + 3)};
      const Mat3<S> turn = DifferentiateRotationVector(Normalized(LoadQuat(d.qpos_data() + adr)), rest);
      AddBlock(SpringSlope(stiffness, RotationDisplacement(m, d, adr)) * turn, dof, by_q);
      break;
    }
    default:
      by_q[dof][dof] += stiffness.Slope(JointDisplacement(m, d, joint));
  }
}

// Forces of springs count with the sign of the residual, which has them on its left side: -qfrc_spring.
template <class S, class Out>
void AddJointSprings(const ModelView<S>& m, const DataView<S>& d, const Out& by_q) {
  if (m.opt_disableflags() & mjDSBL_SPRING) return;
  for (int joint = 0; joint < m.njnt(); ++joint) {
    const Polynomial<S> stiffness = JointStiffness(m, joint);
    if (!stiffness.IsZero()) AddJointSpring(m, d, joint, stiffness, by_q);
  }
}

// d2 (v P(|v|)) / dv2
template <class S>
S DamperCurvature(const Polynomial<S>& damping, S v) {
  return Select(v < S(0), S(-1), S(1)) * (S(2) * damping.c1 + S(6) * damping.c2 * Abs(v));
}

// With an integrator that takes the damping of joints in, s has -h (slope at v) b; b null: it does not. `step`: the
// columns of s by velocities.
template <class S, class Out>
void AddDofDamping(const ModelView<S>& m, const DataView<S>& d, const S* b, const Out& force, const Out& step) {
  if (m.opt_disableflags() & mjDSBL_DAMPER) return;
  for (int i = 0; i < m.nv(); ++i) {
    const Polynomial<S> damping = DofDamping(m, i);
    if (damping.IsZero()) continue;
    force[i][i] += DamperSlope(damping, d.qvel(i));
    if (b) step[i][i] -= m.opt_timestep() * DamperCurvature(damping, d.qvel(i)) * b[i];
  }
}

// Limit forces of joints. Implicit integrators take the slopes of dampers in: b and `step_by_q` as above, b null
// otherwise.
template <class S, class Out>
void AddLimitForces(const ModelView<S>& m, const DataView<S>& d, const S* b, const Out& by_q, const Out& by_v,
                    const Out& step_by_q) {
  const int disabled = m.opt_disableflags();
  ForJointLaws(m, d, SpringLaws(m.raw()), [&](int joint, const SpringLawList& laws) {
    const int i = m.jnt_dofadr(joint);
    const S q = LawCoordinate(m, d, joint);
    if (!(disabled & mjDSBL_SPRING)) by_q[i][i] += SpringOf(laws, q).slope;
    if (disabled & mjDSBL_DAMPER) return;
    const LawDamper<S> damper = DamperOf<S>(laws, q, d.qvel(i));
    by_q[i][i] += damper.by_position;
    by_v[i][i] += damper.slope;
    if (b) step_by_q[i][i] -= m.opt_timestep() * damper.curvature * b[i];
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_SMOOTH_COLUMNS_KERNEL_H_
