// Contacts of convex shapes that have no formula: the distance of the cores when they are apart, their depth when they
// overlap, and from there several contacts where faces or edges lie on each other.
#ifndef SINEW_COLLISION_CONVEX_CONVEX_PAIR_H_
#define SINEW_COLLISION_CONVEX_CONVEX_PAIR_H_

#include <mujoco/mujoco.h>

#include <optional>

#include "collision/convex/convex_shape.h"
#include "collision/convex/epa.h"

namespace sinew::inline collision {

struct ConvexContact {
  ContactPoint<double> point;
  bool has_face = false;    // the cores overlap:
  Penetration penetration;  // what is known of that
};

// The contact of two shapes where they are nearest or deepest. False when their distance is not below `limit`.
bool FindNearest(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double limit, ConvexContact& out);

// The same as a contact with a margin: each shape grows by half of it, and the distance is the margin minus the depth
// of the larger shapes. Its error is at most the tolerance of the options; polytopes without margin have none.
bool FindConvexContact(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double margin,
                       ConvexContact& out);

// Collision function of all pairs of sphere, capsule, ellipsoid, cylinder, box and mesh.
int ConvexConvex(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// The same for the pairs of one world, in an order in which many have the first geom of the pair before: its shape is
// loaded once.
class ConvexPairs {
 public:
  ConvexPairs(const mjModel* m, mjData* d) : m_(m), d_(d) {}
  int Collide(mjContact* con, int g1, int g2, mjtNum margin);

 private:
  const ConvexShape& First(int geom);

  const mjModel* m_;
  mjData* d_;
  int geom_ = -1;
  std::optional<ConvexShape> shape_;  // of that geom
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_CONVEX_PAIR_H_
