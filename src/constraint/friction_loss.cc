// Rows of dry friction in dofs and tendons: they hold the velocity at zero, with a force of at most the loss.
#include "constraint/kinds.h"
#include "constraint/tendon_row.h"
#include "model/awake.h"

namespace sinew {
namespace {

RowLaw FrictionLaw(mjtConstraint type, int id, double loss, double weight) {
  RowLaw law;
  law.type = type;
  law.id = id;
  law.pos[0] = law.distance = 0;
  law.weight[0] = weight;
  law.frictionloss = loss;
  return law;
}

}  // namespace

void AddDofFriction(RowBuilder& build) {
  const mjModel* m = build.model();
  for (int dof = 0; dof < m->nv; ++dof) {
    if (m->dof_frictionloss[dof] == 0 || IsAsleep(m, build.data(), mjOBJ_BODY, m->dof_bodyid[dof])) continue;
    RowBlock rows;
    if (!build.Open(1, 1, &dof, &rows)) continue;
    rows(0, 0) = 1;
    RowLaw law = FrictionLaw(mjCNSTR_FRICTION_DOF, dof, m->dof_frictionloss[dof], m->dof_invweight0[dof]);
    law.solref = m->dof_solref + mjNREF * dof;
    law.solimp = m->dof_solimp + mjNIMP * dof;
    build.Close(rows, law);
  }
}

void AddTendonFriction(RowBuilder& build) {
  const mjModel* m = build.model();
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    const double loss = m->tendon_frictionloss[tendon];
    if (!(loss > 0) || IsAsleep(m, build.data(), mjOBJ_TENDON, tendon)) continue;
    RowBlock rows;
    if (!OpenTendonRow(build, tendon, 1, &rows)) continue;
    RowLaw law = FrictionLaw(mjCNSTR_FRICTION_TENDON, tendon, loss, m->tendon_invweight0[tendon]);
    law.solref = m->tendon_solref_fri + mjNREF * tendon;
    law.solimp = m->tendon_solimp_fri + mjNIMP * tendon;
    build.Close(rows, law);
  }
}

}  // namespace sinew
