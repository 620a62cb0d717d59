// Four pairs of solids at a time: a box or a tetrahedron of a flex against a tetrahedron. Most that touch have a corner
// on a face, or two edges that cross: a few directions, tried in lanes, tell the distance (deepest_axis_kernel.h), and
// the points where they are nearest prove it.
#ifndef SINEW_COLLISION_FLEX_SOLID_PAIRS_H_
#define SINEW_COLLISION_FLEX_SOLID_PAIRS_H_

#include "collision/flex/element.h"
#include "collision/flex/four_contacts.h"

namespace sinew::inline collision {

// Normals lead from the first to the second. Undecided are pairs that are nearest at a corner and a corner or an edge,
// and those with flat tetrahedra.
FourContacts CollideBoxTetrahedra(const PlacedGeom<double>& box, const FlexElement (&tetra)[4], double margin);
FourContacts CollideTetrahedra(const FlexElement (&a)[4], const FlexElement (&b)[4], double margin);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_SOLID_PAIRS_H_
