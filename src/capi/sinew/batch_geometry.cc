// The functions of <sinew/batch.h> that follow from positions of all worlds alone: rays and Jacobians.
#include <cmath>

#include "capi/arguments.h"
#include "capi/sinew/batch_handle.h"
#include "collision/ray/ray.h"
#include "kinematics/jacobian.h"
#include "kinematics/kinematics.h"
#include "math/mat3.h"
#include "math/vec3.h"

using sinew::capi::Count;
using sinew::capi::Given;
using sinew::capi::Masked;

namespace {

using Vector = sinew::Vec3<double>;
using Rotation = sinew::Mat3<double>;

// An element of the model by its kind and number, with what its kind is called in errors.
struct Element {
  int type, id;

  int Number(const mjModel& m) const {
    if (type == mjOBJ_BODY) return static_cast<int>(m.nbody);
    if (type == mjOBJ_GEOM) return static_cast<int>(m.ngeom);
    if (type == mjOBJ_SITE) return static_cast<int>(m.nsite);
    throw sinew::Error("objtype is " + std::to_string(type), "give mjOBJ_BODY, mjOBJ_GEOM or mjOBJ_SITE");
  }
  void Check(const mjModel& m) const {
    const int number = Number(m);
    if (id >= 0 && id < number) return;
    throw sinew::Error("id is " + std::to_string(id) + ", and there are " + std::to_string(number) + " of this type");
  }
  const double* Position(const mjData& d) const {
    return (type == mjOBJ_BODY ? d.xpos : type == mjOBJ_GEOM ? d.geom_xpos : d.site_xpos) + 3 * id;
  }
  const double* Orientation(const mjData& d) const {
    return (type == mjOBJ_BODY ? d.xmat : type == mjOBJ_GEOM ? d.geom_xmat : d.site_xmat) + 9 * id;
  }
};

// The rotation about the vertical that takes the world's x axis below the x axis of a frame; where that one is
// vertical, below its z axis.
Rotation YawOf(const Rotation& frame) {
  const Vector x = frame.Column(0), z = frame.Column(2);
  const Vector ahead = std::hypot(x.x, x.y) > 1e-6 ? x : z;
  const double length = std::hypot(ahead.x, ahead.y), c = ahead.x / length, s = ahead.y / length;
  return {{c, -s, 0, s, c, 0, 0, 0, 1}};
}

// The rays of one world, whose poses are known.
void CastRays(const mjModel* m, const mjData* d, const sinewBatchRays& rays, size_t first) {
  const sinew::RayFilter filter = {rays.geomgroup, rays.skip_static == 0, rays.bodyexclude};
  const bool in_frame = rays.objtype != mjOBJ_UNKNOWN;
  const Element element = {rays.objtype, rays.id};
  const Vector origin = in_frame ? sinew::LoadVec3(element.Position(*d)) : sinew::Zero3<double>();
  Rotation frame = in_frame ? sinew::LoadMat3(element.Orientation(*d)) : sinew::Identity3<double>();
  if (rays.upright) frame = YawOf(frame);
  for (size_t i = first; i < first + static_cast<size_t>(rays.nray); ++i) {
    const Vector point = sinew::LoadVec3(rays.point + 3 * i), direction = sinew::LoadVec3(rays.direction + 3 * i);
    const sinew::WorldHit found = sinew::RayWorld(m, d, filter, {origin + frame * point, frame * direction});
    if (rays.dist) rays.dist[i] = found.hit.x;
    if (rays.geom) rays.geom[i] = found.geom;
  }
}

void CheckRays(const mjModel& m, const sinewBatchRays& rays, int worlds) {
  if (rays.nray < 0) throw sinew::Error("nray is " + std::to_string(rays.nray));
  if (rays.objtype != mjOBJ_UNKNOWN) Element{rays.objtype, rays.id}.Check(m);
  if (rays.bodyexclude < -1 || rays.bodyexclude >= m.nbody) {
    throw sinew::Error("bodyexclude is " + std::to_string(rays.bodyexclude), "-1 is none");
  }
  const size_t count = static_cast<size_t>(worlds) * static_cast<size_t>(rays.nray);
  if (count == 0) return;
  Given("point", rays.point);
  Given("direction", rays.direction);
  for (size_t i = 0; i < count; ++i) {
    if (Norm(sinew::LoadVec3(rays.direction + 3 * i)) >= sinew::kMinVal) continue;
    throw sinew::Error("direction " + std::to_string(i) + " has no length");
  }
}

}  // namespace

// Worlds stay where they are, and so do outputs: poses are computed aside, in the data of threads.
int sinew_batch_rays(sinewBatch* b, const unsigned char* mask, const sinewBatchRays* rays, char* error, int error_sz) {
  return Count("sinew_batch_rays", b, error, error_sz, [=] {
    Given("rays", rays);
    const Masked masked(b, mask);
    CheckRays(b->worlds.model(), *rays, masked.selection().CountOf(b->worlds.count()));
    const auto work = [&](const mjModel* m, mjData* d, int, int place) {
      sinew::Kinematics(m, d);
      CastRays(m, d, *rays, static_cast<size_t>(place) * static_cast<size_t>(rays->nray));
    };
    return b->worlds.Apply(masked.selection(), work, /*save=*/false);
  });
}

int sinew_batch_jacobian(sinewBatch* b, const unsigned char* mask, int objtype, int id, double* jacp, double* jacr,
                         char* error, int error_sz) {
  return Count("sinew_batch_jacobian", b, error, error_sz, [=] {
    const Element element = {objtype, id};
    element.Check(b->worlds.model());
    const size_t size = 3 * static_cast<size_t>(b->worlds.model().nv);
    const auto work = [&](const mjModel* m, mjData* d, int, int place) {
      sinew::Kinematics(m, d);
      sinew::ComPos(m, d);
      const auto part = [&](double* all) { return all ? all + size * static_cast<size_t>(place) : nullptr; };
      const auto of = element.type == mjOBJ_BODY   ? sinew::JacBody
                      : element.type == mjOBJ_GEOM ? sinew::JacGeom
                                                   : sinew::JacSite;
      of(m, d, part(jacp), part(jacr), element.id);
    };
    return b->worlds.Apply(Masked(b, mask).selection(), work, /*save=*/false);
  });
}
