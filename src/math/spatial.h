// Six-dimensional motion and force vectors and spatial inertia (Featherstone, Rigid Body Dynamics Algorithms, 2008).
//
// A Spatial is (rot, lin): angular then linear velocity of a motion, torque then force of a wrench. All are expressed
// in world axes about a common origin o, which callers choose: in mjData, the centre of mass of the kinematic tree.
#ifndef SINEW_MATH_SPATIAL_H_
#define SINEW_MATH_SPATIAL_H_

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

template <class S>
struct Spatial {
  Vec3<S> rot, lin;

  S& operator[](int i) { return (&rot.x)[i]; }
  const S& operator[](int i) const { return (&rot.x)[i]; }

  Spatial& operator+=(const Spatial& b) {
    rot += b.rot;
    lin += b.lin;
    return *this;
  }
  Spatial& operator-=(const Spatial& b) {
    rot -= b.rot;
    lin -= b.lin;
    return *this;
  }
  friend Spatial operator+(const Spatial& a, const Spatial& b) { return {a.rot + b.rot, a.lin + b.lin}; }
  friend Spatial operator-(const Spatial& a, const Spatial& b) { return {a.rot - b.rot, a.lin - b.lin}; }
  friend Spatial operator*(const Spatial& a, S s) { return {a.rot * s, a.lin * s}; }
};

template <class S>
Spatial<S> ZeroSpatial() {
  return {Zero3<S>(), Zero3<S>()};
}

// In the order of sums of long vectors (math/dense.h): four interleaved accumulators, then what is left of them.
template <class S>
S Dot(const Spatial<S>& a, const Spatial<S>& b) {
  return ((a.rot.x * b.rot.x + a.rot.z * b.rot.z) + (a.rot.y * b.rot.y + a.lin.x * b.lin.x)) +
         (a.lin.y * b.lin.y + a.lin.z * b.lin.z);
}

// Velocity of the point at `offset` from o that moves with v.
template <class S>
Vec3<S> PointVelocity(const Spatial<S>& v, const Vec3<S>& offset) {
  return v.lin + Cross(v.rot, offset);
}

// The same motion or wrench about the origin o + offset.
template <class S>
Spatial<S> ShiftMotion(const Spatial<S>& v, const Vec3<S>& offset) {
  return {v.rot, PointVelocity(v, offset)};
}
template <class S>
Spatial<S> ShiftForce(const Spatial<S>& f, const Vec3<S>& offset) {
  return {f.rot - Cross(offset, f.lin), f.lin};
}

// v x_m s: rate of change of a motion s that moves with velocity v (Featherstone eq. 2.31)
template <class S>
Spatial<S> CrossMotion(const Spatial<S>& v, const Spatial<S>& s) {
  return {Cross(v.rot, s.rot), Cross(v.rot, s.lin) + Cross(v.lin, s.rot)};
}

// v x_f f: rate of change of a wrench f that moves with velocity v (Featherstone eq. 2.32)
template <class S>
Spatial<S> CrossForce(const Spatial<S>& v, const Spatial<S>& f) {
  return {Cross(v.rot, f.rot) + Cross(v.lin, f.lin), Cross(v.rot, f.lin)};
}

// Rotational inertia about o (six numbers), first mass moment m (c - o), and mass.
template <class S>
struct Inertia10 {
  S xx, yy, zz, xy, xz, yz;
  Vec3<S> mc;
  S mass;

  S& operator[](int i) { return (&xx)[i]; }
  const S& operator[](int i) const { return (&xx)[i]; }
  Inertia10& operator+=(const Inertia10& b) {
    for (int i = 0; i < 10; ++i) (*this)[i] += b[i];
    return *this;
  }
};

// Momentum of a body with inertia I that moves with v:  (I w + mc x u, m u - mc x w),  v = (w, u)
template <class S>
Spatial<S> operator*(const Inertia10<S>& I, const Spatial<S>& v) {
  const Vec3<S>&w = v.rot, &u = v.lin, &mc = I.mc;
  return {{I.xx * w.x + I.xy * w.y + I.xz * w.z - mc.z * u.y + mc.y * u.z,
           I.xy * w.x + I.yy * w.y + I.yz * w.z + mc.z * u.x - mc.x * u.z,
           I.xz * w.x + I.yz * w.y + I.zz * w.z - mc.y * u.x + mc.x * u.y},
          {mc.z * w.y - mc.y * w.z + I.mass * u.x, mc.x * w.z - mc.z * w.x + I.mass * u.y,
           mc.y * w.x - mc.x * w.y + I.mass * u.z}};
}

// Inertia about o of a body with principal moments `diagonal` (axes: columns of R), mass m, and centre of mass c - o =
// r.
//   I_o = R diag R' + m (r.r 1 - r r')
template <class S>
Inertia10<S> ShiftInertia(const Mat3<S>& R, const Vec3<S>& diagonal, const Vec3<S>& r, S mass) {
  // rows of R, and of R diag
  const Vec3<S> x = R.Row(0), y = R.Row(1), z = R.Row(2);
  const auto scaled = [&](const Vec3<S>& row) {
    return Vec3<S>{row.x * diagonal.x, row.y * diagonal.y, row.z * diagonal.z};
  };
  const Vec3<S> sx = scaled(x), sy = scaled(y), sz = scaled(z);
  const S rx = r.x * r.x, ry = r.y * r.y, rz = r.z * r.z;

  Inertia10<S> I;
  I.xx = Dot(sx, x) + mass * (ry + rz);
  I.yy = Dot(sy, y) + mass * (rx + rz);
  I.zz = Dot(sz, z) + mass * (rx + ry);
  I.xy = Dot(x, sy) - mass * r.x * r.y;
  I.xz = Dot(x, sz) - mass * r.x * r.z;
  I.yz = Dot(y, sz) - mass * r.y * r.z;
  I.mc = r * mass;
  I.mass = mass;
  return I;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_SPATIAL_H_
