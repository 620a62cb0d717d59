// Distance sensors: the closest points of two geoms, or of the geoms of two bodies, in the world's frame and in metres.
// A body counts with all of its geoms, and filters of collisions do not apply.
#include "collision/distance.h"

#include <algorithm>

#include "math/vec3.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

// Geoms [first, last) of a geom or body.
struct GeomRange {
  int first, last;
};
GeomRange GeomsOf(const mjModel* m, int type, int id) {
  if (type == mjOBJ_GEOM) return {id, id + 1};
  return {m->body_geomadr[id], m->body_geomadr[id] + m->body_geomnum[id]};
}

}  // namespace

// The cutoff is also how far is searched, and the distance when nothing is nearer.
void EvaluateDistance(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  const double limit = m->sensor_cutoff[s.id];
  const GeomRange a = GeomsOf(m, s.objtype, s.objid), b = GeomsOf(m, s.reftype, s.refid);
  double distance = limit, closest[6] = {};
  for (int i = a.first; i < a.last; ++i) {
    for (int j = b.first; j < b.last; ++j) {
      double fromto[6];
      const double found = GeomDistance(m, d, i, j, limit, fromto);
      if (found >= distance) continue;
      distance = found;
      std::copy(fromto, fromto + 6, closest);
    }
  }

  switch (s.type) {
    case mjSENS_GEOMDIST:
      out[0] = distance;
      return;
    case mjSENS_GEOMFROMTO:
      std::copy(closest, closest + 6, out);
      return;
    default:
      // normal: none where nothing is near, or where the two just touch
      Vec3<double> normal = LoadVec3(closest + 3) - LoadVec3(closest);
      StoreVec3(Normalize(normal) < kMinVal ? Zero3<double>() : normal, out);
  }
}

}  // namespace sinew::inline sensor
