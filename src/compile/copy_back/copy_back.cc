// Takes numbers of a model back into its specification: options, and the tree. Model arrays are in radians and in body
// frames; elements may be in degrees and in frames, so poses and angles are converted.
#include "compile/copy_back/copy_back.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile/copy_back/signature.h"
#include "compile/rows.h"
#include "compile/tree/geom.h"
#include "compile/tree/placement.h"
#include "compile/tree/shape.h"
#include "core/error.h"
#include "math/scalar.h"
#include "spec/orientation.h"
#include "spec/traverse.h"

namespace sinew::inline compile {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Pose PoseOf(const mjtNum* pos, const mjtNum* quat) { return {LoadVec3(pos), LoadQuat(quat)}; }

// Gives an element the pose that puts it there in its body, as position and quaternion.
template <class T>
void Place(const Pose& in_body, T& element) {
  const Pose own = element.frame ? Inverse(InBody(element.frame, {})) * in_body : in_body;
  StoreVec3(own.pos, element.pos);
  StoreQuat(own.quat, element.quat);
  element.alt.type = mjORIENTATION_QUAT;
}

// Unchanged statistics stay automatic.
void CopyStatistics(const mjStatistic& now, const mjStatistic& computed, mjStatistic* given) {
  const auto copy = [](mjtNum value, mjtNum before, mjtNum* to) {
    if (value != before) *to = value;
  };
  copy(now.meaninertia, computed.meaninertia, &given->meaninertia);
  copy(now.meanmass, computed.meanmass, &given->meanmass);
  copy(now.meansize, computed.meansize, &given->meansize);
  copy(now.extent, computed.extent, &given->extent);
  if (!std::equal(now.center, now.center + 3, computed.center)) std::copy_n(now.center, 3, given->center);
}

// ---- bodies

// A free body stands where its joint has it in the reference configuration.
Pose BodyPose(const mjModel& m, int id) {
  const int joint = m.body_jntadr[id];
  if (joint < 0 || m.jnt_type[joint] != mjJNT_FREE) return PoseOf(m.body_pos + 3 * id, m.body_quat + 4 * id);
  const mjtNum* qpos0 = m.qpos0 + m.jnt_qposadr[joint];
  return PoseOf(qpos0, qpos0 + 3);
}

// Whether the model does not say where a geom stands: it was discarded, or fitted to a mesh.
bool HasNoPlace(const Geom& geom) { return geom.id < 0 || (!HasMeshShape(geom.type) && !geom.meshname->empty()); }

void MoveGeom(const Pose& by, Geom& geom) {
  Shape shape = {geom.type, LoadVec3(geom.size)};
  Pose pose = {LoadVec3(geom.pos), Orientation(geom.quat, geom.alt, geom.compiler())};
  ResolveFromTo(geom.fromto, shape, pose);
  StoreVec3(shape.size, geom.size);
  geom.fromto[0] = kNaN;
  Place(by * InBody(geom.frame, pose), geom);
}

// The frame of an aligned body becomes that of its inertia: what the model places, it places there; the rest is moved.
void AlignRest(Body& body) {
  const Pose back = Inverse(PoseOf(body.compiled.own.pos, body.compiled.own.quat));
  for (auto& geom : body.geoms) {
    if (HasNoPlace(*geom)) MoveGeom(back, *geom);
  }
  body.compiled.is_aligned = false;
}

void GiveInertia(const Body::Inertia& inertia, Body& body) {
  body.mass = inertia.mass;
  std::copy_n(inertia.pos, 3, body.ipos);
  std::copy_n(inertia.quat, 4, body.iquat);
  std::copy_n(inertia.moments, 3, body.inertia);
  body.ialt.type = mjORIENTATION_QUAT;
  body.fullinertia[0] = kNaN;
}

// Bodies that were fused with another one, and those that were fused with them.
void EmptyFused(Body& body) {
  for (auto& child : body.bodies) {
    if (child->id >= 0) continue;
    child->explicitinertial = 1;
    GiveInertia({}, *child);
    child->compiled.own = {};
    EmptyFused(*child);
  }
}

// The inertia of the model, which is that of the body unless others were fused with it: then it stays what it was, and
// where a program has changed the sum, the body takes all of it.
void CopyInertia(const mjModel& m, Body& body) {
  const int id = body.id;
  Body::Inertia now;
  now.mass = m.body_mass[id];
  GetRow(m.body_inertia, id, now.moments);
  GetRow(m.body_ipos, id, now.pos);
  GetRow(m.body_iquat, id, now.quat);
  const bool is_changed = !(now == body.compiled.of_model);
  const bool is_aligned = body.compiled.is_aligned;
  if (is_aligned) AlignRest(body);
  const bool has_fused =
      std::any_of(body.bodies.begin(), body.bodies.end(), [](const auto& child) { return child->id < 0; });
  if (!is_changed && has_fused) return;

  // Masses are scaled again when the specification is compiled again.
  body.compiled.of_model = now;
  now.mass /= body.compiled.mass_scale;
  for (double& moment : now.moments) moment /= body.compiled.mass_scale;
  if (has_fused && body.compiled.is_given) EmptyFused(body);
  body.compiled.own = now;
  if (body.compiled.is_given) GiveInertia(now, body);
}

void CopyBody(const mjModel& m, Body& body) {
  const int id = body.id;
  // Where a body in between was fused with its parent, poses are not those of the specification.
  const bool same_parent = body.parent && m.body_parentid[id] == body.parent->id;
  if (same_parent) Place(BodyPose(m, id), body);
  body.gravcomp = m.body_gravcomp[id];
  GetUser(m.body_user, id, m.nuser_body, *body.userdata);
  CopyInertia(m, body);
}

// ---- joints

// Ranges of slides are in metres; those of hinges and balls are angles.
void CopyAngles(const mjModel& m, Joint& joint) {
  const bool is_scalar = joint.type == mjJNT_HINGE || joint.type == mjJNT_SLIDE;
  const double unit = joint.compiler().degree ? 180 / kPi : 1;
  const bool limits_angle = m.jnt_limited[joint.id] && joint.type != mjJNT_SLIDE;
  GetRow(m.jnt_range, joint.id, joint.range);
  for (double& bound : joint.range) bound *= limits_angle ? unit : 1;
  if (!is_scalar) return;
  const int adr = m.jnt_qposadr[joint.id];
  joint.ref = m.qpos0[adr] * (joint.type == mjJNT_HINGE ? unit : 1);
  joint.springref = m.qpos_spring[adr] * (joint.type == mjJNT_HINGE ? unit : 1);
}

// Position and axis are in the frame around the joint, not in the body.
void CopyJoint(const mjModel& m, Joint& joint) {
  const int id = joint.id, dof = m.jnt_dofadr[id];
  const Pose to_frame = Inverse(InBody(joint.frame, {}));
  if (joint.type != mjJNT_FREE) {
    StoreVec3(to_frame.pos + Rotate(to_frame.quat, LoadVec3(m.jnt_pos + 3 * id)), joint.pos);
    StoreVec3(Rotate(to_frame.quat, LoadVec3(m.jnt_axis + 3 * id)), joint.axis);
  }
  CopyAngles(m, joint);
  GetPolynomial(m.jnt_stiffness, m.jnt_stiffnesspoly, id, joint.stiffness);
  GetPolynomial(m.dof_damping, m.dof_dampingpoly, dof, joint.damping);
  joint.springdamper[0] = joint.springdamper[1] = 0;  // stiffness and damping replace it
  joint.margin = m.jnt_margin[id];
  joint.armature = m.dof_armature[dof];
  joint.frictionloss = m.dof_frictionloss[dof];
  GetRow(m.jnt_actfrcrange, id, joint.actfrcrange);
  GetRow(m.jnt_solref, id, joint.solref_limit);
  GetRow(m.jnt_solimp, id, joint.solimp_limit);
  GetRow(m.dof_solref, dof, joint.solref_friction);
  GetRow(m.dof_solimp, dof, joint.solimp_friction);
  GetUser(m.jnt_user, id, m.nuser_jnt, *joint.userdata);
}

// ---- geoms, sites, cameras, lights

// Size and pose of a shape of its own; a mesh geom has only a pose, and a primitive fitted to a mesh has neither.
void CopyShape(const mjModel& m, Geom& geom) {
  if (HasNoPlace(geom)) return;
  const int id = geom.id;
  Pose pose = PoseOf(m.geom_pos + 3 * id, m.geom_quat + 4 * id);
  const bool is_mesh = HasMeshShape(geom.type);
  if (is_mesh) {
    const int mesh = m.geom_dataid[id];
    pose = pose * Inverse(PoseOf(m.mesh_pos + 3 * mesh, m.mesh_quat + 4 * mesh));
  } else if (SizeCount(geom.type) > 0) {
    GetRow(m.geom_size, id, geom.size);
  }
  geom.fromto[0] = kNaN;
  Place(pose, geom);
}

void CopyGeom(const mjModel& m, Geom& geom) {
  const int id = geom.id;
  if (m.geom_bodyid[id] == geom.parent->id) CopyShape(m, geom);
  geom.solmix = m.geom_solmix[id];
  geom.margin = MarginOf(m.geom_margin[id], m.geom_gap[id], geom.home->level);
  geom.gap = m.geom_gap[id];
  GetRow(m.geom_friction, id, geom.friction);
  GetRow(m.geom_solref, id, geom.solref);
  GetRow(m.geom_solimp, id, geom.solimp);
  GetRow(m.geom_rgba, id, geom.rgba);
  if (geom.fluid_ellipsoid > 0) std::copy_n(m.geom_fluid + mjNFLUID * id + 1, 5, geom.fluid_coefs);
  GetUser(m.geom_user, id, m.nuser_geom, *geom.userdata);
}

// Sites that were moved into another body by fusing keep the pose of the specification.
void CopySite(const mjModel& m, Site& site) {
  const int id = site.id;
  if (m.site_bodyid[id] == site.parent->id) {
    Place(PoseOf(m.site_pos + 3 * id, m.site_quat + 4 * id), site);
    GetRow(m.site_size, id, site.size);
    site.fromto[0] = kNaN;
  }
  GetRow(m.site_rgba, id, site.rgba);
  GetUser(m.site_user, id, m.nuser_site, *site.userdata);
}

void CopyCamera(const mjModel& m, Camera& camera) {
  const int id = camera.id;
  if (m.cam_bodyid[id] == camera.parent->id) Place(PoseOf(m.cam_pos + 3 * id, m.cam_quat + 4 * id), camera);
  camera.fovy = m.cam_fovy[id];
  camera.ipd = m.cam_ipd[id];
  GetUser(m.cam_user, id, m.nuser_cam, *camera.userdata);
}

void CopyLight(const mjModel& m, Light& light) {
  const int id = light.id;
  if (m.light_bodyid[id] == light.parent->id) {
    const Pose to_frame = Inverse(InBody(light.frame, {}));
    StoreVec3(to_frame.pos + Rotate(to_frame.quat, LoadVec3(m.light_pos + 3 * id)), light.pos);
    StoreVec3(Rotate(to_frame.quat, LoadVec3(m.light_dir + 3 * id)), light.dir);
  }
  light.bulbradius = m.light_bulbradius[id];
  light.intensity = m.light_intensity[id];
  light.range = m.light_range[id];
  light.cutoff = m.light_cutoff[id];
  light.exponent = m.light_exponent[id];
  GetRow(m.light_attenuation, id, light.attenuation);
  GetRow(m.light_ambient, id, light.ambient);
  GetRow(m.light_diffuse, id, light.diffuse);
  GetRow(m.light_specular, id, light.specular);
}

}  // namespace

void CopyBack(const mjModel& m, Spec& spec) {
  if (m.signature != spec.signature || Signature(spec) != spec.signature) {
    throw Error("incompatible models/signatures in CopyBack",
                "give the model that was compiled from this specification");
  }
  spec.option = m.opt;
  spec.visual = m.vis;
  CopyStatistics(m.stat, spec.computed_stat, &spec.stat);
  Body& world = spec.world();
  for (Body* body = &world; body; body = NextBody(world, body)) {
    if (body != &world && body->id >= 0) CopyBody(m, *body);
    CopyAll(m, body->joints, CopyJoint);
    CopyAll(m, body->geoms, CopyGeom);
    CopyAll(m, body->sites, CopySite);
    CopyAll(m, body->cameras, CopyCamera);
    CopyAll(m, body->lights, CopyLight);
  }
  CopyBackRelations(m, spec);
  CopyBackCustom(m, spec);
}

}  // namespace sinew::inline compile
