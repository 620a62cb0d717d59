// When the forces of a dof are in balance, so that a primal solver has nothing left to do there.
//
// The gradient g = M a - qfrc_smooth - J' f of each dof is compared with the forces that the dof has, |M a| +
// |qfrc_smooth| + |J' f|. So no dof, body or row decides for another one, whatever their masses are, and no difference
// of two costs is taken: a row that is pressed against what cannot move costs more than all others together, and the
// improvement of these would be less than the rounding of its cost.
//
// Where forces cancel, a dof has next to none, and rounding is all that is left of its gradient. It is measured by the
// largest force in its kinematic tree first, in units in which M has the diagonal 1. Where forces of constraints cancel
// that are larger than all these, it takes the sum of all terms of the gradient (`floor`) to tell.
#ifndef SINEW_SOLVE_BALANCE_KERNEL_H_
#define SINEW_SOLVE_BALANCE_KERNEL_H_

#include "simd/pack.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// The rounding error of a sum of some terms of size 1: two units in the last place.
template <class S>
inline constexpr double kRoundingOfSum = kIsFloat<S> ? 0x1p-22 : 0x1p-51;

// The same of sums in stiff islands (IsStiff), whose terms are rounded, too, before they are multiplied by D.
template <class S>
inline constexpr double kRoundingOfStiffSum = kIsFloat<S> ? 0x1p-20 : 0x1p-49;

// The rounding error of the slope along a line in a stiff island, for each dof that moves.
template <class S>
inline constexpr double kRoundingOfSlope = kIsFloat<S> ? 0x1p-21 : 0x1p-50;

// The largest rounding error of long sums that counts, where another step has not reduced it.
template <class S>
inline constexpr double kRoundingOfLongSum = kIsFloat<S> ? 0x1p-17 : 0x1p-44;

// The share of the largest force of a tree that is taken for rounding of each of its dofs.
template <class S>
inline constexpr double kRoundingOfTree = kIsFloat<S> ? 0x1p-20 : 0x1p-49;

// The share of a dof's own forces that may be left at a minimum. It is far below `tolerance`, since the last step of
// Newton's method leaves rounding alone, or the square of what there was; and it is the same at the start, so that what
// is at rest stays at rest.
template <class S>
S BalanceTolerance(double tolerance) {
  constexpr double kShare = 1e-3;
  return Max(Uniform<S>(kShare * tolerance), Uniform<S>(kIsFloat<S> ? 0x1p-22 : 0x1p-51));
}

// Whether rows of the stiffness D are so much stiffer than the lightest dof beside them, of inertia M_ii, that what
// rounding leaves of J a - aref counts: its force D eps |J| |a| is no longer below the share of a dof's own forces that
// has to be in balance. Rows of contacts have some ten to ten thousand times the inertia that they feel; rows against
// what cannot move reach 1e15.
template <class S>
MaskOf<S> IsStiff(S D, S inverse_inertia) {
  return D * inverse_inertia > Uniform<S>(kIsFloat<S> ? 1e5 : 1e8);
}

template <class S>
S OwnForces(S Ma, S qfrc_smooth, S qfrc_constraint) {
  return Abs(Ma) + Abs(qfrc_smooth) + Abs(qfrc_constraint);
}

// `inverse_root`: 1 / sqrt(M_ii); `largest`: the largest of own * inverse_root in the tree.
template <class S>
MaskOf<S> IsBalanced(S gradient, S own, S inverse_root, S largest, S tolerance) {
  const S size = Abs(gradient);
  return (size <= tolerance * own) | (size * inverse_root <= Uniform<S>(kRoundingOfTree<S>) * largest);
}

// `floor`: the sum of the sizes of all terms of the gradient; `stalled`: where the last step has not halved the largest
// gradient of the tree; `stiff`: of its island.
template <class S>
MaskOf<S> IsRounding(S gradient, S floor, MaskOf<S> stalled, MaskOf<S> stiff) {
  const S sum = Select(stiff, Uniform<S>(kRoundingOfStiffSum<S>), Uniform<S>(kRoundingOfSum<S>));
  const S share = Select(stalled, Uniform<S>(kRoundingOfLongSum<S>), sum);
  return Abs(gradient) <= share * floor;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_BALANCE_KERNEL_H_
