// Constraints of a document become equalities.
#ifndef SINEW_OSIM_CONSTRAINTS_H_
#define SINEW_OSIM_CONSTRAINTS_H_

#include "osim/context.h"

namespace sinew::osim {

void ReadConstraints(Context& context, const XmlNode& model);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_CONSTRAINTS_H_
