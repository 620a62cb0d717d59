#include "constraint/body_forces.h"

#include "constraint/contact_force.h"
#include "constraint/equality_pose.h"
#include "inertia/rne_kernel.h"
#include "kinematics/apply_kernel.h"
#include "math/mat3.h"
#include "model/contact_exclude.h"

namespace sinew {
namespace {

using Vector = Vec3<mjtNum>;
using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

// Adds sign * (force at a point, torque) to the external wrench of a body; the world's stays zero.
void AddExternal(const Model& m, const Data& d, int body, mjtNum sign, const Vector& force, const Vector& torque,
                 const Vector& point) {
  if (body > 0) d.cfrc_ext(body) += WrenchAt(m, d, force, torque, point, body) * sign;
}

void AddApplied(const Model& m, const Data& d) {
  d.cfrc_ext(0) = ZeroSpatial<mjtNum>();
  for (int b = 1; b < m.nbody(); ++b) {
    const mjtNum* row = d.xfrc_applied_data() + 6 * b;
    d.cfrc_ext(b) = WrenchAt(m, d, LoadVec3(row), LoadVec3(row + 3), d.xipos(b), b);
  }
}

// A contact pushes its second geom along the normal, and its first the other way.
void AddContact(const Model& m, const Data& d, int id) {
  const mjContact& contact = d.raw()->contact[id];
  if (!contact_exclude::Pushes(contact) || contact.geom[0] < 0 || contact.geom[1] < 0) return;
  mjtNum local[6];
  ContactForce(m.raw(), d.raw(), id, local);

  // the rows of the frame are its axes
  const Mat3<mjtNum> frame = LoadMat3(contact.frame);
  const Vector force = MulTransposed(frame, LoadVec3(local)), torque = MulTransposed(frame, LoadVec3(local + 3));
  const Vector point = LoadVec3(contact.pos);
  AddExternal(m, d, m.geom_bodyid(contact.geom[0]), -1, force, torque, point);
  AddExternal(m, d, m.geom_bodyid(contact.geom[1]), 1, force, torque, point);
}

// A weld's last three forces act on the sine of half the relative angle; taken as a torque in the world, as documented
// results have it, they are exact only to first order.
void AddEquality(const Model& m, const Data& d, int id, const mjtNum* row_force) {
  const bool weld = m.eq_type(id) == mjEQ_WELD;
  const EqualityPose pose = weld ? WeldPose(m.raw(), d.raw(), id) : ConnectPose(m.raw(), d.raw(), id);
  const Vector force = LoadVec3(row_force), torque = weld ? LoadVec3(row_force + 3) : Zero3<mjtNum>();
  AddExternal(m, d, pose.body[0], 1, force, torque, pose.point[0]);
  AddExternal(m, d, pose.body[1], -1, force, torque, pose.point[1]);
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

  // external wrenches
  AddApplied(m, d);
  for (int id = 0; id < d.ncon(); ++id) AddContact(m, d, id);
  AddEqualities(m, d);

  // outward: accelerations, and what the joint must supply beyond the external wrench
  d.cacc(0) = WorldAcceleration(m);
  d.cfrc_int(0) = ZeroSpatial<mjtNum>();
  for (int b = 1; b < m.nbody(); ++b) {
    d.cacc(b) = BodyAcceleration(m, d, b, true, d.cacc(m.body_parentid(b)));
    d.cfrc_int(b) = BodyForce(d.cinert(b), d.cvel(b), d.cacc(b)) - d.cfrc_ext(b);
  }

  // inward: a joint carries all bodies behind it
  for (int b = m.nbody() - 1; b > 0; --b) d.cfrc_int(m.body_parentid(b)) += d.cfrc_int(b);
  d.flg_rnepost() = 1;
}

}  // namespace sinew
