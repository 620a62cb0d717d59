// Velocities and accelerations of objects with a frame follow from those of their bodies about the centre of mass of
// the tree. They are moved to the origin of the object's frame F.
#include "kinematics/object.h"

#include <string>

#include "core/error.h"
#include "kinematics/com_kernel.h"
#include "math/dense.h"
#include "model/view_of.h"

namespace sinew {
namespace {

// The frame F of an object in the world W, and the body that carries it.
struct ObjectFrame {
  int body;
  Vec3<mjtNum> p_WF;
  Mat3<mjtNum> R_WF;
};

void RequireId(const char* kind, int id, mjtSize count) {
  if (id >= 0 && id < count) return;
  throw Error(std::string("invalid ") + kind + " id " + std::to_string(id),
              "ids run from 0 to " + std::to_string(count - 1));
}

ObjectFrame FrameOf(const mjModel* m, const mjData* data, int objtype, int id) {
  const DataView<mjtNum> d = ViewOf(data);
  switch (objtype) {
    case mjOBJ_BODY:
      RequireId("body", id, m->nbody);
      return {id, d.xipos(id), d.ximat(id)};
    case mjOBJ_XBODY:
      RequireId("body", id, m->nbody);
      return {id, d.xpos(id), d.xmat(id)};
    case mjOBJ_GEOM:
      RequireId("geom", id, m->ngeom);
      return {m->geom_bodyid[id], d.geom_xpos(id), d.geom_xmat(id)};
    case mjOBJ_SITE:
      RequireId("site", id, m->nsite);
      return {m->site_bodyid[id], d.site_xpos(id), d.site_xmat(id)};
    case mjOBJ_CAMERA:
      RequireId("camera", id, m->ncam);
      return {m->cam_bodyid[id], d.cam_xpos(id), d.cam_xmat(id)};
    default:
      throw Error("objects of type " + std::to_string(objtype) + " have no frame",
                  "use a body, xbody, geom, site or camera");
  }
}

// Moves a motion from the tree's centre of mass to the origin of the frame; its axes stay those of the world.
Spatial<mjtNum> AtFrame(const mjModel* m, const mjData* d, const ObjectFrame& frame, const Spatial<mjtNum>& s) {
  const Vec3<mjtNum> center = ViewOf(d).subtree_com(m->body_rootid[frame.body]);
  return {s.rot, PointVelocity(s, frame.p_WF - center)};
}

void Store(const ObjectFrame& frame, Spatial<mjtNum> s, bool local, mjtNum res[6]) {
  if (local) {
    s = {MulTransposed(frame.R_WF, s.rot), MulTransposed(frame.R_WF, s.lin)};
  }
  StoreVec3(s.rot, res);
  StoreVec3(s.lin, res + 3);
}

}  // namespace

void ObjectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local) {
  const ObjectFrame frame = FrameOf(m, d, objtype, objid);
  Zero(res, 6);
  if (m->body_weldid[frame.body] == 0) return;
  Store(frame, AtFrame(m, d, frame, ViewOf(d).cvel(frame.body)), local, res);
}

void ObjectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], bool local) {
  const ObjectFrame frame = FrameOf(m, d, objtype, objid);
  Zero(res, 6);
  if (m->body_weldid[frame.body] == 0) return;

  // the spatial acceleration's linear part lacks w x v of the point (Featherstone 2008, 2.11)
  const Spatial<mjtNum> v = AtFrame(m, d, frame, ViewOf(d).cvel(frame.body));
  Spatial<mjtNum> a = AtFrame(m, d, frame, ViewOf(d).cacc(frame.body));
  a.lin += Cross(v.rot, v.lin);
  Store(frame, a, local, res);
}

}  // namespace sinew
