// Pairs of geoms, or of bodies, that are compared by their bounds four at a time in the lanes of a pack: who is near
// whom is hard to predict, and needs no branch there.
#ifndef SINEW_COLLISION_BROAD_CANDIDATES_H_
#define SINEW_COLLISION_BROAD_CANDIDATES_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Two geoms, in any order.
struct Candidate {
  int geom1, geom2;
  int leaf1, leaf2;  // their nodes in the trees of bodies; -1: none
  int place;         // of their bodies in a list of pairs
};

// Of which of `count` candidates the spheres and the boxes are near.
void FindNear(const mjModel* m, const mjData* d, const Candidate* candidates, int count, bool* near);

// Two bodies with trees.
struct BodyCandidate {
  int body1, body2;
};

// Of which pairs of bodies the trees' roots overlap. The first `count_of_world` are those of the world's body. They are
// compared along its z axis: of most bodies over the ground, only the heights count.
void FindNearRoots(const mjModel* m, const mjData* d, const BodyCandidate* candidates, int count_of_world, int count,
                   bool* near);

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_CANDIDATES_H_
