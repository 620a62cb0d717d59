// Forces of a surrounding medium of density rho and viscosity beta, on each body or geom by itself: the flow around it
// is taken as uniform, with velocity -u and spin -w seen from the body. Both models work in local axes and give a
// wrench about the centre (docs/how/passive.md).
#ifndef SINEW_FORCE_FLUID_KERNEL_H_
#define SINEW_FORCE_FLUID_KERNEL_H_

#include <mujoco/mujoco.h>

#include "math/spatial.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// Properties of the medium.
template <class S>
struct Medium {
  S rho, beta;
};

template <class S>
S Square(S x) {
  return x * x;
}

// ---- box with the same inertia as the body

// Full sides of the homogeneous box of mass m that has these principal moments: I_x = m (s_y^2 + s_z^2) / 12. A side
// that comes out as nothing is a small share of the others.
template <class S>
Vec3<S> InertiaBox(const Vec3<S>& I, S mass) {
  const S least = S(kMinVal) * (I.x + I.y + I.z);
  const auto side = [&](S a, S b, S c) { return Sqrt(Max(least, a + b - c) * S(6) / mass); };
  return {side(I.y, I.z, I.x), side(I.x, I.z, I.y), side(I.x, I.y, I.z)};
}

// Viscous drag of the sphere with the box's mean side d as diameter (Stokes), and quadratic drag of each face:
//   f = -3 pi d beta u     - rho/2 s_j s_k |u_i| u_i
//   t =  -pi d^3 beta w    - rho/64 s_i (s_j^4 + s_k^4) |w_i| w_i
template <class S, class V>
Spatial<V> BoxFluidWrench(const Medium<S>& medium, const Vec3<S>& side, const Spatial<V>& velocity) {
  const S diameter = (side.x + side.y + side.z) * S(1.0 / 3);
  const S linear = S(3 * kPi) * diameter * medium.beta;
  const S angular = S(kPi) * diameter * diameter * diameter * medium.beta;
  Spatial<V> wrench;
  for (int i = 0; i < 3; ++i) {
    const S a = side[i], b = side[(i + 1) % 3], c = side[(i + 2) % 3];
    const V w = velocity.rot[i], u = velocity.lin[i];
    wrench.rot[i] = -w * V(angular) - Abs(w) * w * V(medium.rho * a * (Square(b * b) + Square(c * c)) * S(1.0 / 64));
    wrench.lin[i] = -u * V(linear) - Abs(u) * u * V(medium.rho * b * c * S(0.5));
  }
  return wrench;
}

// ---- ellipsoid, with coefficients of the geom

// Coefficients and shape of one geom.
template <class S>
struct FluidEllipsoid {
  Vec3<S> axis;                           // semi-axes
  S blunt, slender, angular;              // drag coefficients
  S kutta, magnus;                        // lift coefficients
  Vec3<S> virtual_mass, virtual_inertia;  // of the medium that moves along, for unit density
};

// Semi-axes of the ellipsoid that stands for a geom.
template <class S>
Vec3<S> FluidSemiaxes(int type, const Vec3<S>& size) {
  switch (type) {
    case mjGEOM_SPHERE:
      return {size.x, size.x, size.x};
    case mjGEOM_CAPSULE:
      return {size.x, size.x, size.y + size.x};
    case mjGEOM_CYLINDER:
      return {size.x, size.x, size.y};
    default:
      return size;
  }
}

// Row of geom_fluid: interaction, blunt, slender, angular, kutta, magnus, virtual mass (3), virtual inertia (3).
template <class S, class Row>
FluidEllipsoid<S> MakeFluidEllipsoid(int type, const Vec3<S>& size, const Row& row) {
  return {FluidSemiaxes(type, size), row[1], row[2], row[3], row[4], row[5], {row[6], row[7], row[8]},
          {row[9], row[10], row[11]}};
}

template <class V, class S>
Vec3<V> Scaled(const Vec3<S>& scale, const Vec3<V>& v) {
  return {v.x * V(scale.x), v.y * V(scale.y), v.z * V(scale.z)};
}

// Inertia of the medium that is carried along, without its acceleration: momenta p, L turn and move with the body
// (Kirchhoff).
//   p = rho vm u,  L = rho vi w:    f = p x w,    t = p x u + L x w
template <class S, class V>
Spatial<V> AddedMass(const Medium<S>& medium, const FluidEllipsoid<S>& e, const Spatial<V>& velocity) {
  const Vec3<V>&w = velocity.rot, &u = velocity.lin;
  const Vec3<V> p = Scaled(e.virtual_mass * medium.rho, u), L = Scaled(e.virtual_inertia * medium.rho, w);
  return {Cross(p, u) + Cross(L, w), Cross(p, w)};
}

// The direction of a velocity, of length one; the first axis where nothing moves, since forces are zero there.
template <class V>
Vec3<V> DirectionOf(const Vec3<V>& u, const V& speed) {
  const auto moves = speed > V(0);
  const V inverse = V(1) / Select(moves, speed, V(1));
  return {Select(moves, u.x * inverse, V(1)), Select(moves, u.y * inverse, V(0)), Select(moves, u.z * inverse, V(0))};
}

// Drag and lift, with e the direction of the velocity u.
//   Magnus   f = c rho V w x u,  V volume
//   Kutta    f = c rho cos(alpha) A ((n x u) x u),  n normal of the ellipsoid where it faces u, A projected area
//   drag     f = -(3 pi beta D + rho |u| (blunt A + slender (A_max - A))) u,    D mean diameter
//   torque   t = -(pi beta D^3 + rho |m|) w,    m_i = w_i (angular I_i + slender (I_max - I_i))
// with I_i = 8/15 pi s_i max(s_j, s_k)^4 the quadratic drag moment of rotation about axis i. With a_i the squared
// products of the other two semi-axes, as shares of the largest one,
//   A = A_max sqrt(|a e|^2 / e' a e),    n = a e / |a e|,    cos(alpha) = e' n
// No ratio depends on size or speed, so that small and slow bodies need no bounds of their own.
template <class S, class V>
Spatial<V> DragAndLift(const Medium<S>& medium, const FluidEllipsoid<S>& shape, const Spatial<V>& velocity) {
  const Vec3<V>&w = velocity.rot, &u = velocity.lin;
  const Vec3<S>& s = shape.axis;
  const S largest = Max(Max(s.x, s.y), s.z), smallest = Min(Min(s.x, s.y), s.z);
  const S middle = s.x + s.y + s.z - largest - smallest;
  const S diameter = (s.x + s.y + s.z) * S(2.0 / 3);

  constexpr double kSmallestProduct = 1e-30;  // for a shape without any size, on which no force acts
  const S largest_product = Max(largest * middle, S(kSmallestProduct)), largest_area = S(kPi) * largest * middle;
  const Vec3<S> a = {Square(s.y * s.z / largest_product), Square(s.z * s.x / largest_product),
                     Square(s.x * s.y / largest_product)};
  const V speed = Norm(u);
  const Vec3<V> e = DirectionOf(u, speed), n = Scaled(a, e);
  const V along = Max(V(S(kMinVal)), Dot(n, e)), square = Max(V(S(kMinVal)), Dot(n, n));
  const V area = V(largest_area) * Sqrt(square / along);

  // forces
  const S volume = S(4.0 / 3 * kPi) * s.x * s.y * s.z;
  const Vec3<V> magnus = Cross(w, u) * V(shape.magnus * medium.rho * volume);
  const Vec3<V> kutta = Cross(Cross(n, u), u) * (along / square * area * V(shape.kutta * medium.rho));
  const V drag = V(S(3 * kPi) * medium.beta * diameter) +
                 speed * V(medium.rho) * (area * V(shape.blunt) + (V(largest_area) - area) * V(shape.slender));

  // torque
  const S largest_moment = S(8.0 / 15 * kPi) * middle * Square(Square(largest));
  Vec3<S> moment;
  for (int i = 0; i < 3; ++i) {
    const S I = S(8.0 / 15 * kPi) * s[i] * Square(Square(Max(s[(i + 1) % 3], s[(i + 2) % 3])));
    moment[i] = shape.angular * I + shape.slender * (largest_moment - I);
  }
  const V resistance =
      V(S(kPi) * medium.beta * diameter * diameter * diameter) + Norm(Scaled(moment, w)) * V(medium.rho);
  return {-w * resistance, magnus + kutta - u * drag};
}

template <class S, class V>
Spatial<V> EllipsoidFluidWrench(const Medium<S>& medium, const FluidEllipsoid<S>& e, const Spatial<V>& velocity) {
  return AddedMass(medium, e, velocity) + DragAndLift(medium, e, velocity);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_FLUID_KERNEL_H_
