// Geoms of the draft.
#ifndef SINEW_COMPILE_TREE_GEOM_H_
#define SINEW_COMPILE_TREE_GEOM_H_

#include "compile/draft.h"

namespace sinew::inline compile {

// A geom in the frame in which it stands: shape, pose, bounds, mass.
GeomDraft DraftGeom(Geom& geom, const Draft& draft);

// Replaces the frame and half length by those of the segment `fromto`, when that is given (geoms and sites).
void ResolveFromTo(const double fromto[6], Shape& shape, Pose& pose);

// Values of a surface that are given in the frame of an element, in another one in it: the velocity at its origin. A
// velocity that is not given stays so.
SurfaceValues SurfaceIn(const Pose& frame, SurfaceValues values);

// Sizes that a shape needs must be positive.
void CheckSizes(const Shape& shape);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_GEOM_H_
