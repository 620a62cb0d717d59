#include "constraint/body_forces.h"

#include "constraint/body_forces_kernel.h"
#include "constraint/contact_force.h"
#include "constraint/equality_pose.h"
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

// A weld's last three forces act on the sine of half the relative angle; taken as a torque in the world, as documented
// results have it, they are exact only to first order.
void AddEquality(const Model& m, const Data& d, int id, const mjtNum* row_force) {
  const bool weld = m.eq_type(id) == mjEQ_WELD;
  const EqualityPose pose = weld ? WeldPose(m.raw(), d.raw(), id) : ConnectPose(m.raw(), d.raw(), id);
  const Vec3<mjtNum> force = LoadVec3(row_force), torque = weld ? LoadVec3(row_force + 3) : Zero3<mjtNum>();
  AddExternal(m, d, pose.body[0], 1, PointWrench<mjtNum>{force, torque, pose.point[0], true});
  AddExternal(m, d, pose.body[1], -1, PointWrench<mjtNum>{force, torque, pose.point[1], true});
}

// Equality rows come first, grouped by equality.
void AddEqualities(const Model& m, const Data& d) {
  for (int row = 0; row < d.ne();) {
    const int id = d.efc_id(row), type = m.eq_type(id);
    if (type == mjEQ_CONNECT || type == mjEQ_WELD) AddEquality(m, d, id, d.efc_force_data() + row);
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
