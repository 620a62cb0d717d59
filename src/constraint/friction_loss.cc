// Rows of dry friction in dofs and tendons: they hold the velocity at zero, with a force of at most the loss. With the
// integrator `discrete`, also rows of what resists changes of velocity along tendons over branches.
#include <algorithm>

#include "constraint/kinds.h"
#include "constraint/metric_row.h"
#include "constraint/tendon_row.h"
#include "force/polynomial_kernel.h"
#include "inertia/inertia.h"
#include "model/kinds/integrator.h"
#include "model/kinds/spring_law.h"
#include "model/state/awake.h"
#include "model/view/model_view.h"

namespace sinew::inline constraint {
namespace {

RowParameters FrictionParameters(mjtConstraint type, int id, double loss, double weight) {
  RowParameters parameters;
  parameters.type = type;
  parameters.id = id;
  parameters.pos[0] = parameters.distance = 0;
  parameters.weight[0] = weight;
  parameters.frictionloss = loss;
  return parameters;
}

bool HasActuator(const mjModel* m, int tendon) {
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon) return true;
  }
  return false;
}

}  // namespace

void AddDofFriction(RowBuilder& build) {
  const mjModel* m = build.model();
  for (int dof = 0; dof < m->nv; ++dof) {
    if (m->dof_frictionloss[dof] == 0 || IsAsleep(m, build.data(), mjOBJ_BODY, m->dof_bodyid[dof])) continue;
    RowBlock rows;
    if (!build.Open(1, 1, &dof, &rows)) continue;
    rows(0, 0) = 1;
    RowParameters parameters =
        FrictionParameters(mjCNSTR_FRICTION_DOF, dof, m->dof_frictionloss[dof], m->dof_invweight0[dof]);
    parameters.solref = m->dof_solref + mjNREF * dof;
    parameters.solimp = m->dof_solimp + mjNIMP * dof;
    build.Close(rows, parameters);
  }
}

void AddTendonFriction(RowBuilder& build) {
  const mjModel* m = build.model();
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    const double loss = m->tendon_frictionloss[tendon];
    if (!(loss > 0) || IsAsleep(m, build.data(), mjOBJ_TENDON, tendon)) continue;
    RowBlock rows;
    if (!OpenTendonRow(build, tendon, 1, &rows)) continue;
    RowParameters parameters = FrictionParameters(mjCNSTR_FRICTION_TENDON, tendon, loss, m->tendon_invweight0[tendon]);
    parameters.solref = m->tendon_solref_fri + mjNREF * tendon;
    parameters.solimp = m->tendon_solimp_fri + mjNIMP * tendon;
    build.Close(rows, parameters);
  }
}

void AddTendonMetricRows(RowBuilder& build) {
  const mjModel* m = build.model();
  if (!IsDiscrete(m)) return;
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    if (!HasMetricRow(m, tendon) || IsAsleep(m, build.data(), mjOBJ_TENDON, tendon)) continue;
    RowBlock rows;
    if (!OpenTendonRow(build, tendon, 1, &rows)) continue;
    RowParameters parameters =
        FrictionParameters(mjCNSTR_FRICTION_TENDON, tendon, kMetricLoss, m->tendon_invweight0[tendon]);
    parameters.solref = m->tendon_solref_fri + mjNREF * tendon;
    parameters.solimp = m->tendon_solimp_fri + mjNIMP * tendon;
    build.Close(rows, parameters);
  }
}

// A tendon's row adds weight / 2 (J a)^2 to the cost, a flex's 1/2 (J a + rate J v)^2.
void SetMetricRows(const mjModel* m, mjData* d, const double* slope) {
  for (int row = d->ne; row < d->ne + d->nf; ++row) {
    if (!IsMetricRow(d, row)) continue;
    const int tendon = d->efc_id[row];
    d->efc_D[row] = tendon >= 0 ? std::max(mjMINVAL, m->opt.timestep * slope[tendon]) : 1;
    d->efc_R[row] = 1 / d->efc_D[row];
    d->efc_aref[row] = tendon >= 0 ? 0 : -d->efc_margin[row] * d->efc_vel[row];
  }
}

bool HasMetricRow(const mjModel* m, int tendon) {
  const int adr = m->ten_J_rowadr[tendon];
  if (IsCoupledByInertia(m, m->ten_J_colind + adr, m->ten_J_rownnz[tendon])) return false;
  const ModelView<double> model(m);
  if (!TendonStiffness(model, tendon).IsZero() || !TendonDamping(model, tendon).IsZero()) return true;
  if (SpringLaws(m).OfTendon(tendon)) return true;
  return HasActuator(m, tendon);
}

}  // namespace sinew::inline constraint
