// Sensors of the acceleration stage: forces, accelerations, contacts, and the state of muscle fibres. They need
// constraint forces, and most of them the forces between bodies, which RnePostConstraint computes on demand.
#include "constraint/body_forces.h"
#include "force/actuation.h"
#include "kinematics/object.h"
#include "math/spatial.h"
#include "model/extension.h"
#include "model/view_of.h"
#include "sensor/evaluate.h"

namespace sinew {
namespace {

// Body accelerations and interaction forces, computed once a step.
void NeedAccelerations(const mjModel* m, mjData* d) {
  if (!d->flg_rnepost) RnePostConstraint(m, d);
}

// Rotational and translational acceleration of an object, as an accelerometer feels it: gravity counts as an
// acceleration upwards.
Spatial<double> AccelerationOf(const mjModel* m, mjData* d, int type, int id, bool local) {
  NeedAccelerations(m, d);
  Spatial<double> a;
  ObjectAcceleration(m, d, type, id, &a[0], local);
  return a;
}

// Wrench from the parent on the site's body, about the site S and in its axes. cfrc_int is about O, the centre of mass
// of the tree, in the axes of the world W.
Spatial<double> SiteWrench(const mjModel* m, mjData* d, int site) {
  NeedAccelerations(m, d);
  const int body = m->site_bodyid[site];
  const Spatial<double>& wrench = ViewOf(d).cfrc_int(body);
  const Vec3<double> p_OS_W = ViewOf(d).site_xpos(site) - ViewOf(d).subtree_com(m->body_rootid[body]);
  const Mat3<double> R_WS = ViewOf(d).site_xmat(site);
  return {MulTransposed(R_WS, wrench.rot - Cross(p_OS_W, wrench.lin)), MulTransposed(R_WS, wrench.lin)};
}

// Sums the forces (N) of all actuators on a tendon.
double TendonActuatorForce(const mjModel* m, const mjData* d, int tendon) {
  double force = 0;
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && ViewOf(m).actuator_trnid(i)[0] == tendon)
      force += d->actuator_force[i];
  }
  return force;
}

// An inactive limit has no row and no force. Units are N or N m, as the limit is of a length or of an angle.
double LimitForce(const mjData* d, int type, int id) {
  const int row = LimitRow(d, type, id);
  return row < 0 ? 0 : d->efc_force[row];
}

}  // namespace

void EvaluateAcceleration(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  switch (s.type) {
    case mjSENS_TOUCH:
      out[0] = EvaluateTouch(m, d, s.objid);
      return;
    case mjSENS_ACCELEROMETER:
      return StoreVec3(AccelerationOf(m, d, mjOBJ_SITE, s.objid, true).lin, out);
    case mjSENS_FORCE:
      return StoreVec3(SiteWrench(m, d, s.objid).lin, out);
    case mjSENS_TORQUE:
      return StoreVec3(SiteWrench(m, d, s.objid).rot, out);
    case mjSENS_ACTUATORFRC:
      out[0] = d->actuator_force[s.objid];
      return;
    case mjSENS_JOINTACTFRC:
      out[0] = d->qfrc_actuator[m->jnt_dofadr[s.objid]];
      return;
    case mjSENS_TENDONACTFRC:
      out[0] = TendonActuatorForce(m, d, s.objid);
      return;
    case mjSENS_JOINTLIMITFRC:
      out[0] = LimitForce(d, mjCNSTR_LIMIT_JOINT, s.objid);
      return;
    case mjSENS_TENDONLIMITFRC:
      out[0] = LimitForce(d, mjCNSTR_LIMIT_TENDON, s.objid);
      return;
    case mjSENS_FRAMELINACC:
      return StoreVec3(AccelerationOf(m, d, s.objtype, s.objid, false).lin, out);
    case mjSENS_FRAMEANGACC:
      return StoreVec3(AccelerationOf(m, d, s.objtype, s.objid, false).rot, out);
    case kSensorFiberLength:
      out[0] = ReadFiber(m, d, s.objid).length;
      return;
    case kSensorFiberVelocity:
      out[0] = ReadFiber(m, d, s.objid).velocity;
      return;
    case kSensorFiberForce:
      out[0] = ReadFiber(m, d, s.objid).force;
      return;
    case kSensorPennation:
      out[0] = ReadFiber(m, d, s.objid).pennation;
      return;
    case kSensorTendonStrain:
      out[0] = ReadFiber(m, d, s.objid).strain;
      return;
    case mjSENS_CONTACT:
      return EvaluateContact(m, d, s, out);
    case mjSENS_TACTILE:
      return EvaluateTactile(m, d, s, out);
    default:
      return;
  }
}

}  // namespace sinew
