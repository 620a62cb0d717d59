#include "integrate/integrate.h"

#include "core/stack.h"
#include "integrate/euler_kernel.h"
#include "integrate/midpoint_kernel.h"
#include "integrate/position_kernel.h"

namespace sinew::inline integrate {

bool MayHaveImplicitDamping(const mjModel* m) {
  return m->opt.integrator == mjINT_EULER && !(m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER));
}

bool HasImplicitDamping(const mjModel* m) {
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return false;
  for (int i = 0; i < m->nv; ++i) {
    const mjtNum* higher = m->dof_dampingpoly + mjNPOLY * i;
    const bool has_actuator = m->jnt_actuatorid[m->dof_jntid[i]] != -1;
    if (m->dof_damping[i] > 0 || higher[0] != 0 || higher[1] != 0 || has_actuator) return true;
  }
  return false;
}

bool HasStepMatrix(const mjModel* m) {
  if (m->opt.integrator == mjINT_EULER) return HasImplicitDamping(m);
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

bool UsesMidpointRule(const mjModel* m) {
  if (m->opt.integrator == mjINT_EULER || (m->opt.enableflags & mjENBL_INVDISCRETE)) return false;
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (IsFreeAssembly(ModelView<double>(m), joint)) return true;
  }
  return false;
}

void EulerAcceleration(const mjModel* m, mjData* d, bool reuse_factors, double* acceleration) {
  StackFrame frame(d);
  EulerAcceleration<double>(m, d, reuse_factors, frame.Alloc<Spatial<double>>(m->nv), acceleration);
}

void IntegratePos(const mjModel* m, double* qpos, const double* qvel, double dt) {
  IntegratePos<double>(ModelView<double>(m), qpos, qvel, dt);
}

void DifferentiatePos(const mjModel* m, double* qvel, double dt, const double* qpos1, const double* qpos2) {
  DifferentiatePos<double>(ModelView<double>(m), qvel, dt, qpos1, qpos2);
}

void NormalizeQuat(const mjModel* m, double* qpos) { NormalizeQuat<double>(ModelView<double>(m), qpos); }

}  // namespace sinew::inline integrate
