// The anchors that pull at the contacts of a world (anchors.h), for derivatives.
#ifndef SINEW_CONSTRAINT_PULLING_ANCHORS_H_
#define SINEW_CONSTRAINT_PULLING_ANCHORS_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "constraint/anchor_kernel.h"

namespace sinew::inline constraint {

struct PullingAnchor {
  int contact;
  AnchorState<double> anchor;
  AnchorSpring<double> spring;
};

// Those of the present step, in the order of contacts.
//   in: rows, contacts, poses of geoms, history
std::vector<PullingAnchor> FindPullingAnchors(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_PULLING_ANCHORS_H_
