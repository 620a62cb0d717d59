// Sensors of the position stage: what follows from poses, lengths and distances alone. Positions are in metres in the
// world's frame, or in that of the reference object when there is one.
#include <cmath>

#include "kinematics/object_frame.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "model/view_of.h"
#include "sensor/camera.h"
#include "sensor/energy.h"
#include "sensor/evaluate.h"

namespace sinew {
namespace {

Mat3<double> SiteRotation(const mjData* d, int site) { return ViewOf(d).site_xmat(site); }

// Pixel of a site in a camera's image, as if its centre were the principal point. Points close to the camera's plane
// are moved off it.
void CameraProjection(const mjModel* m, const mjData* d, int site, int camera, double* out) {
  const CameraImage image = ImageOf(m, camera);

  // site in the camera's frame, which looks along -z
  const Vec3<double> offset = ViewOf(d).site_xpos(site) - ViewOf(d).cam_xpos(camera);
  const Vec3<double> c = MulTransposed(ViewOf(d).cam_xmat(camera), offset);
  const double depth = std::fabs(c.z) < kMinVal ? std::copysign(kMinVal, c.z) : c.z;
  out[0] = 0.5 * image.width - image.fx * c.x / depth;
  out[1] = 0.5 * image.height + image.fy * c.y / depth;
}

void FramePosition(const mjModel* m, const mjData* d, const SensorSpec& s, double* out) {
  const Vec3<double> p = LoadVec3(FrameOf(m, d, s.objtype, s.objid).position);
  if (s.refid < 0) return StoreVec3(p, out);
  const ObjectFrame reference = FrameOf(m, d, s.reftype, s.refid);
  StoreVec3(MulTransposed(LoadMat3(reference.rotation), p - LoadVec3(reference.position)), out);
}

// The rotation from the reference to the object: q_RO = q_WR* q_WO.
void FrameOrientation(const mjModel* m, const mjData* d, const SensorSpec& s, double* out) {
  Quat<double> q = OrientationOf(m, d, s.objtype, s.objid);
  if (s.refid >= 0) q = Conjugate(OrientationOf(m, d, s.reftype, s.refid)) * q;
  StoreQuat(q, out);
}

// A column of the object's rotation is one of its axes, in the world's frame.
void FrameAxis(const mjModel* m, const mjData* d, const SensorSpec& s, double* out) {
  Vec3<double> axis = LoadMat3(FrameOf(m, d, s.objtype, s.objid).rotation).Column(s.type - mjSENS_FRAMEXAXIS);
  if (s.refid >= 0) axis = MulTransposed(LoadMat3(FrameOf(m, d, s.reftype, s.refid).rotation), axis);
  StoreVec3(axis, out);
}

// Negative when the limit is violated; zero when it is not active.
double LimitPosition(const mjData* d, int type, int id) {
  const int row = LimitRow(d, type, id);
  return row < 0 ? 0 : d->efc_pos[row] - d->efc_margin[row];
}

}  // namespace

// Sensors of this stage write their numbers to `out`; the cutoff is applied by the caller.
void EvaluatePosition(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  switch (s.type) {
    case mjSENS_MAGNETOMETER:
      return StoreVec3(MulTransposed(SiteRotation(d, s.objid), LoadVec3(m->opt.magnetic)), out);
    case mjSENS_RANGEFINDER:
      return EvaluateRangefinder(m, d, s, out);
    case mjSENS_CAMPROJECTION:
      return CameraProjection(m, d, s.objid, s.refid, out);
    case mjSENS_JOINTPOS:
      out[0] = d->qpos[m->jnt_qposadr[s.objid]];
      return;
    case mjSENS_TENDONPOS:
      out[0] = d->ten_length[s.objid];
      return;
    case mjSENS_ACTUATORPOS:
      out[0] = d->actuator_length[s.objid];
      return;
    case mjSENS_BALLQUAT: {
      Quat<double> q = LoadQuat(d->qpos + m->jnt_qposadr[s.objid]);
      Normalize(q);
      return StoreQuat(q, out);
    }
    case mjSENS_JOINTLIMITPOS:
      out[0] = LimitPosition(d, mjCNSTR_LIMIT_JOINT, s.objid);
      return;
    case mjSENS_TENDONLIMITPOS:
      out[0] = LimitPosition(d, mjCNSTR_LIMIT_TENDON, s.objid);
      return;
    case mjSENS_FRAMEPOS:
      return FramePosition(m, d, s, out);
    case mjSENS_FRAMEQUAT:
      return FrameOrientation(m, d, s, out);
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      return FrameAxis(m, d, s, out);
    case mjSENS_SUBTREECOM:
      return StoreVec3(ViewOf(d).subtree_com(s.objid), out);
    case mjSENS_INSIDESITE:
      out[0] = IsInsideSite(m, d, s.refid, FrameOf(m, d, s.objtype, s.objid).position) ? 1 : 0;
      return;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      return EvaluateDistance(m, d, s, out);
    case mjSENS_E_POTENTIAL:
      if (!d->flg_energypos) EnergyPos(m, d);
      out[0] = d->energy[0];
      return;
    case mjSENS_E_KINETIC:
      if (!d->flg_energyvel) EnergyVel(m, d);
      out[0] = d->energy[1];
      return;
    case mjSENS_CLOCK:
      out[0] = d->time;
      return;
    default:
      return;
  }
}

}  // namespace sinew
