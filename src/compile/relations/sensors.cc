// Sensors: what they are attached to, how many numbers they deliver, and where these stand in sensordata. The table of
// kinds (model/kinds/sensor_kinds.h) says what each kind needs; this file checks it and writes the arrays.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "compile/diagnose.h"
#include "compile/draft_list.h"
#include "compile/passes.h"
#include "compile/relations/reference.h"
#include "compile/rows.h"
#include "compile/topology/relations.h"
#include "model/kinds/sensor_kinds.h"
#include "spec/actuator_kinds.h"

namespace sinew::inline compile {
namespace {

// ---- objects

// Subtrees of contact sensors are stored as bodies with their frames.
bool HasFrame(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE || type == mjOBJ_CAMERA;
}

void CheckThat(bool holds, const char* problem, const char* remedy) {
  if (!holds) throw Error(problem, remedy);
}

// The attribute of MJCF that names the object of a sensor, or the second one, which is its reference.
std::string AttributeOf(const Sensor& source, mjtObj type, bool is_second) {
  const bool is_frame = source.type >= mjSENS_FRAMEPOS && source.type <= mjSENS_FRAMEANGACC;
  if (is_frame || source.type == mjSENS_INSIDESITE) return is_second ? "refname" : "objname";
  const bool is_pair = source.type >= mjSENS_GEOMDIST && source.type <= mjSENS_GEOMFROMTO;
  const std::string name = type == mjOBJ_XBODY ? "subtree" : TypeName(type);
  return is_pair || source.type == mjSENS_CONTACT ? name + (is_second ? "2" : "1") : TypeName(type);
}

// Ids by type and name; a type that is not given means no object.
void ResolveObjects(const Draft& draft, SensorDraft& sensor) {
  const Sensor& source = *sensor.source;
  sensor.objtype = source.objtype;
  sensor.reftype = source.reftype;
  const auto id_of = [&](mjtObj type, const std::string& name, bool is_second) {
    return type == mjOBJ_UNKNOWN ? -1 : RequireId(AttributeOf(source, type, is_second), draft.spec, type, name);
  };
  sensor.objid = id_of(source.objtype, *source.objname, false);
  sensor.refid = id_of(source.reftype, *source.refname, true);
}

// Kinds differ in the joints that they accept: positions of scalar joints, quaternions of balls, distances to limits.
void CheckJoint(const Draft& draft, const SensorDraft& sensor, Attachment attachment) {
  CheckThat(sensor.objtype == mjOBJ_JOINT, "the sensor is not attached to a joint", "name a joint");
  const JointDraft& joint = FindJoint(draft, sensor.objid);
  const mjtJoint type = joint.source->type;
  const bool scalar = type == mjJNT_SLIDE || type == mjJNT_HINGE;
  switch (attachment) {
    case Attachment::kBallJoint:
      return CheckThat(type == mjJNT_BALL, "joint must be ball", "name a ball joint");
    case Attachment::kLimitedJoint:
      return CheckThat(joint.limited, "joint must be limited", "name a limited joint");
    default:
      return CheckThat(scalar, "joint must be slide or hinge", "name a slide or hinge");
  }
}

// The reference is optional; without one the sensor measures in the world's frame.
void CheckReference(const SensorDraft& sensor) {
  CheckThat(sensor.reftype == mjOBJ_UNKNOWN || HasFrame(sensor.reftype), "the reference has no frame",
            "use a body, xbody, geom, site or camera");
}

// Frame sensors measure anything with a pose. Accelerations have no reference frame: they are those of the world.
void CheckFrames(const SensorDraft& sensor, bool with_reference) {
  CheckThat(HasFrame(sensor.objtype), "the sensor is not attached to something with a frame",
            "use a body, xbody, geom, site or camera");
  CheckThat(sensor.reftype == mjOBJ_UNKNOWN || with_reference, "the sensor takes no reference", "remove it");
  CheckReference(sensor);
}

// A body stands for all of its geoms.
void CheckPair(const SensorDraft& sensor) {
  const auto allowed = [](mjtObj type) { return type == mjOBJ_BODY || type == mjOBJ_GEOM; };
  CheckThat(allowed(sensor.objtype) && allowed(sensor.reftype), "the sensor needs two bodies or geoms", "name both");
  CheckThat(sensor.objtype != sensor.reftype || sensor.objid != sensor.refid, "both objects are the same",
            "name two different ones");
}

// Either side may be open: then any contact of the other side counts.
void CheckContact(const SensorDraft& sensor) {
  const auto allowed = [](mjtObj type) {
    return type == mjOBJ_UNKNOWN || type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM;
  };
  CheckThat(allowed(sensor.objtype) || sensor.objtype == mjOBJ_SITE,
            "first matching criterion: if set, must be (x)body, geom or site", "use one of them");
  CheckThat(allowed(sensor.reftype), "second matching criterion: if set, must be (x)body or geom", "use one of them");
}

// Checks the object of a sensor by the rule of its kind (model/kinds/sensor_kinds.h).
void CheckAttachment(const Draft& draft, const SensorDraft& sensor, Attachment attachment) {
  const mjtObj type = sensor.objtype;
  switch (attachment) {
    case Attachment::kNothing:
      return CheckThat(type == mjOBJ_UNKNOWN, "the sensor has an object", "remove it");
    case Attachment::kSite:
      return CheckThat(type == mjOBJ_SITE, "the sensor is not attached to a site", "name a site");
    case Attachment::kSiteOrCamera:
      return CheckThat(type == mjOBJ_SITE || type == mjOBJ_CAMERA, "the sensor is not attached to a site or camera",
                       "name one");
    case Attachment::kScalarJoint:
    case Attachment::kBallJoint:
    case Attachment::kLimitedJoint:
      return CheckJoint(draft, sensor, attachment);
    case Attachment::kTendon:
      return CheckThat(type == mjOBJ_TENDON, "the sensor is not attached to a tendon", "name a tendon");
    case Attachment::kLimitedTendon:
      CheckThat(type == mjOBJ_TENDON, "the sensor is not attached to a tendon", "name a tendon");
      return CheckThat(draft.tendons[static_cast<size_t>(sensor.objid)].limited, "tendon must be limited",
                       "name a limited tendon");
    case Attachment::kActuator:
      return CheckThat(type == mjOBJ_ACTUATOR, "the sensor is not attached to an actuator", "name an actuator");
    case Attachment::kBody:
      return CheckThat(type == mjOBJ_BODY, "the sensor is not attached to a body", "name a body");
    case Attachment::kFrame:
      return CheckFrames(sensor, false);
    case Attachment::kFrameReference:
      return CheckFrames(sensor, true);
    case Attachment::kInsideSite:
      CheckThat(sensor.reftype == mjOBJ_SITE, "the sensor needs a site", "name it");
      return CheckFrames(sensor, true);
    case Attachment::kCameraSite:
      return CheckThat(type == mjOBJ_SITE && sensor.reftype == mjOBJ_CAMERA, "the sensor needs a site and a camera",
                       "name both");
    case Attachment::kGeomPair:
      return CheckPair(sensor);
    case Attachment::kContact:
      return CheckContact(sensor);
    case Attachment::kMeshOnGeom:
      CheckThat(type == mjOBJ_MESH, "the sensor is not attached to a mesh", "name a mesh");
      return CheckThat(sensor.reftype == mjOBJ_GEOM, "the sensor is not attached to a geom", "name a geom");
    case Attachment::kAny:
      return CheckReference(sensor);
  }
}

// ---- output

// The first numbers of some sensors say by bits which fields they report.
void CheckFields(int mask, int count, const char* constant) {
  const std::string given = "data spec intprm[0]=" + std::to_string(mask);
  if (mask <= 0) {
    throw Error("data spec (intprm[0]) must be positive, got " + std::to_string(mask), "name at least one field");
  }
  if (mask % (1 << count) == 0) {
    throw Error(given + " must have at least one bit set of the first " + constant + " bits", "name a field");
  }
  if (mask >= 1 << count) {
    throw Error(given + " has bits set beyond the first " + constant + " bits", "name fields that exist");
  }
}

// The numbers of a sensor, from a product that has 64 bits.
int CheckedSize(int64_t size) {
  if (size >= 0 && size <= std::numeric_limits<int>::max()) return static_cast<int>(size);
  throw Error("the sensor has " + std::to_string(size) + " numbers", "reduce them below 2^31");
}

// One ray along the z axis of a site, or one for each pixel of a camera.
int RangefinderSize(const Sensor& source) {
  const int mask = source.intprm[0];
  CheckFields(mask, mjNRAYDATA, "mjNRAYDATA");
  int64_t rays = 1;
  if (source.objtype == mjOBJ_CAMERA) {
    const int* resolution = static_cast<Camera&>(Require(*source.spec, mjOBJ_CAMERA, *source.objname)).resolution;
    rays = int64_t{std::max(resolution[0], 0)} * std::max(resolution[1], 0);
  }
  return CheckedSize(std::min(rays, int64_t{1} << 32) * RayDataSize(mask));
}

// Each of `num` slots holds the fields of the mask; slots without a contact read zero.
int ContactSize(const Sensor& source) {
  const int* prm = source.intprm;                    // fields, reduction, number of contacts
  CheckFields(prm[0], sinewNCONDATA, "mjNCONDATA");  // programs look for this name
  if (prm[1] < 0 || prm[1] > 3) {
    throw Error("unknown reduction criterion. got " + std::to_string(prm[1]),
                "use none, mindist, maxforce or netforce");
  }
  constexpr int kNetForce = 3, kVelocities = 1 << sinewCONDATA_LINVEL | 1 << sinewCONDATA_ANGVEL;
  CheckThat(prm[1] != kNetForce || !(prm[0] & kVelocities), "the net force of several contacts has no linvel or angvel",
            "use another reduction, or leave them out");
  CheckThat(prm[2] > 0, "num (intprm[2]) must be positive in sensor", "set num");
  return CheckedSize(int64_t{prm[2]} * ContactDataSize(prm[0]));
}

// Pressure and two speeds of slip at every vertex of the mesh. Only the compiler knows the vertices of a file; before,
// those that the user gives count.
int TactileSize(const Sensor& source) {
  const auto& mesh = static_cast<const Mesh&>(Require(*source.spec, mjOBJ_MESH, *source.objname));
  return CheckedSize(static_cast<int64_t>(mesh.uservert->size()));
}

// Sensors of muscles with tendons: one number of the last stage each.
constexpr SensorKind kExtensionKind = {mjSENS_USER, Attachment::kActuator, mjSTAGE_ACC, mjDATATYPE_REAL, 1};

void CheckMusculotendonSensor(const Draft& draft, const SensorDraft& sensor) {
  CheckThat(IsMusculotendon(*draft.actuators[static_cast<size_t>(sensor.objid)].source),
            "the actuator is no musculotendon", "name one");
}

}  // namespace

int SensorDim(const Sensor& sensor) {
  if (sensor.extension) return kExtensionKind.dim;
  const SensorKind* kind = FindSensorKind(sensor.type);
  switch (sensor.type) {
    case mjSENS_RANGEFINDER:
      return RangefinderSize(sensor);
    case mjSENS_CONTACT:
      return ContactSize(sensor);
    case mjSENS_TACTILE:
      return TactileSize(sensor);
    case mjSENS_USER:
      return sensor.dim;
    default:
      return kind ? kind->dim : 0;
  }
}

namespace {

// The user says what a user sensor delivers; the rest follows from the kind.
void ResolveUser(SensorDraft& sensor) {
  const Sensor& source = *sensor.source;
  sensor.datatype = source.datatype;
  sensor.needstage = source.needstage;
  sensor.dim = source.dim;
  CheckThat(source.dim >= 0, "dim is negative", "give a number of at least 0");
  CheckThat(source.datatype != mjDATATYPE_AXIS || source.dim == 3, "an axis needs dim 3", "set dim");
  CheckThat(source.datatype != mjDATATYPE_QUATERNION || source.dim == 4, "a quaternion needs dim 4", "set dim");
}

// Kinds of fixed size have it in the table; that of the others follows from their parameters, or the mesh.
void ResolveOutput(const Draft& draft, const SensorKind& kind, SensorDraft& sensor) {
  sensor.datatype = kind.datatype;
  sensor.needstage = kind.stage;
  sensor.dim = SensorDim(*sensor.source);
  if (kind.type == mjSENS_USER && !sensor.source->extension) ResolveUser(sensor);
  if (kind.type == mjSENS_TACTILE) {
    const auto& vertices = draft.meshes[static_cast<size_t>(sensor.objid)].mesh.data.vertex;
    sensor.dim = CheckedSize(static_cast<int64_t>(vertices.size()));
  }
}

// NaN passes the comparisons: it means that nothing is given.
void CheckValues(const SensorDraft& sensor) {
  const Sensor& source = *sensor.source;
  CheckThat(!(source.noise < 0), "noise is negative", "give a number of at least 0");
  CheckThat(!(source.cutoff < 0), "cutoff is negative", "give a number of at least 0");
  const bool direction = sensor.datatype == mjDATATYPE_AXIS || sensor.datatype == mjDATATYPE_QUATERNION;
  CheckThat(!(source.cutoff > 0 && direction && source.type != mjSENS_GEOMNORMAL),
            "a cutoff has no meaning for an axis or quaternion", "remove it");
  CheckThat(!(source.interval[0] < 0), "the period of the interval is negative", "give a number of at least 0");
  CheckThat(!(source.interval[1] > 0), "the phase of the interval is positive", "give a number of at most 0");
  CheckThat(!(source.delay > 0 && source.nsample <= 0), "a delay needs a history of samples", "set nsample");
}

SensorDraft DraftSensor(Sensor& source, Draft& draft) {
  const SensorKind* kind = source.extension ? &kExtensionKind : FindSensorKind(source.type);
  if (!kind) throw Error("sensors of this kind are not supported", "remove it");
  SensorDraft sensor = {};
  sensor.source = &source;
  sensor.plugin = UsePlugin(draft, source.plugin, mjPLUGIN_SENSOR);
  ResolveObjects(draft, sensor);
  CheckAttachment(draft, sensor, kind->attachment);
  if (source.extension) CheckMusculotendonSensor(draft, sensor);
  ResolveOutput(draft, *kind, sensor);
  CheckValues(sensor);
  return sensor;
}

}  // namespace

void DraftSensors(Draft& draft) {
  DraftList<Sensor>(draft, draft.sensors, [&](Sensor& source) { return DraftSensor(source, draft); });
}

// Histories of sensors stand behind those of all actuators in one array.
void WriteSensors(const Draft& draft, mjModel* m) {
  int adr = 0, history_adr = 0;
  for (const ActuatorDraft& actuator : draft.actuators) history_adr += HistoryLength(actuator.source->nsample, 1);
  for (int i = 0; i < m->nsensor; ++i) {
    const SensorDraft& sensor = draft.sensors[static_cast<size_t>(i)];
    const Sensor& source = *sensor.source;
    m->sensor_type[i] = source.extension ? source.extension : source.type;
    m->sensor_datatype[i] = sensor.datatype;
    m->sensor_needstage[i] = sensor.needstage;
    m->sensor_objtype[i] = sensor.objtype;
    m->sensor_objid[i] = sensor.objid;
    m->sensor_reftype[i] = sensor.reftype;
    m->sensor_refid[i] = sensor.refid;
    PutRow(m->sensor_intprm, i, source.intprm);
    m->sensor_dim[i] = sensor.dim;
    m->sensor_adr[i] = adr;
    adr += sensor.dim;
    m->sensor_cutoff[i] = source.cutoff;
    m->sensor_noise[i] = source.noise;
    const int history[2] = {source.nsample, source.interp};
    PutRow(m->sensor_history, i, history);
    m->sensor_historyadr[i] = source.nsample > 0 ? history_adr : -1;
    history_adr += HistoryLength(source.nsample, sensor.dim);
    m->sensor_delay[i] = source.delay;
    PutRow(m->sensor_interval, i, source.interval);
    PutUser(m->sensor_user, i, m->nuser_sensor, *source.userdata);
    m->sensor_plugin[i] = sensor.plugin;
  }
}

}  // namespace sinew::inline compile
