// Rays against primitive geoms: the smallest x >= 0 at which point + x direction lies on the surface.
#ifndef SINEW_COLLISION_RAY_RAY_PRIMITIVE_H_
#define SINEW_COLLISION_RAY_RAY_PRIMITIVE_H_

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// Pose and size of a geom or site; sizes as in geom_size.
struct RayTarget {
  int type;  // mjtGeom: plane, sphere, capsule, ellipsoid, cylinder or box
  Vec3<double> position;
  Mat3<double> rotation;
  Vec3<double> size;
};

// x in units of |direction|, or -1. With a normal: the outward unit normal in the world, zero on a miss. From inside,
// the exit point is hit. A plane is hit from the front only, inside its rectangle (size <= 0: everywhere).
double RayPrimitive(const RayTarget& target, const Vec3<double>& point, const Vec3<double>& direction,
                    Vec3<double>* normal = nullptr);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_RAY_RAY_PRIMITIVE_H_
