// References by name whose error names the attribute that holds them.
#ifndef SINEW_COMPILE_RELATIONS_REFERENCE_H_
#define SINEW_COMPILE_RELATIONS_REFERENCE_H_

#include <mujoco/mujoco.h>

#include <string>

#include "spec/spec.h"

namespace sinew::inline compile {

// The id of the element that an attribute names. Throws when there is none.
int RequireId(const std::string& attribute, const Spec& spec, mjtObj type, const std::string& name);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_RELATIONS_REFERENCE_H_
