// Forces of the elements of flexes that resist stretching.
#ifndef SINEW_FORCE_ELEMENT_FORCE_H_
#define SINEW_FORCE_ELEMENT_FORCE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline force {

inline constexpr int kElementStiffness = 21;  // numbers for each element: the upper triangle of K by rows

// Writes the force at each vertex of a flex of triangles or tetrahedra, 3 numbers [N] in the world. Takes the positions
// of its vertices, and the lengths of its edges and their rates.
void ElementForces(const mjModel* m, mjData* d, int flex, mjtNum* force);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_ELEMENT_FORCE_H_
