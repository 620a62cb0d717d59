#include "derivatives/contact_geometry/pair_formula.h"

#include <algorithm>
#include <iterator>

#include "collision/analytic/formula_kernels.h"
#include "collision/contact_frame.h"
#include "collision/pairs.h"
#include "derivatives/base/dual_order.h"

namespace sinew::inline derivatives {
namespace {

using Number = PairNumber;

Vec3<double> ValueOf(const Vec3<Number>& v) { return {v.x.value, v.y.value, v.z.value}; }
Vec3<double> SlopeOf(const Vec3<Number>& v, int k) { return {v.x.slope[k], v.y.slope[k], v.z.slope[k]}; }

// The point of a pair that became a contact, with the tangent that the pair suggests.
struct FoundPoint {
  ContactPoint<Number> point;
  Vec3<Number> tangent;
};

// Runs a kernel and finds the contact among its points: the same formula on the same numbers, it differs by rounding.
template <auto Kernel>
bool Find(const mjContact& contact, const PlacedGeom<Number>& first, const PlacedGeom<Number>& second,
          FoundPoint& found) {
  const double margin = std::max(contact.includemargin, contact.dist);
  const auto points = Kernel(first, second, Number(margin + kMinVal));
  double least = 1e-9;  // [m]
  bool any = false;
  for (size_t i = 0; i < std::size(points.point); ++i) {
    if (!points.hit[i]) continue;
    const double distance = Norm(ValueOf(points.point[i].pos) - LoadVec3(contact.pos));
    if (!(distance < least)) continue;
    least = distance;
    found = {points.point[i], points.tangent};
    any = true;
  }
  return any;
}

}  // namespace

PlacedGeom<PairNumber> ConstantGeom(const mjModel* m, const mjData* d, int geom) {
  PlacedGeom<Number> g;
  for (int k = 0; k < 3; ++k) {
    g.pos[k] = Number(d->geom_xpos[3 * geom + k]);
    g.size[k] = Number(m->geom_size[3 * geom + k]);
  }
  for (int k = 0; k < 9; ++k) g.mat.m[k] = Number(d->geom_xmat[9 * geom + k]);
  return g;
}

void StoreShifts(const ContactPoint<PairNumber>& point, const Vec3<PairNumber>& tangent,
                 ContactShift (&by)[kPairNumbers]) {
  const ContactFrame<Number> frame = CompletedFrame(point.normal, tangent);
  const Vec3<Number> axes[3] = {frame.normal, frame.first, frame.second};
  for (int k = 0; k < kPairNumbers; ++k) {
    Vec3<double> at[3], changes[3];
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = ValueOf(axes[axis]);
      changes[axis] = SlopeOf(axes[axis], k);
    }
    by[k] = {point.dist.slope[k], SlopeOf(point.pos, k), TurnOfAxes(at, changes)};
  }
}

bool DifferentiateFormula(const mjModel* m, const mjContact& contact, const PlacedGeom<PairNumber>& first,
                          const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]) {
  const int type1 = m->geom_type[contact.geom[0]], type2 = m->geom_type[contact.geom[1]];
  if (KindOfPair(type1, type2) != PairKind::kFormula) return false;
  FoundPoint found;
  bool any = false;
  VisitFormula<Number>(
      FormulaOf(type1, type2), [&]<auto Kernel>() { any = Find<Kernel>(contact, first, second, found); });
  if (!any) return false;
  StoreShifts(found.point, found.tangent, by);
  return true;
}

}  // namespace sinew::inline derivatives
