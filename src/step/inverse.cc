#include "step/inverse.h"

#include <algorithm>

#include "constraint/arena_fields.h"
#include "constraint/jacobian_product.h"
#include "constraint/make_constraint.h"
#include "constraint/update.h"
#include "core/error.h"
#include "core/stack.h"
#include "core/timer.h"
#include "inertia/inertia.h"
#include "integrate/implicit_cells.h"
#include "integrate/integrate.h"
#include "integrate/velocity_derivative/smooth.h"
#include "kinematics/apply.h"
#include "math/dense.h"
#include "model/kinds/integrator.h"
#include "model/storage/error_control.h"
#include "sensor/energy.h"
#include "sensor/sensor.h"
#include "step/discrete.h"
#include "step/forward.h"
#include "step/held_rows.h"
#include "step/partial_stages.h"

namespace sinew::inline step {
namespace {

int Dofs(const mjModel* m) { return static_cast<int>(m->nv); }

// qacc of continuous time from the difference quotient of velocities, M a_c = X a_d, where X is the matrix that the
// integrator solves with. Writes to qacc.
void ContinuousAcceleration(const mjModel* m, mjData* d) {
  if (m->opt.integrator == mjINT_RK4) {
    throw Error("discrete inverse dynamics is not supported by RK4 integrator", "clear the flag invdiscrete");
  }
  if (IsErrorControlled(m->opt.integrator)) {
    throw Error("discrete inverse dynamics is not supported by integrators that control their error",
                "clear the flag invdiscrete");
  }
  const bool euler = m->opt.integrator == mjINT_EULER;
  if (euler && !HasImplicitDamping(m)) return;
  StackFrame frame(d);
  double* force = frame.Doubles(Dofs(m));
  UpdateImplicit(m, d);
  if (HasImplicitCells(m, d)) UndoImplicitCells(m, d, d->qacc);
  MulImplicit(m, d, force, d->qacc);
  SolveM(m, d, force, force, 1);
  ReleaseEqualities(m, d, force);
  Copy(d->qacc, force, Dofs(m));
}

// Forces at the acceleration of continuous time in qacc, and the sensors that see it.
void InverseForces(const mjModel* m, mjData* d, bool skip_sensors) {
  InvConstraint(m, d);
  if (!skip_sensors) SensorAcc(m, d);
  MulM(m, d, d->qfrc_inverse, d->qacc);
  // Where no force is needed, what these leave is rounding: it is that of MuJoCo 3.8.0 in this order.
  for (int i = 0; i < m->nv; ++i) {
    d->qfrc_inverse[i] = d->qfrc_inverse[i] - d->qfrc_passive[i] - d->qfrc_constraint[i] + d->qfrc_bias[i];
  }
}

// Forces at the acceleration of a step in qacc, with the integrator `discrete`: X a is what M a is elsewhere.
void DiscreteForces(const mjModel* m, mjData* d, bool skip_sensors) {
  StackFrame frame(d);
  const int nv = Dofs(m);
  double *change = frame.Doubles(nv), *acceleration = frame.Doubles(nv);
  UpdateMetric(m, d, change);
  Copy(acceleration, d->qacc, nv);
  InvConstraint(m, d);
  if (!skip_sensors) SensorAcc(m, d);
  if (HasImplicitCells(m, d)) UndoImplicitCells(m, d, acceleration);
  MulMetric(m, d, d->qfrc_inverse, acceleration);
  for (int i = 0; i < nv; ++i) {
    d->qfrc_inverse[i] += d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_constraint[i] - change[i];
  }
}

// The same at the acceleration in qacc, whichever it is: with INVDISCRETE, the difference of velocities over a step.
void ForcesOfAcceleration(const mjModel* m, mjData* d, bool skip_sensors) {
  if (IsDiscrete(m)) return DiscreteForces(m, d, skip_sensors);
  if (!(m->opt.enableflags & mjENBL_INVDISCRETE)) return InverseForces(m, d, skip_sensors);

  StackFrame frame(d);
  const int nv = Dofs(m);
  double* discrete = frame.Doubles(nv);
  Copy(discrete, d->qacc, nv);
  ContinuousAcceleration(m, d);
  InverseForces(m, d, skip_sensors);
  Copy(d->qacc, discrete, nv);
}

}  // namespace

void Inverse(const mjModel* m, mjData* d) { InverseSkip(m, d, mjSTAGE_NONE, false); }

void InverseSkip(const mjModel* m, mjData* d, int skip_stage, bool skip_sensors) {
  StageTimer timer(d, mjTIMER_INVERSE);
  if (skip_stage < mjSTAGE_POS) {
    InvPosition(m, d);
    if (!skip_sensors) SensorPos(m, d);
    if (m->opt.enableflags & mjENBL_ENERGY) ForwardEnergyPos(m, d);
  }
  if (skip_stage < mjSTAGE_VEL) VelocityStage(m, d, skip_sensors);
  ForcesOfAcceleration(m, d, skip_sensors);
}

void InvPosition(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_POSITION);
  d->flg_energypos = 0;
  PositionsOfInverse(m, d);
}

void InvVelocity(const mjModel* m, mjData* d) { FwdVelocity(m, d); }

void InvConstraint(const mjModel* m, mjData* d) {
  StageTimer timer(d, mjTIMER_CONSTRAINT);
  StackFrame frame(d, WhenFull::kReport);
  double* jar = frame.Doubles(d->nefc);
  if (frame.full()) DropConstraints(d);
  if (d->nefc == 0) return Zero(d->qfrc_constraint, Dofs(m));
  MulJacVec(m, d, jar, d->qacc);
  for (int i = 0; i < d->nefc; ++i) jar[i] -= d->efc_aref[i];
  ConstraintUpdate(m, d, jar, /*cost=*/nullptr, /*cone_hessian=*/false);
}

void CompareFwdInv(const mjModel* m, mjData* d) {
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  if (d->nefc == 0) return;

  // keep what forward dynamics found
  StackFrame frame(d, WhenFull::kReport);
  const int nv = Dofs(m);
  double* qfrc_constraint = frame.Doubles(nv);
  double* efc_force = frame.Doubles(d->nefc);
  int* efc_state = frame.Ints(d->nefc);
  double* difference = frame.Doubles(nv);
  if (frame.full()) return;
  std::copy_n(d->efc_state, d->nefc, efc_state);
  Copy(qfrc_constraint, d->qfrc_constraint, nv);
  Copy(efc_force, d->efc_force, d->nefc);
  ForcesOfAcceleration(m, d, /*skip_sensors=*/true);

  // constraint forces, and all forces from outside
  for (int i = 0; i < nv; ++i) difference[i] = qfrc_constraint[i] - d->qfrc_constraint[i];
  d->solver_fwdinv[0] = Norm(difference, nv);
  for (int i = 0; i < nv; ++i) difference[i] = d->qfrc_applied[i] + d->qfrc_actuator[i] - d->qfrc_inverse[i];
  XfrcAccumulate(m, d, difference);
  d->solver_fwdinv[1] = Norm(difference, nv);

  Copy(d->qfrc_constraint, qfrc_constraint, nv);
  Copy(d->efc_force, efc_force, d->nefc);
  std::copy_n(efc_state, d->nefc, d->efc_state);
}

}  // namespace sinew::inline step
