#include "derivatives/base/step_linearization.h"

#include "inertia/acceleration_kernel.h"
#include "inertia/ldl_block.h"
#include "integrate/integrate.h"
#include "integrate/velocity_derivative/smooth.h"
#include "math/column_block.h"
#include "math/dense.h"

namespace sinew::inline derivatives {
namespace {

// The quaternion after a turn about one of its own axes; axis -1: no turn.
Quat<double> Turned(const Quat<double>& quat, int axis, double angle) {
  if (axis < 0) return quat;
  Vec3<double> turn = {0, 0, 0};
  turn[axis] = angle;
  return quat * ExpRotation(turn, 1.0);
}

// First dof of the rotation of a joint, -1 without one.
int RotationDof(const mjModel* m, int joint) {
  const int type = m->jnt_type[joint], dof = m->jnt_dofadr[joint];
  return type == mjJNT_FREE ? dof + 3 : type == mjJNT_BALL ? dof : -1;
}

// Where the quaternion of a joint stands in qpos.
int QuatAddress(const mjModel* m, int joint) {
  return m->jnt_qposadr[joint] + (m->jnt_type[joint] == mjJNT_FREE ? 3 : 0);
}

// X^-1 for a block of columns. The implicit integrator's matrix, which is not symmetric, takes them one by one.
void SolveImplicitBlock(const mjModel* m, const mjData* d, double* x, double* scratch) {
  if (m->opt.integrator != mjINT_IMPLICIT) return SolveLDLBlock(x, d->qH, d->qHDiagInv, InertiaPattern(m));
  for (int c = 0; c < kBlockColumns; ++c) {
    for (int i = 0; i < m->nv; ++i) scratch[i] = BlockRow(x, i)[c];
    SolveImplicit(m, d, scratch);
    for (int i = 0; i < m->nv; ++i) BlockRow(x, i)[c] = scratch[i];
  }
}

}  // namespace

void MoveDof(const mjModel* m, double* qpos, int dof, double step) {
  const int joint = m->dof_jntid[dof], rotation = RotationDof(m, joint);
  if (rotation < 0 || dof < rotation) {
    qpos[m->jnt_qposadr[joint] + dof - m->jnt_dofadr[joint]] += step;
    return;
  }
  double* quat = qpos + QuatAddress(m, joint);
  StoreQuat(Turned(Normalized(LoadQuat(quat)), dof - rotation, step), quat);
}

StepLinearization::StepLinearization(const mjModel* m, mjData* d, StackFrame& frame, const RowWeights* weights)
    : m_(m), d_(d), solution_(m, d, frame, weights) {
  const int nv = static_cast<int>(m->nv), nq = static_cast<int>(m->nq), nC = static_cast<int>(m->nC);
  qpos_ = frame.Doubles(nq);
  M_ = frame.Doubles(nC);
  next_qvel_ = frame.Doubles(nv);
  change_ = frame.Doubles(nv);
  nominal_.a = nominal_.b = frame.Doubles(nv);
  if (HasStepMatrix(m)) nominal_.b = frame.Doubles(nv);
  if (frame.full()) return;

  Copy(qpos_, d->qpos, nq);
  Copy(M_, d->M, nC);
  Copy(nominal_.a, d->qacc, nv);
  if (HasStepMatrix(m)) {
    for (int i = 0; i < nv; ++i) nominal_.b[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    FactorImplicit(m, d);
    SolveImplicit(m, d, nominal_.b);
  }
  for (int i = 0; i < nv; ++i) next_qvel_[i] = d->qvel[i] + m->opt.timestep * nominal_.b[i];
}

void StepLinearization::Solve(const double* force, const double* step, const Accelerations& change) const {
  const int nv = static_cast<int>(m_->nv);
  for (int i = 0; i < nv; ++i) change.a[i] = -force[i];
  solution_.Apply(change.a);
  if (same()) return Copy(change.b, change.a, nv);
  MulSymmetric<double>(change.b, M_, change.a, InertiaPattern(m_));
  for (int i = 0; step && i < nv; ++i) change.b[i] += step[i];
  SolveImplicit(m_, d_, change.b);
}

void StepLinearization::SolveBlock(double* force, double* step, double* scratch) const {
  const int nv = static_cast<int>(m_->nv), size = nv * kBlockColumns;
  for (int k = 0; k < size; ++k) force[k] = -force[k];
  solution_.ApplyBlock(force, scratch);
  if (same()) return;
  MulSymmetricBlock(scratch, M_, force, InertiaPattern(m_));
  for (int k = 0; k < size; ++k) step[k] += scratch[k];
  SolveImplicitBlock(m_, d_, step, scratch);
}

void StepLinearization::SolveTransposed(const double* change, double* force, double* step) const {
  const int nv = static_cast<int>(m_->nv);
  if (same()) {
    Copy(force, change, nv);
  } else {
    Copy(step, change, nv);
    SolveImplicitTransposed(m_, d_, step);
    MulSymmetric<double>(force, M_, step, InertiaPattern(m_));
  }
  solution_.Apply(force);
  for (int i = 0; i < nv; ++i) force[i] = -force[i];
}

void StepLinearization::SolveTransposedSolution(const double* change, double* force) const {
  const int nv = static_cast<int>(m_->nv);
  Copy(force, change, nv);
  solution_.Apply(force);
  for (int i = 0; i < nv; ++i) force[i] = -force[i];
}

void StepLinearization::StoreColumn(const Perturbation& p, const double* change, double* matrix, int columns,
                                    int column) const {
  const int nv = static_cast<int>(m_->nv);
  const double width = p.above - p.below;
  for (int i = 0; i < nv; ++i) change_[i] = m_->opt.timestep * change[i];
  if (p.velocity >= 0) change_[p.velocity] += width;
  for (int i = 0; i < nv; ++i) {
    if (change_[i] != 0) matrix[static_cast<ptrdiff_t>(nv + i) * columns + column] = change_[i] / width;
  }
  StorePositions(p, matrix, columns, column);
}

// Numbers change by  dq' = dq + h dv';  quaternions at both ends of the perturbation are compared.
void StepLinearization::StorePositions(const Perturbation& p, double* matrix, int columns, int column) const {
  const double h = m_->opt.timestep, width = p.above - p.below;
  const auto store = [&](int dof, double value) {
    if (value != 0) matrix[static_cast<ptrdiff_t>(dof) * columns + column] = value / width;
  };
  for (int joint = 0; joint < m_->njnt; ++joint) {
    const int rotation = RotationDof(m_, joint), first = m_->jnt_dofadr[joint];
    const int end = rotation >= 0 ? rotation : first + 1;
    for (int dof = first; dof < end; ++dof) store(dof, h * change_[dof] + (dof == p.position ? width : 0));
    if (rotation < 0) continue;

    const Vec3<double> turn = LoadVec3(change_ + rotation);
    const bool perturbed = p.position >= rotation && p.position < rotation + 3;
    if (!perturbed && Dot(turn, turn) == 0) continue;
    const int axis = perturbed ? p.position - rotation : -1;
    const Quat<double> start = Normalized(LoadQuat(qpos_ + QuatAddress(m_, joint)));
    const auto end_of = [&](double at) {
      const Vec3<double> spin = LoadVec3(next_qvel_ + rotation) + turn * (at / width);
      return Turned(start, axis, at) * ExpRotation(spin, h);
    };
    const Vec3<double> difference = RotationVector(Conjugate(end_of(p.below)) * end_of(p.above));
    for (int k = 0; k < 3; ++k) store(rotation + k, difference[k]);
  }
}

}  // namespace sinew::inline derivatives
