// Contacts of convex shapes by their witness points.
//
// With the outward normal n of the first shape, the points of the shapes that are farthest along n and -n, a(n) and
// b(-n), are witness points of a distance d where
//
//   E = b - a - n d = 0
//
// Where a shape is straight along e (sides of cylinders and capsules, edges, faces), its point may move along it, by
// another unknown, and there is another equation, n . e = 0. The implicit function theorem on E gives the derivatives;
// E runs on dual numbers. A search (collision/convex) has found the solution to its tolerance, and Newton's method
// makes it exact.
#ifndef SINEW_DERIVATIVES_CONTACT_GEOMETRY_WITNESS_POINTS_H_
#define SINEW_DERIVATIVES_CONTACT_GEOMETRY_WITNESS_POINTS_H_

#include "derivatives/contact_geometry/pair_formula.h"

namespace sinew::inline derivatives {

// As DifferentiateFormula, for pairs of convex shapes of which the contact is the only one. False where there are no
// unique witness points, as of shapes that lie flat on each other.
bool DifferentiateWitness(const mjModel* m, const mjContact& contact, const PlacedGeom<PairNumber>& first,
                          const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]);

// Puts the exact distances, points and normals of contacts of ellipsoids and cylinders in the place of those that the
// search has ended at; those of flat sides are exact. Returns whether there were any: then what depends on contacts has
// to be computed again.
bool MakeContactsExact(const mjModel* m, mjData* d);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_CONTACT_GEOMETRY_WITNESS_POINTS_H_
