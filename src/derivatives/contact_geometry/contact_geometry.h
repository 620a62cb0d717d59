// How the geometry of a contact changes when its geoms move, and with their sizes.
#ifndef SINEW_DERIVATIVES_CONTACT_GEOMETRY_CONTACT_GEOMETRY_H_
#define SINEW_DERIVATIVES_CONTACT_GEOMETRY_CONTACT_GEOMETRY_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

#include "derivatives/base/pair_columns.h"
#include "derivatives/contact_geometry/pair_formula.h"
#include "derivatives/contact_geometry/polytope_pairs.h"
#include "math/spatial.h"
#include "model/kinds/triangle_meshes.h"

namespace sinew::inline derivatives {

using SideShifts = SideShiftsOf<double>;
using ContactSides = ContactSidesOf<double>;

// A contact at the point where collision detection found it.
mjContact AsFound(const mjModel* m, const mjContact& contact);

// The contacts of a pair of geoms. Formulas run on dual numbers (pair_formula.h), those of boxes and meshes follow from
// the features that meet (polytope_pairs.h), and other convex shapes have witness points (witness_points.h). Contacts
// with fields and of shapes that lie flat on each other are differentiated by central differences of the function that
// finds the contacts, over a millionth of a metre and of a radian, with the tightest tolerance of the search. Functions
// return false where a contact of the pair comes or goes on both sides.
class PairGeometry {
 public:
  // Geoms are moved in the world and put back.
  PairGeometry(const mjModel* m, mjData* d) : m_(m), d_(d), triangles_(m), polytopes_(m, d) {}

  // `side`: 0 or 1, the geom that moves.
  bool Differentiate(const mjContact& contact, int side, SideShifts& out);

  // Both sides. Throws where the contact vanishes; `which` goes on about it.
  ContactSides DifferentiateSides(const mjContact& contact, const char* which = "");
  [[noreturn]] void ThrowVanishing(const mjContact& contact, const char* which = "") const;

  // By the three sizes of the first geom and those of the second.
  bool DifferentiateSizes(const mjContact& contact, ContactShift (&out)[kPairNumbers]);

 private:
  bool InClosedForm(const mjContact& contact, const PlacedGeom<PairNumber>& first, const PlacedGeom<PairNumber>& second,
                    ContactShift (&by)[kPairNumbers]);

  // The model with tolerances for differences, and with sizes of its own.
  struct FineModel {
    mjModel model;
    std::vector<double> sizes;
  };
  FineModel& fine();

  // The contact of the pair that is nearest to `contact`, as the geoms are now; false without any nearby.
  bool Find(const mjContact& contact, double step, mjContact& found);

  // The shift over a step up and down, by what makes it.
  template <class Make>
  bool Difference(const mjContact& contact, const Make& make, ContactShift& out);

  const mjModel* m_;
  mjData* d_;
  TriangleMeshes triangles_;
  PolytopePairs polytopes_;
  std::unique_ptr<FineModel> fine_;
  mjContact scratch_[mjMAXCONPAIR];
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_CONTACT_GEOMETRY_CONTACT_GEOMETRY_H_
