#include "constraint/body_forces.h"

#include "constraint/body_forces_kernel.h"
#include "constraint/contact_force.h"
#include "constraint/tendon_pulls.h"
#include "core/stack.h"
#include "kinematics/contact_carriers.h"
#include "kinematics/slider_crank_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "model/kinds/contact_exclude.h"
#include "model/view/view_of.h"

namespace sinew::inline constraint {
namespace {

using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

// Sides of a flex are carried by several bodies, each with its share.
void AddFlexContact(const Model& m, const Data& d, const mjContact& contact, const mjtNum* local) {
  StackFrame frame(d.raw());
  const Mat3<mjtNum> axes = LoadMat3(contact.frame);
  const Vec3<mjtNum> force = MulTransposed(axes, LoadVec3(local)), torque = MulTransposed(axes, LoadVec3(local + 3));
  for (const WeightedBody& side : ContactCarriers(m.raw(), d.raw(), contact, frame)) {
    AddExternal(m, d, side.body, side.weight, PointWrench<mjtNum>{force, torque, LoadVec3(contact.pos), true});
  }
}

void AddContact(const Model& m, const Data& d, int id) {
  const mjContact& contact = d.raw()->contact[id];
  if (!contact_exclude::Pushes(contact)) return;
  mjtNum local[6];
  ContactForce(m.raw(), d.raw(), id, local);
  if (contact.geom[0] < 0 || contact.geom[1] < 0) return AddFlexContact(m, d, contact, local);
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

// ---- actuators that act on bodies; those of joints and fixed tendons act inside joints

// A wrench at a site; with a reference site, along its axes, and the opposite there. The reaction to a servo's force is
// at the site (kinematics/transmission.cc).
void AddSiteActuator(const Model& m, const Data& d, int actuator, mjtNum scale) {
  const int site = m.actuator_trnid(actuator)[0], reference = m.actuator_trnid(actuator)[1];
  const Vec3<mjtNum> point = d.site_xpos(site);
  const Spatial<mjtNum> gear = GearInWorld(m, d, actuator);
  const PointWrench<mjtNum> wrench = {gear.lin * scale, gear.rot * scale, point, true};
  AddExternal(m, d, m.site_bodyid(site), 1, wrench);
  if (reference < 0) return;
  const Vec3<mjtNum> other = UsesLength(m, actuator) ? point : Vec3<mjtNum>(d.site_xpos(reference));
  AddExternal(m, d, m.site_bodyid(reference), -1, PointWrench<mjtNum>{wrench.force, wrench.torque, other, true});
}

// The gradient of the length by the crank's place is a force there, that by the axis a torque on the slider.
void AddSliderCrank(const Model& m, const Data& d, int actuator, mjtNum force) {
  const int crank = m.actuator_trnid(actuator)[0], slider = m.actuator_trnid(actuator)[1];
  const Vec3<mjtNum> axis = d.site_xmat(slider).Column(2), from = d.site_xpos(slider), to = d.site_xpos(crank);
  const SliderCrank<mjtNum> at = SolveSliderCrank(axis, to - from, m.actuator_cranklength(actuator));
  const mjtNum scale = force * m.actuator_gear(actuator)[0];
  const Vec3<mjtNum> push = at.gradient_d * scale, turn = Cross(axis, at.gradient_a) * scale;
  AddExternal(m, d, m.site_bodyid(crank), 1, PointWrench<mjtNum>{push, {}, to, true});
  AddExternal(m, d, m.site_bodyid(slider), -1, PointWrench<mjtNum>{push, -turn, from, true});
}

// Adhesion pulls equally along the normals of a body's contacts.
void AddAdhesion(const Model& m, const Data& d, int actuator, mjtNum force) {
  const int body = m.actuator_trnid(actuator)[0];
  int count = 0;
  for (int c = 0; c < d.ncon(); ++c) count += IsAdhesive(m, d.raw()->contact[c], body);
  for (int c = 0; c < d.ncon(); ++c) {
    const mjContact& contact = d.raw()->contact[c];
    if (!IsAdhesive(m, contact, body)) continue;
    const Vec3<mjtNum> pull = LoadVec3(contact.frame) * (force / count);
    const PointWrench<mjtNum> wrench = {pull, {}, LoadVec3(contact.pos), true};
    AddExternal(m, d, m.geom_bodyid(contact.geom[0]), 1, wrench);
    AddExternal(m, d, m.geom_bodyid(contact.geom[1]), -1, wrench);
  }
}

void AddActuators(const Model& m, const Data& d) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  for (int i = 0; i < m.nu(); ++i) {
    const mjtNum force = d.actuator_force(i);
    if (force == 0) continue;
    switch (m.actuator_trntype(i)) {
      case mjTRN_SITE:
        AddSiteActuator(m, d, i, force);
        break;
      case mjTRN_SLIDERCRANK:
        AddSliderCrank(m, d, i, force);
        break;
      case mjTRN_BODY:
        AddAdhesion(m, d, i, force);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void RnePostConstraint(const mjModel* model, mjData* data) {
  const Model m(model);
  const Data d(data);

  ApplyExternal(m, d);
  for (int id = 0; id < d.ncon(); ++id) AddContact(m, d, id);
  AddEqualities(m, d);
  AddPassiveWrenches(m, d);
  AddActuators(m, d);
  AddTendonPulls(model, data);
  BodyAccelerations(m, d);
  JointForces(m, d);
  d.flg_rnepost() = 1;
}

}  // namespace sinew::inline constraint
