// Muscles along paths of points.
#ifndef SINEW_HFD_MUSCLES_H_
#define SINEW_HFD_MUSCLES_H_

#include "hfd/context.h"

namespace sinew::hfd {

void ReadMuscle(Context& context, const XmlNode& node);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_MUSCLES_H_
