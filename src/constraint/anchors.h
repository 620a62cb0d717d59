// Anchors of contacts that hold their point (docs/how/stick.md).
#ifndef SINEW_CONSTRAINT_ANCHORS_H_
#define SINEW_CONSTRAINT_ANCHORS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Adds the pull of anchors to the reference of contact rows.
//   in: rows, contacts, poses of geoms, history              out: efc_aref
void AddAnchorReference(const mjModel* m, mjData* d);

// The end of a step: anchors follow the motion of their contacts, with the new velocities; new ones begin, and those of
// contacts that are gone are forgotten.
//   in: rows, contacts, poses and efc_force of the step; qvel of its end       out: history
void MoveAnchors(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ANCHORS_H_
