// Surfaces that move (docs/how/surfaces.md): the velocity that they add to the rows of a contact, for one world and for
// lanes.
//
// A surface moves through the frame of its geom as a twist: its material has the velocity v + w x (p - p_geom). Of the
// twist of the second surface relative to the first, contacts feel the sliding along both tangents and the spin about
// the normal: a surface neither leaves the geom nor rolls on it.
#ifndef SINEW_CONSTRAINT_SURFACE_KERNEL_H_
#define SINEW_CONSTRAINT_SURFACE_KERNEL_H_

#include <mujoco/mujoco.h>

#include "constraint/wrench.h"
#include "math/mat3.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "model/kinds/surface.h"
#include "model/view/data_view.h"
#include "simd/pack.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

// Surfaces move along the directions of a contact below kSurfaceDirections, but for the normal.
inline constexpr int kSurfaceDirections = 4, kSpinDirection = 3;

// The twist of a geom's surface in world axes: rotation, and velocity at `point`. `velocity`: its six numbers.
template <class S>
Spatial<S> SurfaceTwist(const mjtNum* velocity, const Vec3<S>& geom_pos, const Mat3<S>& geom_axes,
                        const Vec3<S>& point) {
  const auto vector = [velocity](int i) {
    return Vec3<S>{Uniform<S>(velocity[i]), Uniform<S>(velocity[i + 1]), Uniform<S>(velocity[i + 2])};
  };
  const Vec3<S> rot = geom_axes * vector(3);
  return {rot, geom_axes * vector(0) + Cross(rot, point - geom_pos)};
}

// The twists of the surfaces of both geoms of a contact at its point.
template <class S>
struct SurfaceTwists {
  bool move = false;  // else both are zero
  Spatial<S> side[2] = {ZeroSpatial<S>(), ZeroSpatial<S>()};

  // Returns the twist of the second surface relative to the first.
  Spatial<S> Relative() const { return side[1] - side[0]; }
};
template <class S>
SurfaceTwists<S> SurfaceTwistsOf(const Surfaces& surfaces, const DataView<S>& d, const int* geom,
                                 const Vec3<S>& point) {
  SurfaceTwists<S> twists;
  for (int b = 0; b < 2; ++b) {
    if (!surfaces || !surfaces.Moves(geom[b])) continue;
    twists.move = true;
    twists.side[b] = SurfaceTwist<S>(surfaces.Velocity(geom[b]), d.geom_xpos(geom[b]), d.geom_xmat(geom[b]), point);
  }
  return twists;
}

// The velocity along direction k of a contact's frame that a twist at its point adds.
template <class S>
S SurfaceSpeed(const ContactAxes<S>& axes, const Spatial<S>& twist, int k) {
  if (k == 0 || k >= kSurfaceDirections) return S(0);
  return k == kSpinDirection ? Dot(axes.axis[0], twist.rot) : Dot(axes.axis[k], twist.lin);
}

// Adds it to the velocities of a contact's rows: directions, or the edges of a pyramid.
template <class S>
void AddSurfaceSpeeds(const ContactAxes<S>& axes, const Spatial<S>& twist, const S* friction, int rows, bool pyramidal,
                      S* velocity) {
  const int directions = pyramidal ? rows / 2 + 1 : rows;
  for (int k = 1; k < directions && k < kSurfaceDirections; ++k) {
    const S speed = SurfaceSpeed(axes, twist, k);
    if (pyramidal) {
      velocity[2 * k - 2] += friction[k - 1] * speed;
      velocity[2 * k - 1] -= friction[k - 1] * speed;
    } else {
      velocity[k] += speed;
    }
  }
}

// The reference that adhesion gives each row that pulls along the normal: R times its share, which is 1, or that of one
// of the edges of a pyramid.
template <class S>
S AdhesionReference(S regularization, double adhesion, int rows, bool pyramidal) {
  return regularization * Uniform<S>(pyramidal ? adhesion / rows : adhesion);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_SURFACE_KERNEL_H_
