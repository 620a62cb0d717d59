#include "gradient/tendon_rows.h"

#include <algorithm>

#include "force/passive_kernel.h"
#include "force/spring_kernel.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"
#include "linearization/balance.h"

namespace sinew {
namespace {

using Model = ModelView<double>;

// Whether dof j moves a body.
bool Moves(const mjModel* m, int j, int body) {
  const int mover = m->body_weldid[body];
  if (m->body_dofnum[mover] == 0) return false;
  int i = m->body_dofadr[mover] + m->body_dofnum[mover] - 1;
  while (i > j) i = m->dof_parentid[i];
  return i == j;
}

// Makes the velocities of bodies and the rates of axes those that dof j causes at unit speed.
void SetUnitMotion(const mjModel* m, mjData* d, int j) {
  const DataView<double> data(d);
  for (int b = 0; b < m->nbody; ++b) data.cvel(b) = Moves(m, j, b) ? data.cdof(j) : ZeroSpatial<double>();
  for (int i = 0; i < m->nv; ++i) {
    const int joint = m->dof_jntid[i];
    const bool free = m->jnt_type[joint] == mjJNT_FREE && i < m->jnt_dofadr[joint] + 3;
    const bool moved = i != j && !free && Moves(m, j, m->dof_bodyid[i]) && j < i;
    data.cdof_dot(i) = moved ? CrossMotion(data.cdof(j), data.cdof(i)) : ZeroSpatial<double>();
  }
}

// A row changes with time by sum_j (dJ/dq_j) v_j, which the kinematics of tendons compute from velocities: those that
// one dof causes give one column. Velocities are restored.
std::vector<double> TurnOf(const mjModel* m, mjData* d, int tendon) {
  const int count = m->ten_J_rownnz[tendon];
  const int* dof = m->ten_J_colind + m->ten_J_rowadr[tendon];
  std::vector<double> turn(static_cast<size_t>(count * count)), dot(static_cast<size_t>(m->nv));
  const std::vector<double> cvel(d->cvel, d->cvel + 6 * m->nbody), cdof_dot(d->cdof_dot, d->cdof_dot + 6 * m->nv);
  for (int j = 0; j < count; ++j) {
    SetUnitMotion(m, d, dof[j]);
    TendonDot(m, d, tendon, dot.data());
    for (int i = 0; i < count; ++i) turn[static_cast<size_t>(i * count + j)] = dot[static_cast<size_t>(dof[i])];
  }
  std::copy(cvel.begin(), cvel.end(), d->cvel);
  std::copy(cdof_dot.begin(), cdof_dot.end(), d->cdof_dot);
  return turn;
}

}  // namespace

TendonRows::TendonRows(const mjModel* m, mjData* d) : m_(m), d_(d), turn_(static_cast<size_t>(m->ntendon)) {
  for (int t = 0; t < m->ntendon; ++t) {
    if (!IsFixedTendon(Model(m), t)) turn_[static_cast<size_t>(t)] = TurnOf(m, d, t);
  }
}

void AddTendonColumns(const mjModel* model, const mjData* d, const TendonRows& rows, const BalancePoint& at,
                      BalanceColumns& out) {
  const Model m(model);
  const DataView<double> data(const_cast<mjData*>(d));
  if (PassiveDisabled(model)) return;
  const bool implicit = at.HasStep() && model->opt.integrator != mjINT_EULER && model->opt.integrator != mjINT_RK4;
  for (int t = 0; t < m.ntendon(); ++t) {
    const Polynomial<double> stiffness = TendonStiffness(m, t), damping = TendonDamping(m, t);
    ChannelForce force;
    if (!stiffness.IsZero() && !(model->opt.disableflags & mjDSBL_SPRING)) {
      const double x = TendonDisplacement(m, data, t);
      force.f += SpringForce(stiffness, x);
      if (x != 0) force.f_length = -stiffness.Slope(x);
    }
    if (!damping.IsZero() && !(model->opt.disableflags & mjDSBL_DAMPER)) {
      const double v = d->ten_velocity[t];
      force.f += DamperForce(damping, v);
      force.f_velocity = force.g = -DamperSlope(damping, v);
      force.g_velocity = -(v < 0 ? -1 : 1) * (2 * damping.c1 + 6 * damping.c2 * Abs(v));
    }
    if (force.f == 0 && force.f_length == 0 && force.f_velocity == 0) continue;
    AddChannel(rows[t], force, d->qvel, model->opt.timestep, implicit, at, StateSizes(model), out);
  }
}

}  // namespace sinew
