// Passive forces of flexes: springs and dampers along edges, elasticity of elements, bending of shells, elasticity of
// the cells between nodes.
#ifndef SINEW_FORCE_FLEX_FORCE_H_
#define SINEW_FORCE_FLEX_FORCE_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "core/stack.h"

namespace sinew::inline force {

// How the sides of a passive contact, which overlap, are pushed apart: by a spring and a damper that does not pull.
//
//     f = max(0, -k dist - b v),   k = min(10^4 N/m, 1 / (4 h^2 w)),   b = min(2 zeta sqrt(k / w), 1 / (h w))
//
// 10^4 N/m is the stiffness of MuJoCo 3.8.0, which a step h bears up to an inverse mass w: that of the lightest body of
// each side, times its number of passive contacts. zeta is the damping ratio of solref.
struct PassivePush {
  double stiffness, damping;

  double Spring(double dist) const { return dist < 0 ? -stiffness * dist : 0; }
  // The damper's part; v: the velocity of the distance.
  double Damper(double dist, double v) const { return dist < 0 ? std::max(-damping * v, stiffness * dist) : 0; }
};

// The laws of the passive contacts of a world.
class PassivePushes {
 public:
  // The frame must outlive them.
  PassivePushes(const mjModel* m, mjData* d, StackFrame& frame);

  PassivePush Of(const mjContact& contact) const;

 private:
  double InverseMass(const mjContact& contact) const;

  const mjModel* m_;
  mjData* d_;
  int* count_;  // of passive contacts, by body
};

// Numbers of flex_bending for each edge: the matrix B, by rows, and c.
inline constexpr int kBending = 17;

//   in:  flexvert_xpos, flexedge_length, flexedge_velocity, flexedge_J; poses and velocities of bodies
//   out: added to qfrc_spring, qfrc_damper
void FlexForces(const mjModel* m, mjData* d);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_FLEX_FORCE_H_
