// What looks wrong in a model that compiles: what nothing uses, shapes that overlap at the start, angles in the wrong
// unit, springs and deformables too stiff for the time step, bodies that weigh and are a point.
#ifndef SINEW_APPS_LINTS_H_
#define SINEW_APPS_LINTS_H_

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

namespace sinew {

// The name of an element in quotes, its number if it has none.
std::string QuotedName(const mjModel* m, mjtObj type, int id);

// A sentence for each. `spec`: what the model was compiled from, or null. Steps `d` forward to its contacts.
std::vector<std::string> FindLints(const mjSpec* spec, const mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_APPS_LINTS_H_
