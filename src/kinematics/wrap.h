// Shortest path of a tendon around a sphere or an infinite cylinder.
#ifndef SINEW_KINEMATICS_WRAP_H_
#define SINEW_KINEMATICS_WRAP_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline kinematics {

enum class WrapShape { kSphere, kCylinder };  // the cylinder's axis is z

// A path that touches the surface: where it arrives and leaves, and the length in between.
struct WrapPath {
  bool touches = false;  // otherwise the path is straight, and the rest has no meaning
  Vec3<mjtNum> arrive = {}, leave = {};
  mjtNum length = 0;
};

// The path from p0 to p1 around a surface of this radius, all in the geom's frame. A side site, when there is one,
// picks the side of the surface on which the path runs; a site inside the surface makes it run through the inside.
WrapPath WrapAround(WrapShape shape, mjtNum radius, const Vec3<mjtNum>& p0, const Vec3<mjtNum>& p1,
                    const Vec3<mjtNum>* side);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_WRAP_H_
