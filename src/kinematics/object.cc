// Checks the object that a program names, and calls the kernels for one world.
#include "kinematics/object.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "kinematics/object_frame_kernel.h"
#include "model/view/view_of.h"

namespace sinew::inline kinematics {
namespace {

// The kinds of objects that have a frame, and how many of them the model has.
std::pair<const char*, mjtSize> KindOf(const mjModel* m, int objtype) {
  switch (objtype) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return {"body", m->nbody};
    case mjOBJ_GEOM:
      return {"geom", m->ngeom};
    case mjOBJ_SITE:
      return {"site", m->nsite};
    case mjOBJ_CAMERA:
      return {"camera", m->ncam};
    default:
      throw Error("objects of type " + std::to_string(objtype) + " have no frame",
                  "use a body, xbody, geom, site or camera");
  }
}

// The frame of an object that a program names.
FrameInWorld<mjtNum> CheckedFrame(const mjModel* m, const mjData* d, int objtype, int id) {
  const auto [kind, count] = KindOf(m, objtype);
  if (id < 0 || id >= count) {
    throw Error(std::string("invalid ") + kind + " id " + std::to_string(id),
                "ids run from 0 to " + std::to_string(count - 1));
  }
  return FrameOf(ViewOf(m), ViewOf(d), objtype, id);
}

void Store(const Spatial<mjtNum>& s, mjtNum res[6]) {
  StoreVec3(s.rot, res);
  StoreVec3(s.lin, res + 3);
}

}  // namespace

void ObjectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local) {
  Store(VelocityOfFrame(ViewOf(m), ViewOf(d), CheckedFrame(m, d, objtype, objid), local), res);
}

void ObjectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local) {
  Store(AccelerationOfFrame(ViewOf(m), ViewOf(d), CheckedFrame(m, d, objtype, objid), local), res);
}

}  // namespace sinew::inline kinematics
