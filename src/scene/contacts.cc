// Contacts with their forces, and the points that equalities hold together.
#include <algorithm>
#include <cstdio>
#include <string>

#include "constraint/contact_force.h"
#include "constraint/equality_pose.h"
#include "model/kinds/names.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

constexpr double kContactFrameScale = 0.5;

// One side of a contact: the name of its geom, or of the part of its flex.
std::string SideName(const mjModel* m, const mjContact& contact, int side) {
  const bool is_geom = contact.geom[side] >= 0;
  const int id = is_geom ? contact.geom[side] : contact.flex[side];
  const char* name = Id2Name(*m, is_geom ? mjOBJ_GEOM : mjOBJ_FLEX, id);
  std::string text = name ? name : is_geom ? "g" : "f";
  if (!name) text += std::to_string(id);
  if (is_geom) return text;
  const bool is_element = contact.elem[side] >= 0;
  text += is_element ? ".e" : ".v";
  text += std::to_string(is_element ? contact.elem[side] : contact.vert[side]);
  return text;
}

// Order number of what a side belongs to: flexes come after the bodies.
int SideBody(const mjModel* m, const mjContact& contact, int side) {
  return contact.geom[side] >= 0 ? m->geom_bodyid[contact.geom[side]] : static_cast<int>(m->nbody) + contact.flex[side];
}

// Frame with the normal as z axis.
Mat NormalUp(const mjContact& contact) {
  return FromColumns(LoadVec3(contact.frame + 3), LoadVec3(contact.frame + 6), LoadVec3(contact.frame));
}

// A disc, thick enough to reach through the overlap.
void AddPoint(SceneBuilder& s, int id, const mjContact& contact) {
  const auto& vis = s.m->vis;
  const double radius = s.Scaled(vis.scale.contactwidth);
  const double height = std::max(s.Scaled(vis.scale.contactheight), -contact.dist / 2);
  mjvGeom geom = s.Shape(Decor(id), mjGEOM_CYLINDER, {radius, height, 0}, LoadVec3(contact.pos), NormalUp(contact),
                         contact.efc_address >= 0 ? vis.rgba.contactpoint : vis.rgba.contactgap);
  if (s.Labels(mjLABEL_CONTACTPOINT)) {
    std::snprintf(geom.label, sizeof(geom.label), "%s | %s", SideName(s.m, contact, 0).c_str(),
                  SideName(s.m, contact, 1).c_str());
  }
  s.Push(geom);
}

// Adds an arrow whose length is the force times a length per weight, so that heavy and light models show alike; its
// label is in newtons.
void PushForce(SceneBuilder& s, int id, int type, const mjContact& contact, const Vec& force, const float* rgba) {
  const double length = static_cast<double>(s.m->vis.map.force) / s.m->stat.meanmass;
  const Vec from = LoadVec3(contact.pos);
  mjvGeom geom = s.Connector(Decor(id), type, s.Scaled(s.m->vis.scale.forcewidth), from, from + force * length, rgba);
  if (s.Labels(mjLABEL_CONTACTFORCE)) std::snprintf(geom.label, sizeof(geom.label), "%-.3g", Norm(force));
  s.Push(geom);
}

// Forces point towards the side with the higher number.
void AddForce(SceneBuilder& s, int id, const mjContact& contact) {
  double wrench[6];
  ContactForce(s.m, s.d, id, wrench);
  const int body1 = SideBody(s.m, contact, 0), body2 = SideBody(s.m, contact, 1);
  const double sign = body1 > body2 ? -1 : 1;
  const Mat frame = LoadMat3(contact.frame);  // rows are the axes
  const Vec local = LoadVec3(wrench) * sign;
  if (s.Shows(mjVIS_CONTACTSPLIT)) {
    PushForce(s, id, mjGEOM_ARROW, contact, MulTransposed(frame, {local.x, 0, 0}), s.m->vis.rgba.contactforce);
    PushForce(s, id, mjGEOM_ARROW, contact, MulTransposed(frame, {0, local.y, local.z}), s.m->vis.rgba.contactfriction);
    return;
  }
  PushForce(s, id, body1 > 0 && body2 > 0 ? mjGEOM_ARROW2 : mjGEOM_ARROW, contact, MulTransposed(frame, local),
            s.m->vis.rgba.contactforce);
}

// Adds both ends of the constraint, each in its own colour: where they lie apart, the constraint is violated.
void AddEquality(SceneBuilder& s, int id) {
  const EqualityPose pose = s.m->eq_type[id] == mjEQ_CONNECT ? ConnectPose(s.m, s.d, id) : WeldPose(s.m, s.d, id);
  const double radius = s.Scaled(s.m->vis.scale.constraint);
  const float* colors[2] = {s.m->vis.rgba.connect, s.m->vis.rgba.constraint};
  for (int side = 0; side < 2; ++side) {
    mjvGeom geom = s.Shape(Decor(id, mjOBJ_EQUALITY), mjGEOM_SPHERE, {radius, radius, radius}, pose.point[side],
                           s.data.xmat(pose.body[side]), colors[side]);
    if (s.Labels(mjLABEL_CONSTRAINT)) s.Name(&geom, mjOBJ_EQUALITY, id);
    s.Push(geom);
  }
}

}  // namespace

void AddEqualities(SceneBuilder& s) {
  if (!s.Shows(mjVIS_CONSTRAINT)) return;
  for (int id = 0; id < s.m->neq; ++id) {
    const int type = s.m->eq_type[id];
    if (s.d->eq_active[id] && (type == mjEQ_CONNECT || type == mjEQ_WELD)) AddEquality(s, id);
  }
}

void AddContacts(SceneBuilder& s) {
  for (int id = 0; id < s.d->ncon; ++id) {
    const mjContact& contact = s.d->contact[id];
    if (s.Shows(mjVIS_CONTACTPOINT)) AddPoint(s, id, contact);
    if (s.Frames(mjFRAME_CONTACT)) {
      s.PushFrame(Decor(id), LoadVec3(contact.pos), Transpose(LoadMat3(contact.frame)), kContactFrameScale);
    }
    if (s.Shows(mjVIS_CONTACTFORCE) && contact.efc_address >= 0) AddForce(s, id, contact);
  }
}

}  // namespace sinew::inline scene
