// Contacts of pairs that have a formula (collision/analytic), on dual numbers: their kernels give their own
// derivatives.
#ifndef SINEW_DERIVATIVES_CONTACT_GEOMETRY_PAIR_FORMULA_H_
#define SINEW_DERIVATIVES_CONTACT_GEOMETRY_PAIR_FORMULA_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "derivatives/base/contact_columns_kernel.h"
#include "math/dual.h"

namespace sinew::inline derivatives {

using ContactShift = ContactShiftOf<double>;

// Half the change of a frame's axes, crossed with them, is the rotation that makes it.
inline Vec3<double> TurnOfAxes(const Vec3<double> (&axes)[3], const Vec3<double> (&changes)[3]) {
  Vec3<double> turn = Zero3<double>();
  for (int k = 0; k < 3; ++k) turn += Cross(axes[k], changes[k]) * 0.5;
  return turn;
}

// As many numbers as a rigid motion has, or the sizes of two geoms.
inline constexpr int kPairNumbers = 6;
using PairNumber = Dual<double, kPairNumbers>;

// The geom as it is, without slopes.
PlacedGeom<PairNumber> ConstantGeom(const mjModel* m, const mjData* d, int geom);

// Whether a world has no other contact of the pair of geoms of this one.
inline bool IsOnlyOfPair(const mjData* d, const mjContact& contact) {
  int count = 0;
  for (int i = 0; i < d->ncon; ++i) {
    count += d->contact[i].geom[0] == contact.geom[0] && d->contact[i].geom[1] == contact.geom[1];
  }
  return count <= 1;
}

// The slopes of a contact on dual numbers, with its frame completed.
void StoreShifts(const ContactPoint<PairNumber>& point, const Vec3<PairNumber>& tangent,
                 ContactShift (&by)[kPairNumbers]);

// The shifts of a contact with the numbers that the geoms of its pair, in their order, have slopes by. False where the
// pair has no formula, or where its formula does not find the contact.
bool DifferentiateFormula(const mjModel* m, const mjContact& contact, const PlacedGeom<PairNumber>& first,
                          const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_CONTACT_GEOMETRY_PAIR_FORMULA_H_
