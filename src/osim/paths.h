// Paths of muscles: points of bodies, and obstacles between them, become spatial tendons.
#ifndef SINEW_OSIM_PATHS_H_
#define SINEW_OSIM_PATHS_H_

#include <string>

#include "osim/context.h"
#include "osim/properties.h"

namespace sinew::osim {

// Makes the tendon of the component's GeometryPath; null: it has none that a model could have, which is a problem then.
Tendon* AddPath(Context& context, Properties& component);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_PATHS_H_
