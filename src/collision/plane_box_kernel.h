// Plane and box: the corners on the lower side of the box's centre that are within the margin, at most four, in the
// order ---, +--, -+-, ++-, --+, ... of their signs.
#ifndef SINEW_COLLISION_PLANE_BOX_KERNEL_H_
#define SINEW_COLLISION_PLANE_BOX_KERNEL_H_

#include "collision/plane_sphere_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
Touches<S, 8> PlaneBox(const Geom<S>& plane, const Geom<S>& box, S margin) {
  const Vec3<S> normal = plane.Axis();
  const S centre = Dot(normal, box.pos - plane.pos);  // its height
  Touches<S, 8> out;
  S count(0);
  for (int i = 0; i < 8; ++i) {
    const Vec3<S> corner = box.mat * Vec3<S>{i & 1 ? box.size.x : -box.size.x, i & 2 ? box.size.y : -box.size.y,
                                             i & 4 ? box.size.z : -box.size.z};
    const S offset = Dot(normal, corner), height = centre + offset;
    out.touch[i] = {height, box.pos + corner - normal * (S(0.5) * height), normal};
    out.hit[i] = (height <= margin) & (offset <= S(0)) & (count < S(4));
    count += Select(out.hit[i], S(1), S(0));
  }
  return out;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_COLLISION_PLANE_BOX_KERNEL_H_
