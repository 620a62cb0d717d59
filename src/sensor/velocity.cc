// Sensors of the velocity stage. Velocities of frames are those of a point at the object's origin; a velocimeter and a
// gyro report in the axes of their site.
#include "kinematics/velocity.h"
#include "kinematics/object.h"
#include "kinematics/object_frame.h"
#include "math/rows.h"
#include "math/spatial.h"
#include "sensor/evaluate.h"

namespace sinew {
namespace {

// Rotational and translational velocity of an object at its origin, in world axes or in its own.
Spatial<double> VelocityOf(const mjModel* m, const mjData* d, int type, int id, bool local) {
  Spatial<double> v;
  ObjectVelocity(m, d, type, id, &v[0], local);
  return v;
}

// Velocity of an object as an observer in the reference frame sees it; without reference, in world axes.
void FrameVelocity(const mjModel* m, const mjData* d, const SensorSpec& s, double* out) {
  Spatial<double> v = VelocityOf(m, d, s.objtype, s.objid, false);
  if (s.refid >= 0) {
    const ObjectFrame object = FrameOf(m, d, s.objtype, s.objid), reference = FrameOf(m, d, s.reftype, s.refid);
    const Spatial<double> v_ref = VelocityOf(m, d, s.reftype, s.refid, false);
    const Mat3<double> R = LoadMat3(reference.rotation);
    v.lin = MulTransposed(
        R, v.lin - v_ref.lin - Cross(v_ref.rot, LoadVec3(object.position) - LoadVec3(reference.position)));
    v.rot = MulTransposed(R, v.rot - v_ref.rot);
  }
  StoreVec3(s.type == mjSENS_FRAMELINVEL ? v.lin : v.rot, out);
}

// The velocity of the row of a limit, zero while the limit is not active.
double LimitVelocity(const mjData* d, int type, int id) {
  const int row = LimitRow(d, type, id);
  return row < 0 ? 0 : d->efc_vel[row];
}

// Subtree velocities, computed once a step.
const double* Subtree(const mjModel* m, mjData* d, const double* field, int body) {
  if (!d->flg_subtreevel) SubtreeVel(m, d);
  return Row3(field, body);
}

}  // namespace

void EvaluateVelocity(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  switch (s.type) {
    case mjSENS_VELOCIMETER:
      return StoreVec3(VelocityOf(m, d, mjOBJ_SITE, s.objid, true).lin, out);
    case mjSENS_GYRO:
      return StoreVec3(VelocityOf(m, d, mjOBJ_SITE, s.objid, true).rot, out);
    case mjSENS_JOINTVEL:
      out[0] = d->qvel[m->jnt_dofadr[s.objid]];
      return;
    case mjSENS_TENDONVEL:
      out[0] = d->ten_velocity[s.objid];
      return;
    case mjSENS_ACTUATORVEL:
      out[0] = d->actuator_velocity[s.objid];
      return;
    case mjSENS_BALLANGVEL:
      return StoreVec3(LoadVec3(d->qvel + m->jnt_dofadr[s.objid]), out);
    case mjSENS_JOINTLIMITVEL:
      out[0] = LimitVelocity(d, mjCNSTR_LIMIT_JOINT, s.objid);
      return;
    case mjSENS_TENDONLIMITVEL:
      out[0] = LimitVelocity(d, mjCNSTR_LIMIT_TENDON, s.objid);
      return;
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      return FrameVelocity(m, d, s, out);
    case mjSENS_SUBTREELINVEL:
      return StoreVec3(LoadVec3(Subtree(m, d, d->subtree_linvel, s.objid)), out);
    case mjSENS_SUBTREEANGMOM:
      return StoreVec3(LoadVec3(Subtree(m, d, d->subtree_angmom, s.objid)), out);
    default:
      return;
  }
}

}  // namespace sinew
