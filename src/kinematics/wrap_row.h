// Shortest paths around several obstacles in a row: spheres, infinite cylinders and ellipsoids
// (docs/how/wrapping.md).
#ifndef SINEW_KINEMATICS_WRAP_ROW_H_
#define SINEW_KINEMATICS_WRAP_ROW_H_

#include <mujoco/mujoco.h>

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline kinematics {

// The surface x' diag(D) x = 1 in its own frame; a cylinder has no curvature along z, so that D.z = 0.
struct Obstacle {
  Vec3<mjtNum> D;       // inverse squares of the half axes
  Vec3<mjtNum> center;  // world
  Mat3<mjtNum> R;       // frame to world
  bool has_side;
  Vec3<mjtNum> side;  // world; the side of the surface on which the path runs
};

// Where a path arrives at an obstacle and leaves it (world), and the length in between.
struct ObstaclePath {
  bool touches = false;  // otherwise the rest has no meaning
  Vec3<mjtNum> arrive = {}, leave = {};
  mjtNum length = 0;
};

// The quality of the path that the search around obstacles has found.
enum class PathQuality {
  kShortest,
  kSlipping,  // stationary, but not a minimum of length: near this pose, the path slips to one side
  kUnsolved   // not stationary: the shortest one of the search, with corners
};

// The path from p0 to p1 around `count` obstacles, in their order.
PathQuality WrapAroundRow(const Obstacle* obstacles, int count, const Vec3<mjtNum>& p0, const Vec3<mjtNum>& p1,
                          ObstaclePath* paths);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_WRAP_ROW_H_
