// Velocities and accelerations of objects with a frame follow from those of their bodies about the centre of mass of
// the tree. They are moved to the origin of the object's frame F.
#include "kinematics/object.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "kinematics/com_kernel.h"
#include "kinematics/object_frame.h"
#include "math/dense.h"
#include "model/view_of.h"

namespace sinew {
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
ObjectFrame CheckedFrame(const mjModel* m, const mjData* d, int objtype, int id) {
  const auto [kind, count] = KindOf(m, objtype);
  if (id < 0 || id >= count) {
    throw Error(std::string("invalid ") + kind + " id " + std::to_string(id),
                "ids run from 0 to " + std::to_string(count - 1));
  }
  return FrameOf(m, d, objtype, id);
}

// Moves a motion from the tree's centre of mass to the origin of the frame; its axes stay those of the world.
Spatial<mjtNum> AtFrame(const mjModel* m, const mjData* d, const ObjectFrame& frame, const Spatial<mjtNum>& s) {
  const Vec3<mjtNum> center = ViewOf(d).subtree_com(m->body_rootid[frame.body]);
  return {s.rot, PointVelocity(s, LoadVec3(frame.position) - center)};
}

void Store(const ObjectFrame& frame, Spatial<mjtNum> s, bool local, mjtNum res[6]) {
  if (local) {
    const Mat3<mjtNum> R_WF = LoadMat3(frame.rotation);
    s = {MulTransposed(R_WF, s.rot), MulTransposed(R_WF, s.lin)};
  }
  StoreVec3(s.rot, res);
  StoreVec3(s.lin, res + 3);
}

}  // namespace

void ObjectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local) {
  const ObjectFrame frame = CheckedFrame(m, d, objtype, objid);
  Zero(res, 6);
  if (m->body_weldid[frame.body] == 0) return;
  Store(frame, AtFrame(m, d, frame, ViewOf(d).cvel(frame.body)), local, res);
}

void ObjectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local) {
  const ObjectFrame frame = CheckedFrame(m, d, objtype, objid);
  Zero(res, 6);
  if (m->body_weldid[frame.body] == 0) return;

  // the spatial acceleration's linear part lacks w x v of the point (Featherstone 2008, 2.11)
  const Spatial<mjtNum> v = AtFrame(m, d, frame, ViewOf(d).cvel(frame.body));
  Spatial<mjtNum> a = AtFrame(m, d, frame, ViewOf(d).cacc(frame.body));
  a.lin += Cross(v.rot, v.lin);
  Store(frame, a, local, res);
}

}  // namespace sinew
