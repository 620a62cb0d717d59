// Exported functions of signed distance fields. A point is in the frame of the first geom; distances are metres,
// negative inside.
#include "collision/field/sdf.h"

#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"

using sinew::capi::Guard;

namespace {

// A field is a plugin's, or that of a primitive or a sampled mesh.
sinew::DistanceField Field(const mjModel* m, const mjData* d, const mjSDF& s, int i) {
  return sinew::DistanceField(m, d, s.plugin[i], s.id[i], s.geomtype[i]);
}

// The members that are read; each must be given.
void RequireMembers(const mjSDF& s) {
  const bool has_pose = s.type == mjSDFTYPE_SINGLE || (s.relpos && s.relmat);
  if (s.plugin && s.id && s.geomtype && has_pose) return;
  throw sinew::Error("a member of argument 's' is null",
                     "set plugin, id, geomtype, and relpos and relmat for two fields");
}

// Calls visit(fields); the second field and its pose are only read when the type needs them.
template <class Visit>
auto WithFields(const mjModel* m, const mjData* d, const mjSDF& s, Visit visit) {
  RequireMembers(s);
  const sinew::DistanceField first = Field(m, d, s, 0);
  if (s.type == mjSDFTYPE_SINGLE) {
    return visit(sinew::FieldPair(first, first, sinew::Zero3<double>(), sinew::Identity3<double>()));
  }
  return visit(sinew::FieldPair(first, Field(m, d, s, 1), sinew::LoadVec3(s.relpos), sinew::LoadMat3(s.relmat)));
}

}  // namespace

extern "C" {

const mjpPlugin* mjc_getSDF(const mjModel* m, int id) {
  SINEW_CHECK(mjc_getSDF);
  return Guard("mjc_getSDF", [&] { return sinew::FieldPlugin(m, id); });
}

// The type says how two fields are combined: intersection, the middle surface, or where they collide (docs/how/sdf.md).
mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]) {
  SINEW_CHECK(mjc_distance);
  return Guard("mjc_distance", [&] {
    return WithFields(m, d, *s, [&](const auto& fields) { return fields.Distance(s->type, sinew::LoadVec3(x)); });
  });
}

void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3], const mjtNum x[3]) {
  SINEW_CHECK(mjc_gradient);
  Guard("mjc_gradient", [&] {
    const auto result =
        WithFields(m, d, *s, [&](const auto& fields) { return fields.Gradient(s->type, sinew::LoadVec3(x)); });
    sinew::StoreVec3(result, gradient);
  });
}

}  // extern "C"
