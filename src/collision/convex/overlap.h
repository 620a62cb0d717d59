// Whether two polytopes overlap, found by the same simplices as their distance (collision/convex/gjk.h), but without
// it: the next direction is across the part of the simplex that is nearest to the origin, of any length, and the part
// is named by signs alone (the regions of C. Ericson, Real-Time Collision Detection, 2005, sec. 9.5.2). Nothing is
// divided, and no weights are computed.
#ifndef SINEW_COLLISION_CONVEX_OVERLAP_H_
#define SINEW_COLLISION_CONVEX_OVERLAP_H_

#include "collision/convex/gjk_simplex.h"

namespace sinew::inline collision {

enum class Overlap { kApart, kInside, kUnsure };

// kApart: a plane separates the polytopes. kInside: the simplex, a tetrahedron of A - B, contains the origin. kUnsure:
// they touch to rounding, or the search does not end; the simplex is of no use.
Overlap FindOverlap(const ConvexShape& A, const ConvexShape& B, Simplex& simplex);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_OVERLAP_H_
