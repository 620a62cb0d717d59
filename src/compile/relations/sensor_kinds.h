// Kinds of sensors: what each may be attached to and what it delivers.
#ifndef SINEW_COMPILE_RELATIONS_SENSOR_KINDS_H_
#define SINEW_COMPILE_RELATIONS_SENSOR_KINDS_H_

#include <mujoco/mujoco.h>

namespace sinew {

// What a sensor may be attached to.
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
  mjtStage stage;
  mjtDataType datatype;
  int dim;  // 0: depends on parameters
};

// Null for kinds that this version does not compile.
const SensorKind* FindSensorKind(mjtSensor type);

// Numbers that one contact, or one ray, delivers: the sum over the fields of the bit mask.
int ContactDataSize(int mask);
int RayDataSize(int mask);

}  // namespace sinew

#endif  // SINEW_COMPILE_RELATIONS_SENSOR_KINDS_H_
