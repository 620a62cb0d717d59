// Rows of dry friction in dofs and tendons: they hold the velocity at zero, with a force of at most the loss.
#include "constraint/kinds.h"
#include "constraint/tendon_row.h"
#include "model/awake.h"

namespace sinew {
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

}  // namespace sinew
