// The frame in which bounds of bodies and flexes are compared, and who is compared at all.
//
// Any frame finds the same contacts; which nodes of trees are marked for visualization depends on it.
#ifndef SINEW_COLLISION_BROAD_SWEEP_FRAME_H_
#define SINEW_COLLISION_BROAD_SWEEP_FRAME_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"
#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// Whether a static body has a plane, which has no bounds: it meets everything that moves.
bool HasFixedPlane(const mjModel* m, int body);

// Axes of the sweep, as rows.
Mat3<double> SweepFrame(const mjModel* m, mjData* d);

// Which flexes the sweep would find near bodies and near each other.
class FlexSweep {
 public:
  FlexSweep(const mjModel* m, mjData* d, StackFrame& frame);

  bool FindsBody(int body, int flex) const;
  bool FindsFlexes(int flex1, int flex2) const { return !bounds_ || Overlap(bounds_[flex1], bounds_[flex2]); }

 private:
  struct Bounds {
    Vec3<double> low, high;
  };
  static bool Overlap(const Bounds& a, const Bounds& b);
  Bounds OfFlex(int flex) const;
  Bounds OfGeom(int geom) const;

  const mjModel* m_;
  mjData* d_;
  Mat3<double> axes_;
  Bounds* bounds_ = nullptr;  // of each flex; none where no nodes are marked, and everything is near
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_SWEEP_FRAME_H_
