// Sensors of the acceleration stage that look at contacts, rows of limits, or the state of muscle fibres. They need
// constraint forces.
#include "force/actuation.h"
#include "force/metabolic_power.h"
#include "model/storage/extension.h"
#include "sensor/evaluate.h"
#include "sensor/fiber_sensor.h"

namespace sinew::inline sensor {
void EvaluateAcceleration(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  switch (s.type) {
    case mjSENS_TOUCH:
      out[0] = EvaluateTouch(m, d, s.objid);
      return;
    // Units are N or N m, as the limit is of a length or of an angle.
    case mjSENS_JOINTLIMITFRC:
      out[0] = LimitNumber(d, mjCNSTR_LIMIT_JOINT, s.objid, d->efc_force);
      return;
    case mjSENS_TENDONLIMITFRC:
      out[0] = LimitNumber(d, mjCNSTR_LIMIT_TENDON, s.objid, d->efc_force);
      return;
    case kSensorFiberLength:
    case kSensorFiberVelocity:
    case kSensorFiberForce:
    case kSensorPennation:
    case kSensorTendonStrain:
    case kSensorFiberActiveForce:
    case kSensorFiberPassiveForce:
    case kSensorFiberPower:
      out[0] = FiberSensor(ReadFiber(m, d, s.objid), s.type);
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
