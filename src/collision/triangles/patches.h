// Few contacts of many: of those with about the same normal, the ones that span the patch (docs/how/triangles.md).
#ifndef SINEW_COLLISION_TRIANGLES_PATCHES_H_
#define SINEW_COLLISION_TRIANGLES_PATCHES_H_

#include "collision/geom.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// Keeps of each patch up to five contacts, and of all at most as many as a pair may have. `size` [m] is that of the
// smaller geom.
void KeepPatches(StackList<ContactPoint<double>>& points, StackFrame& frame, double size);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_PATCHES_H_
