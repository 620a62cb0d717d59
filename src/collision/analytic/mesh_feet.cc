#include "collision/analytic/mesh_feet.h"

#include "collision/analytic/mesh_feet_kernel.h"
#include "simd/flatten.h"

namespace sinew::inline collision {
namespace {

SINEW_FLATTEN int Complete(const FeetTask& task, int* vertices) { return FindFurtherFeet<2>(task, vertices); }

}  // namespace

constinit const CompleteFeet kCompleteFeet = Complete;

}  // namespace sinew::inline collision
