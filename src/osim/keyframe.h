// The state in which OpenSim starts a model.
#ifndef SINEW_OSIM_KEYFRAME_H_
#define SINEW_OSIM_KEYFRAME_H_

#include "osim/context.h"

namespace sinew::osim {

// Adds the keyframe "default": coordinates at their default values, activations of muscles at theirs, fibres at rest.
void AddDefaultKey(Context& context);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_KEYFRAME_H_
