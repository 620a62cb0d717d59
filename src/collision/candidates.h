// Pairs of geoms, or of bodies, that are compared by their bounds four at a time in the lanes of a pack: who is near
// whom is hard to predict, and needs no branch there.
#ifndef SINEW_COLLISION_CANDIDATES_H_
#define SINEW_COLLISION_CANDIDATES_H_

#include <mujoco/mujoco.h>

#include "math/block.h"

namespace sinew {

// Two geoms. Of leaves of body trees, the boxes must be near, and the leaves are marked.
struct Candidate {
  int geom1, geom2;
  int leaf1, leaf2;  // numbers of the nodes; -1: no leaves
};

// Bits of the candidates that are near: by their spheres, and with `boxes` by their boxes too.
unsigned NearCandidates(const mjModel* m, const mjData* d, const Candidate* const (&four)[4], bool boxes);

// Bits of the pairs of bodies whose trees' roots overlap. Those of the world's body, all or none, are compared along
// its z axis: of most bodies over the ground, only the heights count.
unsigned NearRoots(const mjModel* m, const mjData* d, const FourItems& bodies1, const FourItems& bodies2);

}  // namespace sinew

#endif  // SINEW_COLLISION_CANDIDATES_H_
