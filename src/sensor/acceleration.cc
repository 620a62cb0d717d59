// Sensors of the acceleration stage that look at contacts, rows of limits, or the state of muscle fibres. They need
// constraint forces.
#include "force/actuation.h"
#include "force/metabolic_power.h"
#include "model/storage/extension.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

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
    case mjSENS_JOINTLIMITFRC:
      out[0] = LimitForce(d, mjCNSTR_LIMIT_JOINT, s.objid);
      return;
    case mjSENS_TENDONLIMITFRC:
      out[0] = LimitForce(d, mjCNSTR_LIMIT_TENDON, s.objid);
      return;
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
    case kSensorFiberActiveForce:
      out[0] = ReadFiber(m, d, s.objid).active;
      return;
    case kSensorFiberPassiveForce:
      out[0] = ReadFiber(m, d, s.objid).passive;
      return;
    case kSensorFiberPower:
      out[0] = ReadFiber(m, d, s.objid).Power();
      return;
    case kSensorTendonEnergy:
      out[0] = MuscleEnergy(m, d, s.objid).tendon;
      return;
    case kSensorUmbergerPower:
    case kSensorBhargavaPower:
      out[0] = MetabolicPower(m, d, s.objid,
                              s.type == kSensorUmbergerPower ? MetabolicLaw::kUmberger : MetabolicLaw::kBhargava);
      return;
    case mjSENS_CONTACT:
      return EvaluateContact(m, d, s, out);
    case mjSENS_TACTILE:
      return EvaluateTactile(m, d, s, out);
    default:
      return;
  }
}

}  // namespace sinew::inline sensor
