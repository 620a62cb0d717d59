// What delayed sensors add to a control (docs/how/reflexes.md).
#ifndef SINEW_FORCE_REFLEX_H_
#define SINEW_FORCE_REFLEX_H_

#include <mujoco/mujoco.h>

#include "model/kinds/reflex.h"

namespace sinew::inline force {

// The sum of the reflexes of an actuator, by the histories of their sensors.
double ReflexControl(const mjModel* m, const mjData* d, const Reflexes& reflexes, int actuator);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_REFLEX_H_
