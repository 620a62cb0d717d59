// Muscles of a document become muscles with tendons (docs/how/musculotendon.md).
#ifndef SINEW_OSIM_MUSCLES_H_
#define SINEW_OSIM_MUSCLES_H_

#include "osim/context.h"

namespace sinew::osim {

bool IsMuscle(const XmlNode& node);
void ReadMuscle(Context& context, const XmlNode& node);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_MUSCLES_H_
