#include "constraint/body_forces.h"

#include "constraint/body_forces_kernel.h"
#include "constraint/contact_force.h"
#include "model/contact_exclude.h"
#include "model/view_of.h"

namespace sinew {
namespace {

using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

void AddContact(const Model& m, const Data& d, int id) {
  const mjContact& contact = d.raw()->contact[id];
  if (!contact_exclude::Pushes(contact) || contact.geom[0] < 0 || contact.geom[1] < 0) return;
  mjtNum local[6];
  ContactForce(m.raw(), d.raw(), id, local);
  AddContactForce(m, d, m.geom_bodyid(contact.geom[0]), m.geom_bodyid(contact.geom[1]), LoadMat3(contact.frame),
                  LoadVec3(contact.pos), local, true);
}

// Equality rows come first, grouped by equality.
void AddEqualities(const Model& m, const Data& d) {
  for (int row = 0; row < d.ne();) {
    const int id = d.efc_id(row), type = m.eq_type(id);
    if (type == mjEQ_CONNECT || type == mjEQ_WELD) AddEqualityForce(m, d, id, d.efc_force_data() + row, true);
    while (row < d.ne() && d.efc_id(row) == id) ++row;
  }
}

}  // namespace

void RnePostConstraint(const mjModel* model, mjData* data) {
  const Model m(model);
  const Data d(data);

  ApplyExternal(m, d);
  for (int id = 0; id < d.ncon(); ++id) AddContact(m, d, id);
  AddEqualities(m, d);
  BodyAccelerations(m, d);
  JointForces(m, d);
  d.flg_rnepost() = 1;
}

}  // namespace sinew
