// From the finished draft to the arrays of bodies and their parts. Rows are in order of ids, which are those of the
// draft: bodies depth first, their parts body by body.
#include <algorithm>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "compile/topology/same_frame.h"
#include "compile/tree/joint.h"
#include "compile/tree/shape.h"

namespace sinew::inline compile {
namespace {

// ---- bodies

// The distance below which contacts of a geom are listed.
double ListedBelow(const Geom& geom) { return sinew::ListedBelow(geom.margin, geom.gap, geom.home->level); }

// Masks and margin of a body as a whole let the broad phase skip pairs of bodies.
void WriteContactMasks(const BodyDraft& body, int id, mjModel* m) {
  for (const GeomDraft& geom : body.geoms) {
    m->body_contype[id] |= geom.source->contype;
    m->body_conaffinity[id] |= geom.source->conaffinity;
    m->body_margin[id] = std::max(m->body_margin[id], ListedBelow(*geom.source));
  }
}

// Ids of parents, roots and trees come from the topology, the rest from the draft.
void WriteBody(const BodyDraft& body, const Topology::BodyEntry& entry, int id, mjModel* m) {
  m->body_parentid[id] = body.parent;
  m->body_rootid[id] = entry.root;
  m->body_weldid[id] = body.weld;
  m->body_mocapid[id] = entry.mocap;
  m->body_jntnum[id] = static_cast<int>(body.joints.size());
  m->body_jntadr[id] = entry.jntadr;
  m->body_dofnum[id] = entry.dofnum;
  m->body_dofadr[id] = entry.dofadr;
  m->body_treeid[id] = entry.tree;
  m->body_geomnum[id] = static_cast<int>(body.geoms.size());
  m->body_geomadr[id] = entry.geomadr;
  m->body_simple[id] = static_cast<mjtByte>(entry.simple);
  m->body_sameframe[id] = static_cast<mjtByte>(entry.sameframe);
  PutRow(m->body_pos, id, body.pose.pos);
  PutRow(m->body_quat, id, body.pose.quat);
  PutRow(m->body_ipos, id, body.inertial.frame.pos);
  PutRow(m->body_iquat, id, body.inertial.frame.quat);
  m->body_mass[id] = body.inertial.mass;
  PutRow(m->body_inertia, id, body.inertial.moments);
  m->body_gravcomp[id] = body.source->gravcomp;
  PutUser(m->body_user, id, m->nuser_body, *body.source->userdata);
  m->body_plugin[id] = body.plugin;
  WriteContactMasks(body, id, m);
}

// ---- joints and dofs

// Reference configuration, and the one in which springs are relaxed.
void WriteReference(const JointDraft& joint, const Pose& body, int adr, mjModel* m) {
  mjtNum* qpos0 = m->qpos0 + adr;
  switch (joint.source->type) {
    case mjJNT_FREE:
      StoreVec3(body.pos, qpos0);
      StoreQuat(body.quat, qpos0 + 3);
      break;
    case mjJNT_BALL:
      StoreQuat(IdentityQuat<double>(), qpos0);
      break;
    default:
      qpos0[0] = joint.ref;
      m->qpos_spring[adr] = joint.springref;
      return;
  }
  std::copy_n(qpos0, PositionCount(joint.source->type), m->qpos_spring + adr);
}

// Ranges and references are in rad here, whatever the file has.
void WriteJoint(const JointDraft& joint, int body, int id, mjModel* m) {
  const Joint& source = *joint.source;
  m->jnt_type[id] = source.type;
  m->jnt_bodyid[id] = body;
  m->jnt_group[id] = source.group;
  m->jnt_limited[id] = joint.limited;
  m->jnt_actfrclimited[id] = joint.actfrclimited;
  m->jnt_actgravcomp[id] = source.actgravcomp;
  PutRow(m->jnt_solref, id, source.solref_limit);
  PutRow(m->jnt_solimp, id, source.solimp_limit);
  PutRow(m->jnt_pos, id, joint.pos);
  PutRow(m->jnt_axis, id, joint.axis);
  PutPolynomial(m->jnt_stiffness, m->jnt_stiffnesspoly, id, source.stiffness);
  PutRow(m->jnt_range, id, joint.range);
  PutRow(m->jnt_actfrcrange, id, source.actfrcrange);
  m->jnt_margin[id] = source.margin;
  PutUser(m->jnt_user, id, m->nuser_jnt, *source.userdata);
}

// All dofs of a joint have the same parameters.
void WriteDof(const Joint& joint, const Topology::DofEntry& entry, int id, mjModel* m) {
  m->dof_bodyid[id] = entry.body;
  m->dof_jntid[id] = entry.joint;
  m->dof_parentid[id] = entry.parent;
  m->dof_treeid[id] = entry.tree;
  m->dof_Madr[id] = entry.Madr;
  m->dof_simplenum[id] = entry.simplenum;
  PutRow(m->dof_solref, id, joint.solref_friction);
  PutRow(m->dof_solimp, id, joint.solimp_friction);
  m->dof_frictionloss[id] = joint.frictionloss;
  m->dof_armature[id] = joint.armature;
  PutPolynomial(m->dof_damping, m->dof_dampingpoly, id, joint.damping);
}

// Dofs of a body follow those of the bodies before it, in the order of its joints.
void WriteJoints(const Draft& draft, const Topology& topology, mjModel* m) {
  int id = 0, qpos_adr = 0, dof_adr = 0;
  for (int body = 0; body < m->nbody; ++body) {
    const BodyDraft& source = draft.bodies[static_cast<size_t>(body)];
    for (const JointDraft& joint : source.joints) {
      const mjtJoint type = joint.source->type;
      WriteJoint(joint, body, id, m);
      WriteReference(joint, source.pose, qpos_adr, m);
      m->jnt_qposadr[id] = qpos_adr;
      m->jnt_dofadr[id] = dof_adr;
      for (int i = 0; i < DofCount(type); ++i, ++dof_adr) {
        WriteDof(*joint.source, topology.dofs[static_cast<size_t>(dof_adr)], dof_adr, m);
      }
      qpos_adr += PositionCount(type);
      ++id;
    }
  }
}

// ---- geoms, sites, cameras, lights

// Rows of geoms outside of the ellipsoid model stay zero.
void WriteFluid(const GeomDraft& geom, mjtNum* row) {
  const Geom& source = *geom.source;
  if (!(source.fluid_ellipsoid > 0)) return;
  const VirtualInertia fluid = FluidInertia(geom.shape);
  row[0] = source.fluid_ellipsoid;
  std::copy_n(source.fluid_coefs, 5, row + 1);
  StoreVec3(fluid.mass, row + 6);
  StoreVec3(fluid.inertia, row + 9);
}

// A geom without material looks like its mesh.
const std::string& MaterialOf(const GeomDraft& geom, const Draft& draft) {
  if (!geom.source->material->empty() || geom.mesh < 0) return *geom.source->material;
  return *draft.meshes[static_cast<size_t>(geom.mesh)].source->material;
}

// Contact parameters are copied as they are; collision mixes those of two geoms.
void WriteGeom(const GeomDraft& geom, const BodyDraft& body, const Draft& draft, mjModel* m) {
  const Geom& source = *geom.source;
  const Spec& spec = draft.spec;
  const int id = source.id;
  m->geom_type[id] = source.type;
  m->geom_contype[id] = source.contype;
  m->geom_conaffinity[id] = source.conaffinity;
  m->geom_condim[id] = source.condim;
  m->geom_bodyid[id] = body.source->id;
  m->geom_dataid[id] = std::max(geom.hfield, geom.mesh);
  m->geom_matid[id] = OptionalId(spec, mjOBJ_MATERIAL, MaterialOf(geom, draft));
  m->geom_group[id] = source.group;
  m->geom_priority[id] = source.priority;
  m->geom_plugin[id] = geom.plugin;
  m->geom_sameframe[id] = static_cast<mjtByte>(FrameKind(geom.pose, body.inertial.frame));
  m->geom_solmix[id] = source.solmix;
  PutRow(m->geom_solref, id, source.solref);
  PutRow(m->geom_solimp, id, source.solimp);
  PutRow(m->geom_size, id, geom.shape.size);
  PutRow(m->geom_aabb, 2 * id, geom.box.center);
  PutRow(m->geom_aabb, 2 * id + 1, geom.box.half);
  m->geom_rbound[id] = geom.rbound;
  PutRow(m->geom_pos, id, geom.pose.pos);
  PutRow(m->geom_quat, id, geom.pose.quat);
  PutRow(m->geom_friction, id, source.friction);
  m->geom_margin[id] = ListedBelow(source);
  m->geom_gap[id] = source.gap;
  WriteFluid(geom, m->geom_fluid + mjNFLUID * id);
  PutUser(m->geom_user, id, m->nuser_geom, *source.userdata);
  PutRow(m->geom_rgba, id, source.rgba);
}

// Sites have no margin and no mass.
void WriteSite(const SiteDraft& site, const BodyDraft& body, const Spec& spec, mjModel* m) {
  const Site& source = *site.source;
  const int id = source.id;
  m->site_type[id] = source.type;
  m->site_bodyid[id] = body.source->id;
  m->site_matid[id] = OptionalId(spec, mjOBJ_MATERIAL, *source.material);
  m->site_group[id] = source.group;
  m->site_sameframe[id] = static_cast<mjtByte>(FrameKind(site.pose, body.inertial.frame));
  PutRow(m->site_size, id, site.shape.size);
  PutRow(m->site_pos, id, site.pose.pos);
  PutRow(m->site_quat, id, site.pose.quat);
  PutUser(m->site_user, id, m->nuser_site, *source.userdata);
  PutRow(m->site_rgba, id, source.rgba);
}

// Lengths on the sensor are in metres, the field of view is in degrees.
void WriteCamera(const CameraDraft& camera, int body, const Spec& spec, mjModel* m) {
  const Camera& source = *camera.source;
  const int id = source.id;
  m->cam_mode[id] = source.mode;
  m->cam_bodyid[id] = body;
  m->cam_targetbodyid[id] = OptionalId(spec, mjOBJ_BODY, *source.targetbody);
  PutRow(m->cam_pos, id, camera.pose.pos);
  PutRow(m->cam_quat, id, camera.pose.quat);
  m->cam_projection[id] = source.proj;
  m->cam_fovy[id] = camera.fovy;
  m->cam_ipd[id] = source.ipd;
  PutRow(m->cam_resolution, id, source.resolution);
  m->cam_output[id] = source.output;
  PutRow(m->cam_sensorsize, id, source.sensor_size);
  PutRow(m->cam_intrinsic, id, camera.intrinsic);
  PutUser(m->cam_user, id, m->nuser_cam, *source.userdata);
}

// The direction has unit length in the frame of the body.
void WriteLight(const LightDraft& light, int body, const Spec& spec, mjModel* m) {
  const Light& source = *light.source;
  const int id = source.id;
  m->light_mode[id] = source.mode;
  m->light_bodyid[id] = body;
  m->light_targetbodyid[id] = OptionalId(spec, mjOBJ_BODY, *source.targetbody);
  m->light_type[id] = source.type;
  m->light_texid[id] = OptionalId(spec, mjOBJ_TEXTURE, *source.texture);
  m->light_castshadow[id] = source.castshadow;
  m->light_bulbradius[id] = source.bulbradius;
  m->light_intensity[id] = source.intensity;
  m->light_range[id] = source.range;
  m->light_active[id] = source.active;
  PutRow(m->light_pos, id, light.pos);
  PutRow(m->light_dir, id, light.dir);
  PutRow(m->light_attenuation, id, source.attenuation);
  m->light_cutoff[id] = source.cutoff;
  m->light_exponent[id] = source.exponent;
  PutRow(m->light_ambient, id, source.ambient);
  PutRow(m->light_diffuse, id, source.diffuse);
  PutRow(m->light_specular, id, source.specular);
}

}  // namespace

// Errors are collected over all elements, so that a user sees every wrong name at once.
void WriteTree(const Draft& draft, const Topology& topology, mjModel* m) {
  const Spec& spec = draft.spec;
  ErrorList errors;
  for (int id = 0; id < m->nbody; ++id) {
    const BodyDraft& body = draft.bodies[static_cast<size_t>(id)];
    WriteBody(body, topology.bodies[static_cast<size_t>(id)], id, m);
    for (const GeomDraft& geom : body.geoms) errors.At(*geom.source, [&] { WriteGeom(geom, body, draft, m); });
    for (const SiteDraft& site : body.sites) errors.At(*site.source, [&] { WriteSite(site, body, spec, m); });
    for (const CameraDraft& camera : body.cameras) errors.At(*camera.source, [&] { WriteCamera(camera, id, spec, m); });
    for (const LightDraft& light : body.lights) errors.At(*light.source, [&] { WriteLight(light, id, spec, m); });
  }
  errors.Throw();
  WriteJoints(draft, topology, m);
}

}  // namespace sinew::inline compile
