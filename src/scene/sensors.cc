// Geoms of sensors: rays of rangefinders, and shortest distances.

#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

constexpr double kLineWidth = 3;  // [pixel]
// Radii of points, relative to the width of frames, and length of normals, relative to their length.
constexpr double kSitePoint = 1.5, kCameraPoint = 1.3, kNormalLength = 2;

// The record of one ray, whose fields stand in the order of their bits.
class RayRecord {
 public:
  RayRecord(int fields, const double* data) : fields_(fields), data_(data) {}

  bool Has(mjtRayDataField field) const { return (fields_ & (1 << field)) != 0; }
  // Fields before this one decide where it is: one number for distances, three for points.
  const double* At(mjtRayDataField field) const {
    int offset = 0;
    for (int i = 0; i < field; ++i) offset += fields_ & (1 << i) ? Width(i) : 0;
    return data_ + offset;
  }
  static int Width(int field) { return field == mjRAYDATA_DIST || field == mjRAYDATA_DEPTH ? 1 : 3; }

 private:
  int fields_;
  const double* data_;
};

// A ray along the z axis of a site, with the data of the hit in its record.
void AddSiteRay(SceneBuilder& s, int sensor, const RayRecord& record) {
  const mjModel* m = s.m;
  const int site = m->sensor_objid[sensor];
  const SceneTag tag = Decor(sensor, mjOBJ_SENSOR);
  const float* rgba = m->vis.rgba.rangefinder;
  const Vec from = s.data.site_xpos(site), axis = s.data.site_xmat(site).Column(2);
  if (record.Has(mjRAYDATA_DIST) && *record.At(mjRAYDATA_DIST) >= 0) {
    s.PushConnector(tag, mjGEOM_LINE, kLineWidth, from, from + axis * *record.At(mjRAYDATA_DIST), rgba);
  }
  if (!record.Has(mjRAYDATA_POINT)) return;
  const Vec point = LoadVec3(record.At(mjRAYDATA_POINT));
  const double radius = kSitePoint * s.Scaled(m->vis.scale.framewidth);
  s.PushShape(tag, mjGEOM_SPHERE, {radius, radius, radius}, point, Identity3<double>(), rgba);
  if (!record.Has(mjRAYDATA_NORMAL)) return;
  const Vec normal = LoadVec3(record.At(mjRAYDATA_NORMAL));
  s.PushConnector(tag, mjGEOM_ARROW1, s.Scaled(m->vis.scale.framewidth), point,
                  point + normal * (kNormalLength * s.Scaled(m->vis.scale.framelength)), rgba);
}

// The points that the rays of a camera hit.
void AddCameraRays(SceneBuilder& s, int sensor, int fields, const double* data) {
  const mjModel* m = s.m;
  int width = 0;
  for (int i = 0; i < mjNRAYDATA; ++i) width += fields & (1 << i) ? RayRecord::Width(i) : 0;
  const double radius = kCameraPoint * s.Scaled(m->vis.scale.framewidth);
  for (int at = 0; width && at + width <= m->sensor_dim[sensor]; at += width) {
    const RayRecord record(fields, data + at);
    if (!record.Has(mjRAYDATA_POINT)) return;
    const Vec point = LoadVec3(record.At(mjRAYDATA_POINT));
    if (IsZero(point)) continue;
    s.PushShape(Decor(sensor, mjOBJ_SENSOR), mjGEOM_SPHERE, {radius, radius, radius}, point, Identity3<double>(),
                m->vis.rgba.rangefinder);
  }
}

}  // namespace

void AddRangefinders(SceneBuilder& s) {
  if (!s.Shows(mjVIS_RANGEFINDER)) return;
  const mjModel* m = s.m;
  for (int id = 0; id < m->nsensor; ++id) {
    const double* data = s.d->sensordata + m->sensor_adr[id];
    const int fields = m->sensor_intprm[mjNSENS * id];
    if (m->sensor_type[id] == mjSENS_RANGEFINDER) {
      if (m->sensor_objtype[id] == mjOBJ_CAMERA) {
        AddCameraRays(s, id, fields, data);
      } else {
        AddSiteRay(s, id, RayRecord(fields, data));
      }
    } else if (m->sensor_type[id] == mjSENS_GEOMFROMTO) {
      s.PushConnector(Decor(id, mjOBJ_SENSOR), mjGEOM_LINE, kLineWidth, LoadVec3(data), LoadVec3(data + 3),
                      m->vis.rgba.rangefinder);
    }
  }
}

}  // namespace sinew::inline scene
