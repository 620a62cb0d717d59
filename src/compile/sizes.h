// Sizes of the model.
#ifndef SINEW_COMPILE_SIZES_H_
#define SINEW_COMPILE_SIZES_H_

#include "compile/draft.h"
#include "compile/geometry/bvh.h"
#include "compile/names.h"
#include "compile/topology/topology.h"

namespace sinew::inline compile {

// All sizes (kModelSizes) of a draft, in a model of which nothing else is set. Throws when the user asks for fewer user
// numbers than an element gives.
mjModel FindSizes(const Draft& draft, const Topology& topology, const std::vector<BoxTree>& body_trees,
                  const std::vector<NameGroup>& names);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_SIZES_H_
