// The extension of URDF: settings of MJCF and of this reader, in an element <mujoco> of the robot.
#ifndef SINEW_URDF_EXTENSION_H_
#define SINEW_URDF_EXTENSION_H_

#include "urdf/context.h"

namespace sinew::urdf {

// Sets what robots start from, then reads the extension; null: the file has none.
void ReadSettings(Context& context, const XmlNode* extension);

}  // namespace sinew::urdf

#endif  // SINEW_URDF_EXTENSION_H_
