// Projected Gauss-Seidel on rows whose forces have bounds: equalities, friction loss, limits, contacts without friction
// or with a pyramid. Elliptic contacts are one world's alone (pgs.cc).
//
// In packs a row of a lane is whichever row of its world comes there: the method asks for nothing that lanes would have
// to share. Rows that a world does not have are zero, with bounds that are zero, and change no number of the others.
#ifndef SINEW_SOLVE_PGS_KERNEL_H_
#define SINEW_SOLVE_PGS_KERNEL_H_

#include "simd/functions.h"
#include "simd/pack.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// How far a row's force moves, and by how much the dual cost changes.
template <class S>
struct RowStep {
  S delta, cost;
};

// To the unbounded minimum, moved into [low, high]. `inverse`: of the diagonal entry.
template <class S>
RowStep<S> StepOfRow(S force, S residual, S diagonal, S inverse, S low, S high) {
  const S delta = Clamp(force - residual * inverse, low, high) - force;
  return {delta, delta * (S(0.5) * delta * diagonal + residual)};
}

// The dual problem of a pack: minimize 1/2 f' A f + f' b within bounds; the residual is b + A f.
template <class S>
struct BoundedRows {
  int count;
  const S* A;  // count x count, symmetric
  const S *diagonal, *inverse, *low, *high;
  const S* weight;  // of what a row lowers the cost by (problem.h)
  S *force, *residual;
};

// Moves the force of a row of some lanes; the residual follows.
template <class S>
S SweepRow(const BoundedRows<S>& p, int row, MaskOf<S> live) {
  const RowStep<S> step =
      StepOfRow(p.force[row], p.residual[row], p.diagonal[row], p.inverse[row], p.low[row], p.high[row]);
  const S delta = Select(live, step.delta, S(0));
  const MaskOf<S> moves = delta != S(0);
  if (!Any(moves)) return step.cost;
  p.force[row] = Select(moves, p.force[row] + delta, p.force[row]);
  const S* column = p.A + row * p.count;
  for (int i = 0; i < p.count; ++i) p.residual[i] += column[i] * delta;
  return step.cost;
}

// Sweeps until the cost of each lane stops to fall, as the weights of its rows measure it. Returns the sweeps of each
// lane.
template <class S>
S MinimizeBoundedRows(const BoundedRows<S>& p, int iterations, S tolerance, MaskOf<S> live) {
  S sweeps(0);
  for (int i = 0; i < iterations && Any(live); ++i) {
    S change(0);
    for (int row = 0; row < p.count; ++row) change += p.weight[row] * SweepRow(p, row, live);
    sweeps += Select(live, S(1), S(0));
    live = live & !(-change < tolerance);
  }
  return sweeps;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_PGS_KERNEL_H_
