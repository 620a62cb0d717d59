// No compiled model holds a value that is not a number: it would spread to the whole state in one step.
#ifndef SINEW_COMPILE_CHECK_NUMBERS_H_
#define SINEW_COMPILE_CHECK_NUMBERS_H_

#include <mujoco/mujoco.h>

#include "spec/spec.h"

namespace sinew {

// Throws at the attribute of the file that is not a number, or else names the field of the model. User data may hold
// anything.
void CheckNumbers(const Spec& spec, const mjModel& m);

}  // namespace sinew

#endif  // SINEW_COMPILE_CHECK_NUMBERS_H_
