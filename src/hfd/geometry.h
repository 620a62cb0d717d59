// Contact geometry, and what is shown.
#ifndef SINEW_HFD_GEOMETRY_H_
#define SINEW_HFD_GEOMETRY_H_

#include "hfd/context.h"

namespace sinew::hfd {

// `owner`: the body in which the entry stands; null: the entry names one.
void ReadGeometry(Context& context, const XmlNode& node, const BodyRecord* owner);
void ReadMesh(Context& context, const XmlNode& node, const BodyRecord& owner);

// How friction begins, and how two materials combine.
void SetContactOption(Context& context);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_GEOMETRY_H_
