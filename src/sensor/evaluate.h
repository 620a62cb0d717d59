// The value of one sensor, a file per stage. `out` has sensor_dim numbers.
#ifndef SINEW_SENSOR_EVALUATE_H_
#define SINEW_SENSOR_EVALUATE_H_

#include <mujoco/mujoco.h>

#include "model/view/view_of.h"
#include "sensor/sensor_kernel.h"

namespace sinew::inline sensor {

// Those without a formula (sensor_kernel.h).
void EvaluatePosition(const mjModel* m, mjData* d, const SensorSpec& s, double* out);
void EvaluateVelocity(const mjData* d, const SensorSpec& s, double* out);
void EvaluateAcceleration(const mjModel* m, mjData* d, const SensorSpec& s, double* out);

// Rays of a site or a camera.
void EvaluateRangefinder(const mjModel* m, mjData* d, const SensorSpec& s, double* out);

// Distance, normal and closest points of two geoms or bodies.
void EvaluateDistance(const mjModel* m, mjData* d, const SensorSpec& s, double* out);

// Contact sensors: contacts that match, reduced and sorted.
void EvaluateContact(const mjModel* m, mjData* d, const SensorSpec& s, double* out);

// Pressure and slip at the vertices of a mesh.
void EvaluateTactile(const mjModel* m, mjData* d, const SensorSpec& s, double* out);

// Sum of normal forces of contacts whose line of action meets the site's volume.
double EvaluateTouch(const mjModel* m, mjData* d, int site);
// The part of one contact in it (N).
double TouchForce(const mjModel* m, const mjData* d, int site, int contact);

// Whether a sensor keeps its last value because what it looks at sleeps, or is static beside what sleeps.
bool IsSensorAsleep(const mjModel* m, const mjData* d, int sensor);

// Whether a sensor is of touch, has no history and is awake.
inline bool IsPlainTouch(const mjModel* m, const mjData* d, int sensor) {
  return m->sensor_type[sensor] == mjSENS_TOUCH && ViewOf(m).sensor_history(sensor)[0] <= 0 &&
         !IsSensorAsleep(m, d, sensor);
}

// Contacts with their normal forces; null: those of the world, whose rows have them.
struct PushingContacts {
  const mjContact* contact;
  const double* normal_force;
  int count;
};

// Writes sensordata of all of those, which go through the contacts once together.
void EvaluateTouches(const mjModel* m, mjData* d, const PushingContacts& pushing);

// Whether a point is strictly inside the volume of a site.
bool IsInsideSite(const mjModel* m, const mjData* d, int site, const double point[3]);

// The first row of an object's limit, or -1; `type`: mjCNSTR_LIMIT_JOINT or mjCNSTR_LIMIT_TENDON.
int LimitRow(const mjData* d, int type, int id);

// Its entry in an array of all rows (efc_vel, efc_force); zero while the limit is not active, as it has no row then.
double LimitNumber(const mjData* d, int type, int id, const double* of_rows);

}  // namespace sinew::inline sensor

#endif  // SINEW_SENSOR_EVALUATE_H_
