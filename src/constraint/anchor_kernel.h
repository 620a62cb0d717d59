// The arithmetic of anchors (docs/how/stick.md), for one world and for lanes: what they pull with, and how they move in
// a step. Vectors are in world axes.
#ifndef SINEW_CONSTRAINT_ANCHOR_KERNEL_H_
#define SINEW_CONSTRAINT_ANCHOR_KERNEL_H_

#include <limits>

#include "constraint/surface_kernel.h"
#include "constraint/wrench.h"
#include "math/mat3.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/pack.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

// A point of the world in the frame of a geom.
template <class S>
Vec3<S> PointInGeom(const DataView<S>& d, int geom, const Vec3<S>& point) {
  return MulTransposed(d.geom_xmat(geom), point - d.geom_xpos(geom));
}

// Rotates v by the smallest turn that takes one unit vector to another. Half a turn has no axis: what lies in the plane
// of the contact stays there.
template <class S>
Vec3<S> TurnAlong(const Vec3<S>& from, const Vec3<S>& to, const Vec3<S>& v) {
  const Vec3<S> axis = Cross(from, to);
  const S c = Dot(from, to);
  const Vec3<S> turned = v * c + Cross(axis, v) + axis * (Dot(axis, v) / (S(1) + c));
  return Select(c > Uniform<S>(-1 + 1e-9), turned, v);
}

// How that changes where `to` changes by dto.
template <class S>
Vec3<S> TurnAlongSlope(const Vec3<S>& from, const Vec3<S>& to, const Vec3<S>& dto, const Vec3<S>& v) {
  const Vec3<S> axis = Cross(from, to), slope = Cross(from, dto);
  const S c = Dot(from, to), dc = Dot(from, dto), inverse = S(1) / (S(1) + c), along = Dot(axis, v) * inverse;
  const Vec3<S> change = v * dc + Cross(slope, v) + slope * along + axis * ((Dot(slope, v) - along * dc) * inverse);
  return Select(c > Uniform<S>(-1 + 1e-9), change, Zero3<S>());
}

// Rotates v about a unit axis by a small angle, or rather by twice the arc tangent of its half (Cayley), which is as
// good to the third order.
template <class S>
Vec3<S> TurnAbout(const Vec3<S>& axis, S angle, const Vec3<S>& v) {
  const S a = S(0.5) * angle, scale = S(2) / (S(1) + a * a);
  const Vec3<S> turn = Cross(axis, v) * a;
  return v + (turn + Cross(axis, turn) * a) * scale;
}

// Sliding and turning of the surfaces of a contact since they took hold.
template <class S>
struct Displacement {
  Vec3<S> slide, turn;

  // Returns its part along direction k of the contact's frame.
  S Along(const ContactAxes<S>& axes, int k) const {
    return k < 3 ? Dot(axes.axis[k % 3], slide) : Dot(axes.axis[k % 3], turn);
  }
  friend Displacement operator*(const Displacement& at, S scale) { return {at.slide * scale, at.turn * scale}; }
  friend Displacement Select(MaskOf<S> m, const Displacement& a, const Displacement& b) {
    return {Select(m, a.slide, b.slide), Select(m, a.turn, b.turn)};
  }
};

// What an anchor is to its contact: a displacement with the normal of its step, and the largest stiffness so far. All
// zero: none.
template <class S>
struct AnchorState {
  Displacement<S> at;
  Vec3<S> normal;
  S stiffness;

  // How With changes where the frame of the contact turns by a small rotation.
  Displacement<S> SlopeWith(const Vec3<S>& present_normal, const Vec3<S>& rotation) const {
    const Vec3<S> change = Cross(rotation, present_normal);
    return {TurnAlongSlope(normal, present_normal, change, at.slide),
            TurnAlongSlope(normal, present_normal, change, at.turn)};
  }

  // Turned into the present frame of a contact of `dim` directions, of which the first three do not turn.
  Displacement<S> With(const Vec3<S>& present_normal, int dim) const {
    const MaskOf<S> is_still = IsZero(present_normal - normal);
    if (All(is_still)) return at;
    const Vec3<S> slide = TurnAlong(normal, present_normal, at.slide);
    const Displacement<S> turned = {slide - present_normal * Dot(present_normal, slide),
                                    dim > 3 ? TurnAlong(normal, present_normal, at.turn) : Zero3<S>()};
    return Select(is_still, at, turned);
  }
};

// The spring of a contact's friction: K of its solref, R of the first tangent or of the edges of its pyramid, and the
// stiffness k = K d / R.
template <class S>
struct AnchorSpring {
  S K, R, stiffness;

  static AnchorSpring Of(S K, S R, S impedance) { return {Max(K, S(0)), R, Max(K * impedance / R, S(0))}; }

  // The position term that a unit of displacement gives the reference, with the largest k of the contact's life. Where
  // the contact has little of its load, R is large, and its frequency is bounded by twice that of the normal.
  S Gain(S largest) const { return Min(largest * R, S(4) * K); }
  // The same over R: the stiffness that acts.
  S Acting(S largest) const { return Min(largest, S(4) * K / R); }
};

// Velocities of bodies about the centres of their trees at the end of a step, while poses are still those of its start.
template <class S>
void VelocitiesAtEnd(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* velocity) {
  velocity[0] = ZeroSpatial<S>();
  for (int b = 1; b < m.nbody(); ++b) {
    Spatial<S> v = velocity[m.body_parentid(b)];
    const int end = m.body_dofadr(b) + m.body_dofnum(b);
    for (int dof = m.body_dofadr(b); dof < end; ++dof) v += d.cdof(dof) * d.qvel(dof);
    velocity[b] = v;
  }
}

// The motion of a contact in a step, from such velocities: the slip of the second surface on the first, as a twist at
// the contact, and the mean turn of both bodies about the normal.
template <class S>
struct ContactMotion {
  Spatial<S> slip;
  S spin;
};
template <class S>
ContactMotion<S> MotionOfContact(const DataView<S>& d, const Spatial<S>* velocity, const int* body, const int* root,
                                 const Vec3<S>& point, const Vec3<S>& normal, const SurfaceTwists<S>& surfaces, S h) {
  const auto at_point = [&](int side) { return ShiftMotion(velocity[body[side]], point - d.subtree_com(root[side])); };
  const Spatial<S> first = at_point(0), second = at_point(1);
  Spatial<S> slip = second - first;
  if (surfaces.move) {  // which do not roll
    const Spatial<S> relative = surfaces.Relative();
    slip += Spatial<S>{normal * Dot(normal, relative.rot), relative.lin};
  }
  return {slip * h, S(0.5) * h * Dot(normal, first.rot + second.rot)};
}

// A contact that holds its point.
template <class S>
struct Hold {
  ContactAxes<S> axes;
  const S* friction;
  int dim;
  bool pyramidal;

  // Adds the pull of an anchor to the references of the contact's rows.
  void AddPull(const AnchorState<S>& anchor, const AnchorSpring<S>& spring, S* aref) const {
    const MaskOf<S> holds = anchor.stiffness > S(0);
    const Displacement<S> at = anchor.With(axes.axis[0], dim);
    const S gain = spring.Gain(anchor.stiffness);
    for (int k = 1; k < dim; ++k) {
      const S pull = gain * at.Along(axes, k);
      if (pyramidal) {
        const S share = friction[k - 1] * pull;
        aref[2 * k - 2] = Select(holds, aref[2 * k - 2] - share, aref[2 * k - 2]);
        aref[2 * k - 1] = Select(holds, aref[2 * k - 1] + share, aref[2 * k - 1]);
      } else {
        aref[k] = Select(holds, aref[k] - pull, aref[k]);
      }
    }
  }

  // The normal force at which springs of the stiffness k alone lie on the friction cone.
  S ForceAtCone(const Displacement<S>& at, S k) const {
    S sum(0);
    for (int i = 1; i < dim; ++i) {
      const S share = friction[i - 1] * at.Along(axes, i);
      sum += pyramidal ? Abs(share) : share * share;
    }
    return pyramidal ? k * sum : k * Sqrt(sum) / (friction[0] * friction[0]);
  }

  // The anchor at the end of a step in which the rows exert the normal force `force`.
  AnchorState<S> Moved(const AnchorState<S>& before, const AnchorSpring<S>& spring, const ContactMotion<S>& motion,
                       S force) const {
    const Spatial<S>& slip = motion.slip;
    const Vec3<S>& normal = axes.axis[0];
    const S k = Max(before.stiffness, spring.stiffness);
    Displacement<S> at = before.With(normal, dim);
    const MaskOf<S> has_grown = before.stiffness < k;
    if (Any(has_grown)) at = at * Select(has_grown, before.stiffness / k, S(1));  // the force stays
    at.slide += slip.lin - normal * Dot(normal, slip.lin);
    if (dim == 4) at.turn += normal * Dot(normal, slip.rot);
    if (dim > 4) at.turn += slip.rot;
    at = Held(at, ForceAtCone(at, spring.Acting(k)), force);
    at.slide = TurnAbout(normal, motion.spin, at.slide);
    if (dim > 3) at.turn = TurnAbout(normal, motion.spin, at.turn);
    return {at, normal, k};
  }

 private:
  // Beyond the cone an anchor slides along.
  static Displacement<S> Held(const Displacement<S>& at, S needed, S force) {
    const MaskOf<S> is_inside = needed <= force;
    if (All(is_inside)) return at;
    const MaskOf<S> is_finite = (force > S(0)) & (needed <= Uniform<S>(1e30));
    const Displacement<S> none = {Zero3<S>(), Zero3<S>()};
    return Select(is_inside, at, Select(is_finite, at * (force / needed), none));
  }
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ANCHOR_KERNEL_H_
