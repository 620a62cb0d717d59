// Kinds of sensors: what each may be attached to and what it delivers (tables/sensors.json).
#ifndef SINEW_MODEL_KINDS_SENSOR_KINDS_H_
#define SINEW_MODEL_KINDS_SENSOR_KINDS_H_

#include <mujoco/mujoco.h>
#include <sinew/contact_data.h>

#include <iterator>

namespace sinew::inline model {

// The object to which a sensor may be attached.
enum class Attachment {
  kNothing,  // the model as a whole
  kSite,
  kSiteOrCamera,
  kScalarJoint,  // slide or hinge
  kBallJoint,
  kLimitedJoint,
  kTendon,
  kLimitedTendon,
  kActuator,
  kBody,
  kFrame,           // what has a frame: body, xbody, geom, site, camera
  kFrameReference,  // the same, measured against another frame or the world
  kInsideSite,      // something with a frame, and a site
  kCameraSite,      // a site, and the camera that sees it
  kGeomPair,        // two bodies or geoms
  kContact,         // up to two of site, body, subtree, geom
  kMeshOnGeom,      // a mesh, and the geom in whose frame it stands
  kAny              // any object, or none
};

struct SensorKind {
  mjtSensor type;
  Attachment attachment;
  mjtStage stage;  // of a step at which it can be computed
  mjtDataType datatype;
  int dim;  // 0: depends on parameters
};

// The kind of a sensor stands at the index of its mjtSensor.
inline constexpr SensorKind kSensorKinds[] = {
#include "model/kinds/sensor_kinds_generated.h"
};
static_assert(std::size(kSensorKinds) == mjSENS_USER + 1);

// Null for numbers that are no kind of sensor.
constexpr const SensorKind* FindSensorKind(int type) {
  return type >= 0 && type <= mjSENS_USER ? &kSensorKinds[type] : nullptr;
}

// Adds the sizes of those fields whose bits are set.
constexpr int SumOfFields(const int* sizes, int count, int mask) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (mask & (1 << i)) sum += sizes[i];
  }
  return sum;
}

// found, force, torque, dist, pos, normal, tangent, linvel, angvel
inline constexpr int kContactDataSizes[sinewNCONDATA] = {1, 3, 3, 1, 3, 3, 3, 3, 3};

// Numbers that one contact, or one ray, delivers: the sum over the fields of the bit mask.
constexpr int ContactDataSize(int mask) { return SumOfFields(kContactDataSizes, sinewNCONDATA, mask); }
constexpr int RayDataSize(int mask) {
  constexpr int kSizes[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};  // dist, dir, origin, point, normal, depth
  return SumOfFields(kSizes, mjNRAYDATA, mask);
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_SENSOR_KINDS_H_
