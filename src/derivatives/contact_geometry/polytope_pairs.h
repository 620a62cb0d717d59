// Contacts of boxes and meshes, whose kinds of features decide which formula holds: their kernels on dual numbers, or
// what the search for their depth has ended at, as a function of the poses.
#ifndef SINEW_DERIVATIVES_CONTACT_GEOMETRY_POLYTOPE_PAIRS_H_
#define SINEW_DERIVATIVES_CONTACT_GEOMETRY_POLYTOPE_PAIRS_H_

#include <mujoco/mujoco.h>

#include <memory>

#include "derivatives/contact_geometry/pair_formula.h"

namespace sinew::inline derivatives {

// A plane with a mesh, two boxes, and boxes and meshes that overlap without a margin.
class PolytopePairs {
 public:
  PolytopePairs(const mjModel* m, mjData* d);
  ~PolytopePairs();
  PolytopePairs(const PolytopePairs&) = delete;
  PolytopePairs& operator=(const PolytopePairs&) = delete;

  // As DifferentiateFormula, at the present poses. False for other pairs, and where a contact is not among those that
  // the features of the pair have.
  bool Differentiate(const mjContact& contact, const PlacedGeom<PairNumber>& first,
                     const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]);

 private:
  struct Overlap;  // of two polytopes: what does not depend on slopes

  // The overlap of the pair of a contact; contacts of a pair follow one another, and it is computed once for all.
  const Overlap& OverlapOf(const mjContact& contact);

  const mjModel* m_;
  mjData* d_;
  std::unique_ptr<Overlap> overlap_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_CONTACT_GEOMETRY_POLYTOPE_PAIRS_H_
