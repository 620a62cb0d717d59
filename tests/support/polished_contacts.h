// Contacts of convex pairs in long double precision: what the search for contacts (collision/convex) approaches.
//
// A shape's surface near a contact is where one to three functions f_i vanish, each a quadric or a plane: the surface,
// an edge of two of them, a corner of three. The points x, y of two shapes are witness points of a distance d along n
// where, with multipliers p_i and q_j,
//
//   y - x - n d = 0,   n - sum_i p_i grad f_i(x) = 0,   n + sum_j q_j grad g_j(y) = 0,   (n.n - 1) / 2 = 0,
//   f_i(x) = 0,   g_j(y) = 0
//
// Newton's method solves these square systems from the contact that the search has found. The equations are others than
// those of derivatives/contact_geometry/witness_points.h, which follow support points, so that each judges the other.
#ifndef SINEW_TESTS_SUPPORT_POLISHED_CONTACTS_H_
#define SINEW_TESTS_SUPPORT_POLISHED_CONTACTS_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Makes distances, points and normals of the contacts of two geoms exact to rounding, as a collision function has
// filled them in. False where some are left as they were: where the shapes are no spheres, ellipsoids, capsules,
// cylinders or boxes, or where no solution is near.
bool PolishContacts(const mjModel* m, const mjData* d, int g1, int g2, mjContact* con, int count);

// Puts into a table of collision functions those that polish what the former ones find, in all pairs of an ellipsoid or
// a cylinder with a convex shape; and takes them out again.
class PolishedPairs {
 public:
  using Table = mjfCollision[mjNGEOMTYPES][mjNGEOMTYPES];
  explicit PolishedPairs(Table& table);
  ~PolishedPairs();
  PolishedPairs(const PolishedPairs&) = delete;
  PolishedPairs& operator=(const PolishedPairs&) = delete;

 private:
  Table& table_;
};

// What polishing has done since the last call.
struct PolishedCounts {
  long polished, left;  // contacts
  double moved;         // the farthest that a point was [m]
  double farther;       // the largest change of a distance [m]
};
PolishedCounts TakePolishedCounts();

}  // namespace sinew

#endif  // SINEW_TESTS_SUPPORT_POLISHED_CONTACTS_H_
