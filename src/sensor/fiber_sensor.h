// The numbers that sensors of muscles with a tendon show.
#ifndef SINEW_SENSOR_FIBER_SENSOR_H_
#define SINEW_SENSOR_FIBER_SENSOR_H_

#include "force/fiber_reading_kernel.h"
#include "model/storage/extension.h"

namespace sinew::inline sensor {

// The reading of a fibre that a sensor of one shows: kSensorFiberLength to kSensorFiberPower.
template <class S>
S FiberSensor(const FiberReadingOf<S>& reading, int sensor) {
  switch (sensor) {
    case kSensorFiberLength:
      return reading.length;
    case kSensorFiberVelocity:
      return reading.velocity;
    case kSensorFiberForce:
      return reading.force;
    case kSensorPennation:
      return reading.pennation;
    case kSensorTendonStrain:
      return reading.strain;
    case kSensorFiberActiveForce:
      return reading.active;
    case kSensorFiberPassiveForce:
      return reading.passive;
    default:
      return reading.Power();
  }
}

}  // namespace sinew::inline sensor

#endif  // SINEW_SENSOR_FIBER_SENSOR_H_
