// The specification of the last model that mj_loadXML made, for mj_saveLastXML.
#ifndef SINEW_CAPI_OBJECTS_LAST_SPEC_H_
#define SINEW_CAPI_OBJECTS_LAST_SPEC_H_

#include <memory>

#include "spec/spec.h"

namespace sinew::capi {

// Replaces the specification that is kept; null means that there is none any more.
void KeepLastSpec(std::unique_ptr<Spec> spec);

}  // namespace sinew::capi

#endif  // SINEW_CAPI_OBJECTS_LAST_SPEC_H_
