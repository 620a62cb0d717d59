// Checks sensors of a model from a file: their objects by type, the room for their values, and their stage.
#include <mujoco/mujoco.h>

#include <iterator>
#include <string>

#include "core/error.h"
#include "model/files/check.h"
#include "model/files/validate.h"
#include "model/kinds/names.h"
#include "model/storage/extension.h"

namespace sinew {
namespace {

// What a sensor may be attached to.
enum class Target { kNothing, kSite, kJoint, kBall, kTendon, kActuator, kFrame, kBody, kBodyOrGeom, kMesh, kAny };

struct SensorKind {
  Target object;
  int dim;  // numbers that it delivers; 0: depends on its parameters
};

// Indexed by mjtSensor.
constexpr SensorKind kSensorKinds[] = {
    {Target::kSite, 1},        // touch
    {Target::kSite, 3},        // accelerometer
    {Target::kSite, 3},        // velocimeter
    {Target::kSite, 3},        // gyro
    {Target::kSite, 3},        // force
    {Target::kSite, 3},        // torque
    {Target::kSite, 3},        // magnetometer
    {Target::kAny, 0},         // rangefinder
    {Target::kSite, 2},        // camera projection
    {Target::kJoint, 1},       // joint position
    {Target::kJoint, 1},       // joint velocity
    {Target::kTendon, 1},      // tendon position
    {Target::kTendon, 1},      // tendon velocity
    {Target::kActuator, 1},    // actuator position
    {Target::kActuator, 1},    // actuator velocity
    {Target::kActuator, 1},    // actuator force
    {Target::kJoint, 1},       // actuator force on a joint
    {Target::kTendon, 1},      // actuator force on a tendon
    {Target::kBall, 4},        // ball orientation
    {Target::kBall, 3},        // ball angular velocity
    {Target::kJoint, 1},       // joint limit position
    {Target::kJoint, 1},       // joint limit velocity
    {Target::kJoint, 1},       // joint limit force
    {Target::kTendon, 1},      // tendon limit position
    {Target::kTendon, 1},      // tendon limit velocity
    {Target::kTendon, 1},      // tendon limit force
    {Target::kFrame, 3},       // frame position
    {Target::kFrame, 4},       // frame orientation
    {Target::kFrame, 3},       // frame x axis
    {Target::kFrame, 3},       // frame y axis
    {Target::kFrame, 3},       // frame z axis
    {Target::kFrame, 3},       // frame linear velocity
    {Target::kFrame, 3},       // frame angular velocity
    {Target::kFrame, 3},       // frame linear acceleration
    {Target::kFrame, 3},       // frame angular acceleration
    {Target::kBody, 3},        // subtree centre of mass
    {Target::kBody, 3},        // subtree linear velocity
    {Target::kBody, 3},        // subtree angular momentum
    {Target::kFrame, 1},       // inside a site
    {Target::kBodyOrGeom, 1},  // geom distance
    {Target::kBodyOrGeom, 3},  // geom normal
    {Target::kBodyOrGeom, 6},  // geom segment
    {Target::kAny, 0},         // contact
    {Target::kNothing, 1},     // potential energy
    {Target::kNothing, 1},     // kinetic energy
    {Target::kNothing, 1},     // clock
    {Target::kMesh, 0},        // tactile
    {Target::kAny, 0},         // plugin
    {Target::kAny, 0},         // user
};
static_assert(std::size(kSensorKinds) == mjSENS_USER + 1);

bool Matches(Target target, int type) {
  switch (target) {
    case Target::kNothing:
    case Target::kAny:
      return true;
    case Target::kSite:
      return type == mjOBJ_SITE;
    case Target::kJoint:
    case Target::kBall:
      return type == mjOBJ_JOINT;
    case Target::kTendon:
      return type == mjOBJ_TENDON;
    case Target::kActuator:
      return type == mjOBJ_ACTUATOR;
    case Target::kBody:
      return type == mjOBJ_BODY || type == mjOBJ_XBODY;
    case Target::kMesh:
      return type == mjOBJ_MESH;
    case Target::kBodyOrGeom:
      return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM;
    case Target::kFrame:
      return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE ||
             type == mjOBJ_CAMERA;
  }
  return false;
}

void CheckObject(const mjModel& m, int sensor) {
  const SensorKind& kind = kSensorKinds[m.sensor_type[sensor]];
  const int type = m.sensor_objtype[sensor];
  if (!Matches(kind.object, type)) ThrowInvalid("sensor_objtype", sensor, type);
  // Sensors that may be attached to anything may also be attached to nothing.
  if (kind.object != Target::kNothing && type != mjOBJ_UNKNOWN) {
    CheckValue("sensor_objid", m.sensor_objid, sensor, 0, ObjectCount(m, type));
  }
  if (kind.object == Target::kBall && m.jnt_type[m.sensor_objid[sensor]] != mjJNT_BALL) {
    ThrowInvalid("sensor_objid", sensor, m.sensor_objid[sensor]);
  }
}

// Sensors that cannot do without a reference name what it must be.
void CheckReference(const mjModel& m, int sensor) {
  Target target = Target::kAny;
  int lowest = kNone;
  switch (m.sensor_type[sensor]) {
    case mjSENS_CAMPROJECTION:
      if (m.sensor_reftype[sensor] != mjOBJ_CAMERA) ThrowInvalid("sensor_reftype", sensor, m.sensor_reftype[sensor]);
      lowest = 0;
      break;
    case mjSENS_INSIDESITE:
      target = Target::kSite;
      lowest = 0;
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      target = Target::kBodyOrGeom;
      lowest = 0;
      break;
    case mjSENS_TACTILE:
      if (m.sensor_reftype[sensor] != mjOBJ_GEOM) ThrowInvalid("sensor_reftype", sensor, m.sensor_reftype[sensor]);
      lowest = 0;
      break;
    default:
      if (m.sensor_refid[sensor] >= 0 && m.sensor_type[sensor] >= mjSENS_FRAMEPOS &&
          m.sensor_type[sensor] <= mjSENS_FRAMEANGACC) {
        target = Target::kFrame;
      }
      break;
  }
  if (!Matches(target, m.sensor_reftype[sensor])) ThrowInvalid("sensor_reftype", sensor, m.sensor_reftype[sensor]);
  if (lowest == 0 || m.sensor_reftype[sensor] != mjOBJ_UNKNOWN) {
    CheckValue("sensor_refid", m.sensor_refid, sensor, lowest, ObjectCount(m, m.sensor_reftype[sensor]));
  }
}

// Sum of the sizes of the fields that a bit mask chooses.
int RecordSize(int mask, const int* sizes, int count) {
  int size = 0;
  for (int i = 0; i < count; ++i) size += mask & (1 << i) ? sizes[i] : 0;
  return size;
}

// Numbers that a sensor delivers; kNone when only the sensor itself knows.
mjtSize Dimension(const mjModel& m, int sensor) {
  constexpr int kRaySizes[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};
  constexpr int kContactSizes[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
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
      return rays * RecordSize(parameters[0], kRaySizes, mjNRAYDATA);
    }
    case mjSENS_CONTACT:
      if (parameters[2] < 0) ThrowInvalid("sensor_intprm", sensor, parameters[2]);
      return static_cast<mjtSize>(parameters[2]) * RecordSize(parameters[0], kContactSizes, mjNCONDATA);
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

}  // namespace sinew
