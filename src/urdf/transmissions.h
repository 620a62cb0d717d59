// Motors from transmissions.
#ifndef SINEW_URDF_TRANSMISSIONS_H_
#define SINEW_URDF_TRANSMISSIONS_H_

#include "urdf/context.h"

namespace sinew::urdf {

// A motor for each joint of a transmission, named after its actuator. The reduction becomes the gear, and the joint's
// effort, divided by it, the range of the control. URDF has no gains: position and velocity interfaces get motors too.
void ReadTransmission(Context& context, const XmlNode& node);

}  // namespace sinew::urdf

#endif  // SINEW_URDF_TRANSMISSIONS_H_
