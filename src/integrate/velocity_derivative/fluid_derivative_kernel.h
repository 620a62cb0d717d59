// Derivative of fluid forces with respect to velocity: the fluid kernels run on dual numbers, with the six components
// of the local velocity as variables.
//
//   Q += J' B J,    J: local velocity of the body or geom per unit qvel (6 x nv),  B = d wrench / d velocity (6 x 6)
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_FLUID_DERIVATIVE_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_FLUID_DERIVATIVE_KERNEL_H_

#include "force/immersed_kernel.h"
#include "integrate/velocity_derivative/sparsity_kernel.h"
#include "math/dual.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

template <class S>
using VelocityDual = Dual<S, 6>;

template <class S>
Spatial<VelocityDual<S>> VelocityVariables(const Spatial<S>& velocity) {
  Spatial<VelocityDual<S>> v;
  for (int k = 0; k < 6; ++k) v[k] = VelocityDual<S>::Variable(velocity[k], k);
  return v;
}

// Adds J' B J for the dofs that move the frame's body. The wrench carries the rows of B as its slopes. `symmetric` uses
// (B + B') / 2 instead of B. `columns` is scratch for J: one Spatial for each dof.
template <class S>
void AddWrenchDerivative(const ModelView<S>& m, const DataView<S>& d, const ImmersedFrame<S>& frame,
                         const Spatial<VelocityDual<S>>& wrench, bool symmetric, Spatial<S>* columns, S* Q) {
  // B, row-major
  S B[36];
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) {
      B[6 * r + c] = symmetric ? (wrench[r].slope[c] + wrench[c].slope[r]) * S(0.5) : wrench[r].slope[c];
    }
  }

  // columns of J
  const int mover = m.body_weldid(frame.body);
  if (m.body_dofnum(mover) == 0) return;
  const int last = m.body_dofadr(mover) + m.body_dofnum(mover) - 1;
  const Vec3<S> offset = frame.p - TreeCenter(m, d, frame.body);
  for (int i = last; i >= 0; i = m.dof_parentid(i)) {
    columns[i] = {MulTransposed(frame.R, d.cdof(i).rot), MulTransposed(frame.R, PointVelocity(d.cdof(i), offset))};
  }

  const SquarePattern pattern = DofPattern(m.raw());
  for (int i = last; i >= 0; i = m.dof_parentid(i)) {
    Spatial<S> left = ZeroSpatial<S>();  // J_i' B
    for (int k = 0; k < 36; ++k) left[k % 6] += columns[i][k / 6] * B[k];
    for (int j = last; j >= 0; j = m.dof_parentid(j)) Q[pattern.Find(i, j)] += Dot(left, columns[j]);
  }
}

// Q += d qfrc_fluid / d qvel. With `symmetric`, the part of each ellipsoid is symmetrized.
template <class S>
void AddFluidDerivative(const ModelView<S>& m, const DataView<S>& d, bool symmetric, Spatial<S>* columns, S* Q) {
  if (!HasMedium(m)) return;
  const Medium<S> medium = SurroundingMedium(m);
  ForEachImmersed(
      m, d,
      [&](const ImmersedFrame<S>& frame, const Vec3<S>& side) {
        const auto v = VelocityVariables(RelativeVelocity(m, d, frame));
        AddWrenchDerivative(m, d, frame, BoxFluidWrench(medium, side, v), symmetric, columns, Q);
      },
      [&](const ImmersedFrame<S>& frame, const FluidEllipsoid<S>& shape) {
        const auto v = VelocityVariables(RelativeVelocity(m, d, frame));
        AddWrenchDerivative(m, d, frame, EllipsoidFluidWrench(medium, shape, v), symmetric, columns, Q);
      });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_FLUID_DERIVATIVE_KERNEL_H_
