// Motors of joints.
#ifndef SINEW_HFD_MOTORS_H_
#define SINEW_HFD_MOTORS_H_

#include "hfd/context.h"

namespace sinew::hfd {

void ReadMotor(Context& context, const XmlNode& node);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_MOTORS_H_
