// Contact geometry and the forces between it (docs/how/compliant-contact.md).
#ifndef SINEW_OSIM_CONTACT_H_
#define SINEW_OSIM_CONTACT_H_

#include "osim/properties.h"

namespace sinew::osim {

// Makes geoms of the ContactGeometrySet, which touch nothing by themselves.
void ReadContactGeometry(Context& context, const XmlNode& model);

// Makes pairs of the geoms of a force, with its laws.
void ReadHuntCrossley(Context& context, Properties& force);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_CONTACT_H_
