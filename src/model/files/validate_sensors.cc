// Checks sensors of a model from a file: their objects by type, the room for their values, and their stage.
#include <mujoco/mujoco.h>

#include <string>

#include "core/error.h"
#include "model/files/validate.h"
#include "model/kinds/names.h"
#include "model/kinds/sensor_kinds.h"
#include "model/storage/check.h"
#include "model/storage/extension.h"

namespace sinew::inline model {
namespace {

// Whether a kind of sensor may refer to objects of a type, whatever the compiler's further conditions.
bool Matches(Attachment attachment, int type) {
  const bool is_body = type == mjOBJ_BODY || type == mjOBJ_XBODY;
  switch (attachment) {
    case Attachment::kNothing:
    case Attachment::kAny:
    case Attachment::kSiteOrCamera:  // Dimension looks at these
    case Attachment::kContact:
      return true;
    case Attachment::kSite:
    case Attachment::kCameraSite:
      return type == mjOBJ_SITE;
    case Attachment::kScalarJoint:
    case Attachment::kLimitedJoint:
    case Attachment::kBallJoint:
      return type == mjOBJ_JOINT;
    case Attachment::kTendon:
    case Attachment::kLimitedTendon:
      return type == mjOBJ_TENDON;
    case Attachment::kActuator:
      return type == mjOBJ_ACTUATOR;
    case Attachment::kBody:
      return is_body;
    case Attachment::kMeshOnGeom:
      return type == mjOBJ_MESH;
    case Attachment::kGeomPair:
      return is_body || type == mjOBJ_GEOM;
    case Attachment::kFrame:
    case Attachment::kFrameReference:
    case Attachment::kInsideSite:
      return is_body || type == mjOBJ_GEOM || type == mjOBJ_SITE || type == mjOBJ_CAMERA;
  }
  return false;
}

void CheckObject(const mjModel& m, int sensor) {
  const Attachment target = kSensorKinds[m.sensor_type[sensor]].attachment;
  const int type = m.sensor_objtype[sensor];
  if (!Matches(target, type)) ThrowInvalid("sensor_objtype", sensor, type);
  // Sensors that may be attached to anything may also be attached to nothing.
  if (target != Attachment::kNothing && type != mjOBJ_UNKNOWN) {
    CheckValue("sensor_objid", m.sensor_objid, sensor, 0, ObjectCount(m, type));
  }
  if (target == Attachment::kBallJoint && m.jnt_type[m.sensor_objid[sensor]] != mjJNT_BALL) {
    ThrowInvalid("sensor_objid", sensor, m.sensor_objid[sensor]);
  }
}

// Sensors that cannot do without a reference name what it must be.
void CheckReference(const mjModel& m, int sensor) {
  Attachment target = Attachment::kAny;
  int lowest = kNone;
  switch (m.sensor_type[sensor]) {
    case mjSENS_CAMPROJECTION:
      if (m.sensor_reftype[sensor] != mjOBJ_CAMERA) ThrowInvalid("sensor_reftype", sensor, m.sensor_reftype[sensor]);
      lowest = 0;
      break;
    case mjSENS_INSIDESITE:
      target = Attachment::kSite;
      lowest = 0;
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      target = Attachment::kGeomPair;
      lowest = 0;
      break;
    case mjSENS_TACTILE:
      if (m.sensor_reftype[sensor] != mjOBJ_GEOM) ThrowInvalid("sensor_reftype", sensor, m.sensor_reftype[sensor]);
      lowest = 0;
      break;
    default:
      if (m.sensor_refid[sensor] >= 0 && m.sensor_type[sensor] >= mjSENS_FRAMEPOS &&
          m.sensor_type[sensor] <= mjSENS_FRAMEANGACC) {
        target = Attachment::kFrame;
      }
      break;
  }
  if (!Matches(target, m.sensor_reftype[sensor])) ThrowInvalid("sensor_reftype", sensor, m.sensor_reftype[sensor]);
  if (lowest == 0 || m.sensor_reftype[sensor] != mjOBJ_UNKNOWN) {
    CheckValue("sensor_refid", m.sensor_refid, sensor, lowest, ObjectCount(m, m.sensor_reftype[sensor]));
  }
}

// The count of a sensor's numbers; kNone when only the sensor itself defines it.
mjtSize Dimension(const mjModel& m, int sensor) {
  const int* parameters = m.sensor_intprm + mjNSENS * sensor;
  const int object = m.sensor_objid[sensor];
  switch (m.sensor_type[sensor]) {
    case mjSENS_RANGEFINDER: {
      mjtSize rays = 1;
      if (m.sensor_objtype[sensor] == mjOBJ_CAMERA) {
        const int* resolution = m.cam_resolution + 2 * object;
        if (resolution[0] < 0 || resolution[1] < 0) ThrowInvalid("cam_resolution", object, resolution[0]);
        rays = static_cast<mjtSize>(resolution[0]) * resolution[1];
      } else if (m.sensor_objtype[sensor] != mjOBJ_SITE) {
        ThrowInvalid("sensor_objtype", sensor, m.sensor_objtype[sensor]);
      }
      return rays * RayDataSize(parameters[0]);
    }
    case mjSENS_CONTACT:
      if (parameters[2] < 0) ThrowInvalid("sensor_intprm", sensor, parameters[2]);
      return static_cast<mjtSize>(parameters[2]) * ContactDataSize(parameters[0]);
    case mjSENS_TACTILE:
      return 3 * static_cast<mjtSize>(m.mesh_vertnum[object]);
    case mjSENS_PLUGIN:
    case mjSENS_USER:
      return kNone;
    default:
      return kSensorKinds[m.sensor_type[sensor]].dim;
  }
}

}  // namespace

void ValidateSensors(const mjModel& m) {
  for (int i = 0; i < m.nsensor; ++i) {
    if (IsExtensionSensor(m.sensor_type[i])) continue;  // model/storage/extension.h
    CheckObject(m, i);
    CheckReference(m, i);
    const mjtSize dim = Dimension(m, i);
    if (dim != kNone && dim != m.sensor_dim[i]) ThrowInvalid("sensor_dim", i, m.sensor_dim[i]);
  }
}

}  // namespace sinew::inline model
