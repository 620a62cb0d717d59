// Forces of a document: muscles, other actuators, springs and contacts.
#ifndef SINEW_OSIM_FORCES_H_
#define SINEW_OSIM_FORCES_H_

#include "osim/context.h"

namespace sinew::osim {

// Reads the ForceSet. What has no counterpart is told.
void ReadForces(Context& context, const XmlNode& model);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_FORCES_H_
