// Joints of a document as records: their frames, coordinates, and the rotations and translations that they are made of.
#ifndef SINEW_OSIM_JOINTS_H_
#define SINEW_OSIM_JOINTS_H_

#include "osim/context.h"

namespace sinew::osim {

// Reads the joints of a JointSet, and those that stand in their child bodies, as files before version 4 have them.
void ReadJoints(Context& context, const XmlNode& model);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_JOINTS_H_
