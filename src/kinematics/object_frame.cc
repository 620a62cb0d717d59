// Frames of objects as mjData has them. Rotations are 3 x 3 matrices, row by row.
#include "kinematics/object_frame.h"

#include "model/view_of.h"

namespace sinew {

ObjectFrame FrameOf(const mjModel* m, const mjData* d, int type, int id) {
  const ptrdiff_t p = 3 * static_cast<ptrdiff_t>(id), r = 3 * p;
  switch (type) {
    case mjOBJ_BODY:
      return {id, d->xipos + p, d->ximat + r};
    case mjOBJ_XBODY:
      return {id, d->xpos + p, d->xmat + r};
    case mjOBJ_GEOM:
      return {m->geom_bodyid[id], d->geom_xpos + p, d->geom_xmat + r};
    case mjOBJ_SITE:
      return {m->site_bodyid[id], d->site_xpos + p, d->site_xmat + r};
    case mjOBJ_CAMERA:
      return {m->cam_bodyid[id], d->cam_xpos + p, d->cam_xmat + r};
    default:
      return {-1, nullptr, nullptr};
  }
}

// Only bodies have a quaternion in mjData; the others are composed with their local one, which keeps their sign.
Quat<double> OrientationOf(const mjModel* m, const mjData* d, int type, int id) {
  const auto body = [&](int b) { return ViewOf(d).xquat(b); };
  const auto local = [&](const double* quat) { return LoadQuat(quat + 4 * static_cast<ptrdiff_t>(id)); };
  switch (type) {
    case mjOBJ_BODY:
      return body(id) * local(m->body_iquat);
    case mjOBJ_XBODY:
      return body(id);
    case mjOBJ_GEOM:
      return body(m->geom_bodyid[id]) * local(m->geom_quat);
    case mjOBJ_SITE:
      return body(m->site_bodyid[id]) * local(m->site_quat);
    case mjOBJ_CAMERA:
      return body(m->cam_bodyid[id]) * local(m->cam_quat);
    default:
      return IdentityQuat<double>();
  }
}

}  // namespace sinew
