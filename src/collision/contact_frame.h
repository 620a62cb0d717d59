// Frames of contacts: the normal, from the first geom to the second, and two tangents.
#ifndef SINEW_COLLISION_CONTACT_FRAME_H_
#define SINEW_COLLISION_CONTACT_FRAME_H_

#include "math/vec3.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// Rows of an orthonormal frame, as in mjContact.
template <class S>
struct ContactFrame {
  Vec3<S> normal, first, second;
};

// The normal is a unit vector up to rounding, which another normalization removes. A suggested first tangent is made
// orthogonal to it; one shorter than a half, or parallel to the normal, is replaced.
template <class S>
ContactFrame<S> CompletedFrame(const Vec3<S>& direction, const Vec3<S>& suggested) {
  const Vec3<S> normal = Normalized(direction);
  const auto reject = [&normal](const Vec3<S>& v) { return v - normal * Dot(normal, v); };
  const S y = Select(Abs(normal.y) < S(0.5), S(1), S(0));
  const Vec3<S> free = {S(0), y, S(1) - y};
  Vec3<S> tangent = reject(Select<S>(Dot(suggested, suggested) >= S(0.25), suggested, free));
  const MaskOf<S> parallel = Normalize(tangent) < S(kMinVal);
  if (Any(parallel)) {
    const S x = Select(Abs(normal.x) < S(0.5), S(1), S(0));
    tangent = Select<S>(parallel, Normalized(reject({x, S(1) - x, S(0)})), tangent);
  }
  return {normal, tangent, Cross(normal, tangent)};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONTACT_FRAME_H_
