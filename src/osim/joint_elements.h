// Joints of a document become joints of the model (docs/how/osim.md).
#ifndef SINEW_OSIM_JOINT_ELEMENTS_H_
#define SINEW_OSIM_JOINT_ELEMENTS_H_

#include "osim/context.h"

namespace sinew::osim {

// Places the child in its parent and adds the joints that it has there. Returns its pose in the parent at the default
// values of the coordinates.
Pose AddJoints(Context& context, const JointRecord& joint, Body& body);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_JOINT_ELEMENTS_H_
