// Four segments of flexes at a time, which are capsules, against a geom or other segments: the formulas of analytic/,
// in lanes.
#ifndef SINEW_COLLISION_FLEX_SEGMENT_PAIRS_H_
#define SINEW_COLLISION_FLEX_SEGMENT_PAIRS_H_

#include "collision/flex/element.h"
#include "collision/flex/four_contacts.h"

namespace sinew::inline collision {

// A sphere, capsule or box against segments; normals lead from the geom to the segment. All pairs are decided.
FourContacts CollideGeomSegments(int type, const PlacedGeom<double>& geom, const FlexElement (&segment)[4],
                                 double margin);
FourContacts CollideSegments(const FlexElement (&a)[4], const FlexElement (&b)[4], double margin);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_SEGMENT_PAIRS_H_
