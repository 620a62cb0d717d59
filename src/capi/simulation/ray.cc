// Exported functions of rays in a world. A ray starts at pnt along vec in the world's frame; distances are in units of
// the length of vec, and -1 means that nothing was hit. Normals have unit length, and are zero on a miss.
#include "collision/ray/ray.h"

#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "collision/ray/ray_flex.h"
#include "core/error.h"
#include "core/stack.h"

using sinew::Error;
using sinew::LoadVec3;
using sinew::capi::Guard;

namespace {

void RequireType(const mjModel* m, int geom, mjtGeom type, const char* name) {
  if (m->geom_type[geom] == type) return;
  throw Error("geom " + std::to_string(geom) + " is not a " + name, std::string("pass the id of a ") + name);
}

// The distance along a ray to one geom, whatever its group; the normal, unless null, is zero on a miss. The function
// and the word for its type of geom are for errors.
mjtNum RayOneGeom(const char* function, mjtGeom type, const char* word, const mjModel* m, const mjData* d, int geom,
                  const sinew::Ray& ray, mjtNum* normal) {
  return Guard(function, [&] {
    RequireType(m, geom, type, word);
    const sinew::RayHit hit = sinew::RayGeom(m, d, geom, ray);
    if (normal) StoreVec3(hit.normal, normal);
    return hit.x;
  });
}

}  // namespace

extern "C" {

// geomgroup (null: all) selects groups, flg_static takes fixed bodies in, and bodyexclude (-1: none) leaves one body
// out.
mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3], const mjtByte* geomgroup,
              mjtByte flg_static, int bodyexclude, int geomid[1], mjtNum normal[3]) {
  SINEW_CHECK(mj_ray);
  return Guard("mj_ray", [&] {
    const sinew::Ray ray = {LoadVec3(pnt), LoadVec3(vec)};
    if (Norm(ray.direction) < sinew::kMinVal) throw Error("vector length is too small", "pass a direction");
    const sinew::WorldHit found = sinew::RayWorld(m, d, {geomgroup, flg_static != 0, bodyexclude}, ray);
    if (geomid) *geomid = found.geom;
    if (normal) StoreVec3(found.hit.normal, normal);
    return found.hit.x;
  });
}

// All rays start at one point; a direction of length zero hits nothing.
void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec, const mjtByte* geomgroup,
                 mjtByte flg_static, int bodyexclude, int* geomid, mjtNum* dist, mjtNum* normal, int nray,
                 mjtNum cutoff) {
  SINEW_CHECK(mj_multiRay);
  Guard("mj_multiRay", [&] {
    sinew::StackFrame frame(d);
    auto* hits = frame.Alloc<sinew::WorldHit>(nray);
    const sinew::RayFilter filter = {geomgroup, flg_static != 0, bodyexclude, cutoff};
    sinew::RayWorldMany(m, d, filter, LoadVec3(pnt), vec, nray, hits);
    for (int i = 0; i < nray; ++i) {
      dist[i] = hits[i].hit.x;
      if (geomid) geomid[i] = hits[i].geom;
      if (normal) StoreVec3(hits[i].hit.normal, normal + 3 * static_cast<ptrdiff_t>(i));
    }
  });
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                    mjtNum normal[3]) {
  SINEW_CHECK(mj_rayHfield);
  return RayOneGeom("mj_rayHfield", mjGEOM_HFIELD, "height field", m, d, geomid, {LoadVec3(pnt), LoadVec3(vec)},
                    normal);
}

mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                  mjtNum normal[3]) {
  SINEW_CHECK(mj_rayMesh);
  return RayOneGeom("mj_rayMesh", mjGEOM_MESH, "mesh", m, d, geomid, {LoadVec3(pnt), LoadVec3(vec)}, normal);
}

// Which parts are asked follows from the flags; the vertex is the one nearest to the hit.
mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte flg_edge,
                  mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum pnt[3], const mjtNum vec[3],
                  int vertid[1], mjtNum normal[3]) {
  SINEW_CHECK(mj_rayFlex);
  return Guard("mj_rayFlex", [&] {
    const sinew::FlexParts parts = {flex_layer, flg_vert != 0, flg_edge != 0, flg_face != 0, flg_skin != 0};
    const sinew::FlexHit found = sinew::RayFlex(m, d, flexid, parts, {LoadVec3(pnt), LoadVec3(vec)});
    if (vertid && found.hit) *vertid = found.vertex;
    if (normal) StoreVec3(found.hit.normal, normal);
    return found.hit.x;
  });
}

}  // extern "C"
