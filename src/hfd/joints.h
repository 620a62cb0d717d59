// Joints of a body, by the coordinates that a document names (docs/how/hfd.md).
#ifndef SINEW_HFD_JOINTS_H_
#define SINEW_HFD_JOINTS_H_

#include "hfd/context.h"

namespace sinew::hfd {

// Places a body in its parent, or in ground, and adds the joints that it has there.
void AddJoints(Context& context, BodyRecord& record);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_JOINTS_H_
