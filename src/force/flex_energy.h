// The elastic energy of flexes, whose negative gradient are their passive forces (force/flex_force.h).
#ifndef SINEW_FORCE_FLEX_ENERGY_H_
#define SINEW_FORCE_FLEX_ENERGY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline force {

// Of all flexes and their passive contacts [J]: of edges, elements, bending and cells, each zero at rest. Forces that
// flags disable have no energy.
double FlexEnergy(const mjModel* m, mjData* d);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_FLEX_ENERGY_H_
