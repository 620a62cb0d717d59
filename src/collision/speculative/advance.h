// When two geoms meet in a step, by conservative advancement (B. Mirtich, Impulse-based dynamic simulation of rigid
// body systems, thesis, Berkeley 1996; directed as in docs/how/speculative.md).
#ifndef SINEW_COLLISION_SPECULATIVE_ADVANCE_H_
#define SINEW_COLLISION_SPECULATIVE_ADVANCE_H_

#include <mujoco/mujoco.h>

#include "collision/convex/convex_shape.h"
#include "collision/speculative/motion.h"

namespace sinew::inline collision {

// A convex geom that moves in a step.
class MovingShape {
 public:
  MovingShape(const mjModel* m, const mjData* d, int geom, const GeomMotion& motion)
      : shape_(m, d, geom), start_(shape_.geom()), motion_(motion) {}
  // Of a shape that stands still.
  explicit MovingShape(const ConvexShape& shape)
      : shape_(shape), start_(shape.geom()), motion_{Zero3<double>(), Zero3<double>(), 0}, moves_(false) {}

  // Goes to where the geom is at a part of the step.
  void MoveTo(double part);
  const ConvexShape& shape() const { return shape_; }
  const GeomMotion& motion() const { return motion_; }

 private:
  ConvexShape shape_;
  PlacedGeom<double> start_;
  GeomMotion motion_;
  bool moves_ = true;
};

// A meeting of two geoms: the part of the step, and the contact there.
struct Impact {
  double part;
  ContactPoint<double> point;
};

// Finds where two shapes at the start of the step come as near as `margin`, in the first `until` of it, which is at
// once where they are nearer; both are left where they meet. False where they do not.
bool FindImpact(const mjOption& option, MovingShape& A, MovingShape& B, double margin, double until, Impact& out);

// The same of a plane that stands still.
bool FindImpactOnPlane(const PlacedGeom<double>& plane, MovingShape& shape, double margin, Impact& out);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_ADVANCE_H_
