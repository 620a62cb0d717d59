// The shortest and longest length that an actuator can reach, measured by simulation.
#ifndef SINEW_COMPILE_CONSTANTS_LENGTH_RANGE_H_
#define SINEW_COMPILE_CONSTANTS_LENGTH_RANGE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline compile {

// Measures the range of one actuator, if the options require it, and writes it to the model. `d` is used for the
// simulation and left in its last state. Throws when the length does not settle.
void SetLengthRange(mjModel* m, mjData* d, int actuator, const mjLROpt& options);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_CONSTANTS_LENGTH_RANGE_H_
