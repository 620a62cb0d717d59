// Where two convex shapes that lie beside each other will touch when one turns onto the other: the corners of the area
// that both have in common, seen along the normal between them (docs/how/speculative.md).
#ifndef SINEW_COLLISION_SPECULATIVE_PATCH_H_
#define SINEW_COLLISION_SPECULATIVE_PATCH_H_

#include <mujoco/mujoco.h>

#include "collision/convex/convex_shape.h"
#include "collision/convex/polygon_kernel.h"

namespace sinew::inline collision {

// A corner of the patch: the points of both surfaces that lie on a line along the normal.
struct PatchCorner {
  Vec3<double> own, other;
};

inline constexpr int kPatchCorners = 8;

// The outline of a shape's core seen along n, as corners in a frame whose third axis is n; of a capsule a segment.
class Outline {
 public:
  Outline(const ConvexShape& shape, const Mat3<double>& axes);

  // What two outlines have in common; of two segments the first.
  static Outline Common(const Outline& a, const Outline& b);

  // Writes up to kPatchCorners corners, a little inside, and returns how many; none of a point.
  int Corners(Vec3<double>* corners) const;

 private:
  Polygon polygon_;
  double inside_;
};

// Axes of which the third is a unit vector n, as columns.
Mat3<double> AxesAlong(const Vec3<double>& n);

// The first point of a shape on the line from `from` in a unit direction; false where the line misses it. A point
// inside is its own.
bool FirstPointOn(const mjOption& option, const ConvexShape& shape, const Vec3<double>& from,
                  const Vec3<double>& direction, Vec3<double>& out);

// The corners of an outline on the side of a shape that faces in the direction of the third axis, and what they meet
// there: meet(from, out) is as FirstPointOn. Returns how many do.
template <class Meet>
int FindPatch(const mjOption& option, const ConvexShape& shape, const Outline& outline, const Mat3<double>& axes,
              const Meet& meet, PatchCorner* out) {
  const Vec3<double> n = axes.Column(2);
  const double far = Dot(n, shape.Support(n)) + shape.radius(), near = Dot(n, shape.Support(-n)) - shape.radius();
  Vec3<double> corners[kPatchCorners];
  const int count = outline.Corners(corners);
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const double outside = far + 0.1 * (far - near);
    const Vec3<double> from = axes * Vec3<double>{corners[i].x, corners[i].y, outside};
    PatchCorner& corner = out[found];
    found += FirstPointOn(option, shape, from, -n, corner.own) && meet(corner.own, corner.other);
  }
  return found;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_PATCH_H_
