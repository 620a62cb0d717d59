// Sensors, in the three stages after which their inputs are known. Each writes its part of sensordata.
//
// Sensors of one stage are evaluated in the order of their ids, then the user callback runs once if the model has user
// sensors of that stage. Subtree velocities and body accelerations are computed when the first sensor asks for them.
#ifndef SINEW_SENSOR_SENSOR_H_
#define SINEW_SENSOR_SENSOR_H_

#include <mujoco/mujoco.h>

namespace sinew::inline sensor {

void SensorPos(const mjModel* m, mjData* d);
void SensorVel(const mjModel* m, mjData* d);
void SensorAcc(const mjModel* m, mjData* d);

// All three, but for the sensors that `done` marks (nsensor flags). Fields that sensors share are computed anew.
void RemainingSensors(const mjModel* m, mjData* d, const bool* done);

// The current value of one built-in sensor, before history and with cutoff, into `value` (sensor_dim numbers). The end
// of a step records delayed sensors with it.
void EvaluateSensor(const mjModel* m, mjData* d, int sensor, double* value);

}  // namespace sinew::inline sensor

#endif  // SINEW_SENSOR_SENSOR_H_
