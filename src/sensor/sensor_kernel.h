// Sensors whose numbers follow from poses, velocities, accelerations and forces of bodies, joints, tendons and
// actuators by a formula, for one world and for lanes. Others look at contacts, rows, rays or distances: those are
// found in one world (evaluate.h).
#ifndef SINEW_SENSOR_SENSOR_KERNEL_H_
#define SINEW_SENSOR_SENSOR_KERNEL_H_

#include "kinematics/camera_image.h"
#include "kinematics/object_frame_kernel.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline sensor {
inline namespace SINEW_ISA {

// The parameters of a sensor of any stage.
struct SensorSpec {
  int id, type, objtype, objid, reftype, refid;
};
inline SensorSpec SpecOf(const mjModel* m, int id) {
  return {
      id, m->sensor_type[id], m->sensor_objtype[id], m->sensor_objid[id], m->sensor_reftype[id], m->sensor_refid[id]};
}

// Fields that have to be computed, beside the stages of the step, before EvaluateByFormula.
enum class SensorInput : int {
  kStages,             // nothing
  kSubtreeVelocities,  // subtree_linvel, subtree_angmom
  kBodyAccelerations,  // cacc
  kBodyForces,         // cacc, cfrc_int
  kNoFormula           // the sensor is not one of this file
};
inline SensorInput InputOf(int type) {
  switch (type) {
    case mjSENS_MAGNETOMETER:
    case mjSENS_CAMPROJECTION:
    case mjSENS_JOINTPOS:
    case mjSENS_TENDONPOS:
    case mjSENS_ACTUATORPOS:
    case mjSENS_BALLQUAT:
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEQUAT:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_SUBTREECOM:
    case mjSENS_CLOCK:
    case mjSENS_VELOCIMETER:
    case mjSENS_GYRO:
    case mjSENS_JOINTVEL:
    case mjSENS_TENDONVEL:
    case mjSENS_ACTUATORVEL:
    case mjSENS_BALLANGVEL:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
    case mjSENS_ACTUATORFRC:
    case mjSENS_JOINTACTFRC:
    case mjSENS_TENDONACTFRC:
      return SensorInput::kStages;
    case mjSENS_SUBTREELINVEL:
    case mjSENS_SUBTREEANGMOM:
      return SensorInput::kSubtreeVelocities;
    case mjSENS_ACCELEROMETER:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      return SensorInput::kBodyAccelerations;
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
      return SensorInput::kBodyForces;
    default:
      return SensorInput::kNoFormula;
  }
}

// ---- positions [m], in the world's frame, or in that of the reference object when there is one

// Pixel of a site in a camera's image, from its upper left corner. Points close to the plane of a perspective camera
// are moved off it.
template <class S>
void CameraProjection(const ModelView<S>& m, const DataView<S>& d, int site, int camera, S* out) {
  using Number = typename LaneTraits<S>::Lane;
  const auto number = [](double a) { return S(static_cast<Number>(a)); };
  const CameraImage image = ImageOf(m.raw(), camera);

  // site in the camera's frame, which looks along -z
  const Vec3<S> c = MulTransposed(d.cam_xmat(camera), d.site_xpos(site) - d.cam_xpos(camera));
  const S near = Select(Abs(c.z) < S(kMinVal), CopySign(S(kMinVal), c.z), c.z);
  const S depth = image.orthographic ? S(-1) : near;
  out[0] = number(image.center_x) - number(image.fx) * c.x / depth;
  out[1] = number(image.center_y) + number(image.fy) * c.y / depth;
}

template <class S>
Vec3<S> FramePosition(const ModelView<S>& m, const DataView<S>& d, const SensorSpec& s) {
  const Vec3<S> p = LoadVec3(FrameOf(m, d, s.objtype, s.objid).position);
  if (s.refid < 0) return p;
  const FrameInWorld<S> reference = FrameOf(m, d, s.reftype, s.refid);
  return MulTransposed(LoadMat3(reference.rotation), p - LoadVec3(reference.position));
}

// The rotation from the reference to the object: q_RO = q_WR* q_WO.
template <class S>
Quat<S> FrameOrientation(const ModelView<S>& m, const DataView<S>& d, const SensorSpec& s) {
  const Quat<S> q = OrientationOf(m, d, s.objtype, s.objid);
  return s.refid < 0 ? q : Conjugate(OrientationOf(m, d, s.reftype, s.refid)) * q;
}

// A column of the object's rotation is one of its axes, in the world's frame.
template <class S>
Vec3<S> FrameAxis(const ModelView<S>& m, const DataView<S>& d, const SensorSpec& s) {
  const Vec3<S> axis = LoadMat3(FrameOf(m, d, s.objtype, s.objid).rotation).Column(s.type - mjSENS_FRAMEXAXIS);
  return s.refid < 0 ? axis : MulTransposed(LoadMat3(FrameOf(m, d, s.reftype, s.refid).rotation), axis);
}

// ---- velocities: of a point at the object's origin

// Velocity of an object as an observer in the reference frame sees it; without reference, in world axes.
template <class S>
Spatial<S> FrameVelocity(const ModelView<S>& m, const DataView<S>& d, const SensorSpec& s) {
  const FrameInWorld<S> object = FrameOf(m, d, s.objtype, s.objid);
  Spatial<S> v = VelocityOfFrame(m, d, object, false);
  if (s.refid < 0) return v;
  const FrameInWorld<S> reference = FrameOf(m, d, s.reftype, s.refid);
  const Spatial<S> v_ref = VelocityOfFrame(m, d, reference, false);
  v.lin = v.lin - v_ref.lin - Cross(v_ref.rot, LoadVec3(object.position) - LoadVec3(reference.position));
  v.rot = v.rot - v_ref.rot;
  return InFrame(reference, v);
}

// ---- accelerations and forces

// Wrench from the parent on the site's body, about the site S and in its axes. cfrc_int is about O, the centre of mass
// of the tree, in the axes of the world W.
template <class S>
Spatial<S> SiteWrench(const ModelView<S>& m, const DataView<S>& d, int site) {
  const int body = m.site_bodyid(site);
  const Spatial<S>& wrench = d.cfrc_int(body);
  const Vec3<S> p_OS_W = d.site_xpos(site) - TreeCenter(m, d, body);
  const Mat3<S>& R_WS = d.site_xmat(site);
  return {MulTransposed(R_WS, wrench.rot - Cross(p_OS_W, wrench.lin)), MulTransposed(R_WS, wrench.lin)};
}

// Sums the forces (N) of all actuators on a tendon.
template <class S>
S TendonActuatorForce(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  S force(0);
  for (int i = 0; i < m.nu(); ++i) {
    if (m.actuator_trntype(i) == mjTRN_TENDON && m.actuator_trnid(i)[0] == tendon) force += d.actuator_force(i);
  }
  return force;
}

// ---- all of them

// Writes the numbers of a sensor that has a formula, before its cutoff. A velocimeter, a gyro and an accelerometer
// report in the axes of their site.
template <class S>
void EvaluateByFormula(const ModelView<S>& m, const DataView<S>& d, const SensorSpec& s, S* out) {
  const auto site = [&] { return FrameOf(m, d, mjOBJ_SITE, s.objid); };
  const auto object = [&] { return FrameOf(m, d, s.objtype, s.objid); };
  switch (s.type) {
    case mjSENS_MAGNETOMETER:
      return StoreVec3(MulTransposed(d.site_xmat(s.objid), m.opt_magnetic()), out);
    case mjSENS_CAMPROJECTION:
      return CameraProjection(m, d, s.objid, s.refid, out);
    case mjSENS_JOINTPOS:
      out[0] = d.qpos(m.jnt_qposadr(s.objid));
      return;
    case mjSENS_TENDONPOS:
      out[0] = d.ten_length(s.objid);
      return;
    case mjSENS_ACTUATORPOS:
      out[0] = d.actuator_length(s.objid);
      return;
    case mjSENS_BALLQUAT:
      return StoreQuat(Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(s.objid))), out);
    case mjSENS_FRAMEPOS:
      return StoreVec3(FramePosition(m, d, s), out);
    case mjSENS_FRAMEQUAT:
      return StoreQuat(FrameOrientation(m, d, s), out);
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      return StoreVec3(FrameAxis(m, d, s), out);
    case mjSENS_SUBTREECOM:
      return StoreVec3(d.subtree_com(s.objid), out);
    case mjSENS_CLOCK:
      out[0] = d.time();
      return;
    case mjSENS_VELOCIMETER:
      return StoreVec3(VelocityOfFrame(m, d, site(), true).lin, out);
    case mjSENS_GYRO:
      return StoreVec3(VelocityOfFrame(m, d, site(), true).rot, out);
    case mjSENS_JOINTVEL:
      out[0] = d.qvel(m.jnt_dofadr(s.objid));
      return;
    case mjSENS_TENDONVEL:
      out[0] = d.ten_velocity(s.objid);
      return;
    case mjSENS_ACTUATORVEL:
      out[0] = d.actuator_velocity(s.objid);
      return;
    case mjSENS_BALLANGVEL:
      return StoreVec3(LoadVec3(d.qvel_data() + m.jnt_dofadr(s.objid)), out);
    case mjSENS_FRAMELINVEL:
      return StoreVec3(FrameVelocity(m, d, s).lin, out);
    case mjSENS_FRAMEANGVEL:
      return StoreVec3(FrameVelocity(m, d, s).rot, out);
    case mjSENS_SUBTREELINVEL:
      return StoreVec3(d.subtree_linvel(s.objid), out);
    case mjSENS_SUBTREEANGMOM:
      return StoreVec3(d.subtree_angmom(s.objid), out);
    case mjSENS_ACCELEROMETER:
      return StoreVec3(AccelerationOfFrame(m, d, site(), true).lin, out);
    case mjSENS_FORCE:
      return StoreVec3(SiteWrench(m, d, s.objid).lin, out);
    case mjSENS_TORQUE:
      return StoreVec3(SiteWrench(m, d, s.objid).rot, out);
    case mjSENS_ACTUATORFRC:
      out[0] = d.actuator_force(s.objid);
      return;
    case mjSENS_JOINTACTFRC:
      out[0] = d.qfrc_actuator(m.jnt_dofadr(s.objid));
      return;
    case mjSENS_TENDONACTFRC:
      out[0] = TendonActuatorForce(m, d, s.objid);
      return;
    case mjSENS_FRAMELINACC:
      return StoreVec3(AccelerationOfFrame(m, d, object(), false).lin, out);
    case mjSENS_FRAMEANGACC:
      return StoreVec3(AccelerationOfFrame(m, d, object(), false).rot, out);
    default:
      return;
  }
}

// Limits the numbers of a sensor by its cutoff; what its numbers mean decides how.
template <class S>
void Cutoff(const ModelView<S>& m, int sensor, S* value) {
  const mjModel& model = *m.raw();
  const int type = model.sensor_type[sensor];
  if (model.sensor_cutoff[sensor] <= 0 || type == mjSENS_CONTACT || type == mjSENS_GEOMFROMTO) return;
  const S cutoff = m.sensor_cutoff(sensor);
  for (int i = 0; i < model.sensor_dim[sensor]; ++i) {
    if (model.sensor_datatype[sensor] == mjDATATYPE_REAL) value[i] = Clamp(value[i], -cutoff, cutoff);
    if (model.sensor_datatype[sensor] == mjDATATYPE_POSITIVE) value[i] = Min(cutoff, value[i]);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline sensor

#endif  // SINEW_SENSOR_SENSOR_KERNEL_H_
