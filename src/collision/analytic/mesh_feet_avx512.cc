#include "collision/analytic/mesh_feet_kernel.h"
#include "simd/flatten.h"

namespace sinew::inline collision {

#if defined(__x86_64__)
namespace {

SINEW_FLATTEN int Complete(const FeetTask& task, int* vertices) { return FindFurtherFeet<8>(task, vertices); }

}  // namespace

constinit const CompleteFeet kCompleteFeetAvx512 = Complete;
#endif

}  // namespace sinew::inline collision
