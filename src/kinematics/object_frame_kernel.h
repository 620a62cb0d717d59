// The frame of an object that has one (a body, geom, site or camera), its velocity and its acceleration, for one world
// and for lanes.
#ifndef SINEW_KINEMATICS_OBJECT_FRAME_KERNEL_H_
#define SINEW_KINEMATICS_OBJECT_FRAME_KERNEL_H_

#include "kinematics/com_kernel.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// Position and axes in the world, and the body that carries the object. Types without a frame have no body (-1) and
// null pointers.
template <class S>
struct FrameInWorld {
  int body;
  const S *position, *rotation;
};

// mjOBJ_BODY is the inertial frame of a body, mjOBJ_XBODY its own.
template <class S>
FrameInWorld<S> FrameOf(const ModelView<S>& m, const DataView<S>& d, int type, int id) {
  const ptrdiff_t p = 3 * static_cast<ptrdiff_t>(id), r = 3 * p;
  switch (type) {
    case mjOBJ_BODY:
      return {id, d.xipos_data() + p, d.ximat_data() + r};
    case mjOBJ_XBODY:
      return {id, d.xpos_data() + p, d.xmat_data() + r};
    case mjOBJ_GEOM:
      return {m.geom_bodyid(id), d.geom_xpos_data() + p, d.geom_xmat_data() + r};
    case mjOBJ_SITE:
      return {m.site_bodyid(id), d.site_xpos_data() + p, d.site_xmat_data() + r};
    case mjOBJ_CAMERA:
      return {m.cam_bodyid(id), d.cam_xpos_data() + p, d.cam_xmat_data() + r};
    default:
      return {-1, nullptr, nullptr};
  }
}

// Only bodies have a quaternion in mjData; the others are composed with their local one, which keeps their sign.
template <class S>
Quat<S> OrientationOf(const ModelView<S>& m, const DataView<S>& d, int type, int id) {
  switch (type) {
    case mjOBJ_BODY:
      return d.xquat(id) * m.body_iquat(id);
    case mjOBJ_XBODY:
      return d.xquat(id);
    case mjOBJ_GEOM:
      return d.xquat(m.geom_bodyid(id)) * m.geom_quat(id);
    case mjOBJ_SITE:
      return d.xquat(m.site_bodyid(id)) * m.site_quat(id);
    case mjOBJ_CAMERA:
      return d.xquat(m.cam_bodyid(id)) * m.cam_quat(id);
    default:
      return IdentityQuat<S>();
  }
}

// Moves a motion from the tree's centre of mass to the origin of the frame; its axes stay those of the world.
template <class S>
Spatial<S> AtFrame(const ModelView<S>& m, const DataView<S>& d, const FrameInWorld<S>& frame, const Spatial<S>& s) {
  return {s.rot, PointVelocity(s, LoadVec3(frame.position) - TreeCenter(m, d, frame.body))};
}

// A motion in the axes of the frame.
template <class S>
Spatial<S> InFrame(const FrameInWorld<S>& frame, const Spatial<S>& s) {
  const Mat3<S> R_WF = LoadMat3(frame.rotation);
  return {MulTransposed(R_WF, s.rot), MulTransposed(R_WF, s.lin)};
}

// Rotational, then translational velocity of a frame at its origin, in world axes, or in its own with `local`. Frames
// fixed to the world have none.
template <class S>
Spatial<S> VelocityOfFrame(const ModelView<S>& m, const DataView<S>& d, const FrameInWorld<S>& frame, bool local) {
  if (frame.body < 0 || m.body_weldid(frame.body) == 0) return ZeroSpatial<S>();
  const Spatial<S> v = AtFrame(m, d, frame, d.cvel(frame.body));
  return local ? InFrame(frame, v) : v;
}

// Acceleration in the same form, as an accelerometer measures it, from cacc: what is fixed to the world has that of
// gravity, as what rests on it does. The spatial acceleration's linear part lacks w x v of the point (Featherstone
// 2008, 2.11).
template <class S>
Spatial<S> AccelerationOfFrame(const ModelView<S>& m, const DataView<S>& d, const FrameInWorld<S>& frame, bool local) {
  if (frame.body < 0) return ZeroSpatial<S>();
  const Spatial<S> v = AtFrame(m, d, frame, d.cvel(frame.body));
  Spatial<S> a = AtFrame(m, d, frame, d.cacc(frame.body));
  a.lin += Cross(v.rot, v.lin);
  return local ? InFrame(frame, a) : a;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_OBJECT_FRAME_KERNEL_H_
