// Actuators that act on bodies instead of coordinates: torques on two bodies, forces at points.
#ifndef SINEW_OSIM_BODY_ACTUATORS_H_
#define SINEW_OSIM_BODY_ACTUATORS_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "osim/context.h"
#include "osim/properties.h"

namespace sinew::osim {

// A motor with the component's name and bounds of its control; what it acts on is up to the caller.
Actuator& AddMotor(Context& context, Properties& properties);

// A site at the location that one property holds, on the body that another one names; its name, empty for no body,
// which is a problem then.
std::string AddPoint(Context& context, Properties& properties, std::initializer_list<std::string_view> body,
                     const char* point);

// The straight tendon between two sites.
Tendon& AddLine(Context& context, Properties& properties, const std::string& first, const std::string& second);

void ReadTorqueActuator(Context& context, Properties& properties);
void ReadPointActuator(Context& context, Properties& properties);
void ReadPointToPointActuator(Context& context, Properties& properties);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_BODY_ACTUATORS_H_
