// Instantiates recursive Newton-Euler for one world.
#include "inertia/rne.h"

#include "core/stack.h"
#include "inertia/rne_kernel.h"
#include "simd/flatten.h"

namespace sinew::inline inertia {

SINEW_DISPATCH void Rne(const mjModel* m, mjData* d, bool with_acc, mjtNum* result) {
  StackFrame frame(d);
  using Row = Spatial<mjtNum>;
  Rne<mjtNum>(m, d, with_acc, result, frame.Alloc<Row>(m->nbody), frame.Alloc<Row>(m->nbody));
}

}  // namespace sinew::inline inertia
