// Which bodies and geoms the surrounding medium acts on, and their motion relative to it.
//
//   in:  poses, cvel, wind          out: added to qfrc_fluid
#ifndef SINEW_FORCE_IMMERSED_KERNEL_H_
#define SINEW_FORCE_IMMERSED_KERNEL_H_

#include "force/fluid_kernel.h"
#include "kinematics/apply_kernel.h"
#include "kinematics/com_kernel.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// A frame in which a fluid model works: inertial frame of a body, or frame of a geom.
template <class S>
struct ImmersedFrame {
  int body;
  Vec3<S> p;  // origin in the world
  Mat3<S> R;  // columns: axes in the world
};

template <class S>
Medium<S> SurroundingMedium(const ModelView<S>& m) {
  return {m.opt_density(), m.opt_viscosity()};
}

template <class S>
bool HasMedium(const ModelView<S>& m) {
  const Medium<S> medium = SurroundingMedium(m);
  return Any((medium.rho != S(0)) | (medium.beta != S(0)));
}

// Velocity relative to the medium, in the frame's axes.
template <class S>
Spatial<S> RelativeVelocity(const ModelView<S>& m, const DataView<S>& d, const ImmersedFrame<S>& frame) {
  const Spatial<S>& v = d.cvel(frame.body);
  const Vec3<S> point = PointVelocity(v, frame.p - TreeCenter(m, d, frame.body));
  return {MulTransposed(frame.R, v.rot), MulTransposed(frame.R, point - m.opt_wind())};
}

// A geom uses the ellipsoid model when its first coefficient is positive.
template <class S>
bool IsFluidEllipsoid(const ModelView<S>& m, int geom) {
  return Any(m.geom_fluid(geom)[0] > S(0));
}

// Calls ellipsoid(frame, shape) for each geom of a body that uses its ellipsoid, and box(frame, side) where none does.
// A medium does not act on bodies without mass.
template <class S, class Box, class Ellipsoid>
void ForImmersedBody(const ModelView<S>& m, const DataView<S>& d, int b, const Box& box, const Ellipsoid& ellipsoid) {
  const S mass = m.body_mass(b);
  if (!Any(mass >= S(kMinVal))) return;
  bool has_ellipsoid = false;
  const int first = m.body_geomadr(b), end = first + m.body_geomnum(b);
  for (int g = first; g < end; ++g) {
    if (!IsFluidEllipsoid(m, g)) continue;
    has_ellipsoid = true;
    ellipsoid(ImmersedFrame<S>{b, d.geom_xpos(g), d.geom_xmat(g)},
              MakeFluidEllipsoid<S>(m.geom_type(g), m.geom_size(g), m.geom_fluid(g)));
  }
  if (!has_ellipsoid) box(ImmersedFrame<S>{b, d.xipos(b), d.ximat(b)}, InertiaBox(m.body_inertia(b), mass));
}
template <class S, class Box, class Ellipsoid>
void ForEachImmersed(const ModelView<S>& m, const DataView<S>& d, const Box& box, const Ellipsoid& ellipsoid) {
  for (int b = 1; b < m.nbody(); ++b) ForImmersedBody(m, d, b, box, ellipsoid);
}

// Calls visit(frame, wrench) for each frame on which the medium acts, with the wrench in the axes of the frame.
template <class S, class Visit>
void ForEachFluidWrench(const ModelView<S>& m, const DataView<S>& d, const Visit& visit) {
  if (!HasMedium(m)) return;
  const Medium<S> medium = SurroundingMedium(m);
  const auto visit_awake = [&](const ImmersedFrame<S>& frame, const Spatial<S>& local) {
    if (IsAwakeBody(m, d, frame.body)) visit(frame, local);
  };
  ForEachImmersed(
      m, d,
      [&](const ImmersedFrame<S>& frame, const Vec3<S>& side) {
        visit_awake(frame, BoxFluidWrench(medium, side, RelativeVelocity(m, d, frame)));
      },
      [&](const ImmersedFrame<S>& frame, const FluidEllipsoid<S>& shape) {
        visit_awake(frame, EllipsoidFluidWrench(medium, shape, RelativeVelocity(m, d, frame)));
      });
}

template <class S>
void FluidForces(const ModelView<S>& m, const DataView<S>& d) {
  ForEachFluidWrench(m, d, [&](const ImmersedFrame<S>& frame, const Spatial<S>& local) {
    const Spatial<S> wrench = WrenchAt(m, d, frame.R * local.lin, frame.R * local.rot, frame.p, frame.body);
    AddWrench(m, d, wrench, frame.body, S(0) == S(0), d.qfrc_fluid_data());
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_IMMERSED_KERNEL_H_
