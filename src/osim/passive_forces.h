// Forces that follow from the state alone: limit forces of coordinates, ligaments, bushings.
#ifndef SINEW_OSIM_PASSIVE_FORCES_H_
#define SINEW_OSIM_PASSIVE_FORCES_H_

#include "osim/context.h"
#include "osim/properties.h"

namespace sinew::osim {

// `joint`: that of the coordinate.
void ReadLimitForce(Properties& properties, Joint* joint);

void ReadBlankevoort(Context& context, Properties& properties);
void ReadLigament(Context& context, Properties& properties);
void ReadBushing(Context& context, Properties& properties);
void ReadFunctionBushing(Context& context, Properties& properties);
void ReadExpressionBushing(Context& context, Properties& properties);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_PASSIVE_FORCES_H_
