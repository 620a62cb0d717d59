// Contacts of two geoms: how their forces change with positions and velocities, for one world and for lanes.
//
// All motions are taken about the contact's point, where wrenches of directions have no torque. The first three
// directions are forces along the axes of the contact's frame, the others torques about them.
#ifndef SINEW_DERIVATIVES_BASE_CONTACT_COLUMNS_KERNEL_H_
#define SINEW_DERIVATIVES_BASE_CONTACT_COLUMNS_KERNEL_H_

#include "constraint/anchor_kernel.h"
#include "constraint/surface_kernel.h"
#include "constraint/wrench.h"
#include "derivatives/base/pair_columns_kernel.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

// ---- geometry

// How a contact changes with one number: its distance, its point, and the rotation of its frame.
template <class S>
struct ContactShiftOf {
  S dist;
  Vec3<S> pos, turn;
};

// Shifts of a contact with the components of a geom's motion about the contact point: rotation, then translation, in
// world axes.
template <class S>
struct SideShiftsOf {
  ContactShiftOf<S> by[6];

  ContactShiftOf<S> Along(const Spatial<S>& s) const {
    ContactShiftOf<S> sum = {S(0), Zero3<S>(), Zero3<S>()};
    for (int k = 0; k < 6; ++k) {
      sum.dist += by[k].dist * s[k];
      sum.pos += by[k].pos * s[k];
      sum.turn += by[k].turn * s[k];
    }
    return sum;
  }
};

// Both geoms of a contact. A side that does not move has no shifts.
template <class S>
struct ContactSidesOf {
  SideShiftsOf<S> side[2] = {};

  // With a dof that moves one of the geoms, or both.
  ContactShiftOf<S> Along(const PairDofOf<S>& j) const {
    ContactShiftOf<S> sum = {S(0), Zero3<S>(), Zero3<S>()};
    for (int b = 0; b < 2; ++b) {
      if (!j.Moves(b)) continue;
      const ContactShiftOf<S> with = side[b].Along(j.s);
      sum = {sum.dist + with.dist, sum.pos + with.pos, sum.turn + with.turn};
    }
    return sum;
  }
};

// ---- forces

// What the anchor of a contact that holds its point adds to the residuals: gain * s_k along direction k of the
// contact's frame. The anchor is given; it turns with the normal, and its gain k R changes with R, unless it is
// bounded.
template <class S>
struct AnchorLaw {
  bool any = false;
  AnchorState<S> anchor;
  S gain, follows;  // the latter 1 where the gain changes with R, else 0

  static AnchorLaw Of(const AnchorState<S>& anchor, const AnchorSpring<S>& spring) {
    const MaskOf<S> holds = anchor.stiffness > S(0);
    const S bound = S(4) * spring.K;
    return {true, anchor, Select(holds, spring.Gain(anchor.stiffness), S(0)),
            Select(anchor.stiffness * spring.R < bound, S(1), S(0))};
  }

  // Adds the change of the residuals where the frame turns by a small rotation, and all forces are rescaled.
  void AddChange(const ContactAxes<S>& axes, int dim, const Vec3<S>& rotation, S rescaled, S* residual) const {
    const Displacement<S> at = anchor.With(axes.axis[0], dim), slope = anchor.SlopeWith(axes.axis[0], rotation);
    for (int k = 1; k < dim; ++k) {
      const Vec3<S>& axis = axes.axis[k % 3];
      const S along = Dot(Cross(rotation, axis), k < 3 ? at.slide : at.turn) + slope.Along(axes, k);
      residual[k] += gain * (along - follows * rescaled * at.Along(axes, k));
    }
  }
};

// Forces, residuals' gains and the Hessian of the cost in the directions of the contact's frame. `stiffness`: of the
// normal's residual by the distance; `scale`: the change of all forces with the distance, relative, as the impedance
// changes.
template <class S>
struct ContactLaw {
  static constexpr int kMaxDim = 6;
  int dim;
  S force[kMaxDim] = {}, B[kMaxDim] = {}, H[kMaxDim][kMaxDim] = {};
  S stiffness, scale;
  // Of contacts that stick: the force that draws them together, and its part in the reference of the normal.
  double adhesion = 0;
  S bias = S(0);
  AnchorLaw<S> held;

  int Dim() const { return dim < kMaxDim ? dim : kMaxDim; }  // a bound that compilers see
  // The forces' change: by the residuals, with the Hessian of the cost, and by what scales all R alike (`rescaled`: the
  // relative change of all forces).
  void Answer(const S* residual, S rescaled, S* change) const {
    for (int k = 0; k < Dim(); ++k) {
      change[k] = rescaled * force[k];
      for (int l = 0; l < Dim(); ++l) change[k] -= H[k][l] * residual[l];
    }
  }
};

// A contact at the solution: about its point, the wrench on the second body, and the relative motion of the bodies
// (velocity, and acceleration that comes from a).
template <class S>
struct ContactResponse {
  ContactLaw<S> law;
  ContactAxes<S> axes;
  Spatial<S> wrench, V, Y;
  SurfaceTwists<S> surface;

  ContactResponse(const ContactLaw<S>& of_rows, const ContactAxes<S>& frame, const Spatial<S>& velocity,
                  const Spatial<S>& acceleration)
      : law(of_rows), axes(frame), V(velocity), Y(acceleration) {
    wrench = WrenchOf(law.force);
    if (law.adhesion > 0) wrench -= Direction(0) * Uniform<S>(law.adhesion);
  }
  // At the point where a pair has begun.
  ContactResponse(const ContactLaw<S>& of_rows, const ContactAxes<S>& frame, const PairColumnsOf<S>& pair,
                  const SurfaceTwists<S>& twists)
      : ContactResponse(of_rows, frame, pair.Velocity(1) - pair.Velocity(0),
                        pair.Accelerated(1) - pair.Accelerated(0)) {
    surface = twists;
  }

  // Returns the part that surfaces add to the residual along direction k: they turn with their geoms (`change`), and
  // the direction by `turned`.
  S OfSurfaces(int k, const Spatial<S>& turned, const Spatial<S>& change) const {
    if (!surface.move || k == 0 || k >= kSurfaceDirections) return S(0);
    return law.B[k] * (Dot(turned, surface.Relative()) + Dot(Direction(k), change));
  }

  Spatial<S> Direction(int k) const { return axes.WrenchOf(k, Zero3<S>()); }
  Spatial<S> WrenchOf(const S* force) const {
    Spatial<S> sum = ZeroSpatial<S>();
    for (int k = 0; k < law.Dim(); ++k) sum += Direction(k) * force[k];
    return sum;
  }
};

// How the wrench changes, and the force along the normal.
template <class S>
struct WrenchChange {
  Spatial<S> wrench;
  S normal;
};

// With a shift of the geometry, and changes of the relative motion, and of that of the surfaces. Where the point moves,
// a force gets a lever. The wrench changes with the forces, and turns and moves with the frame. `rescaled`: of all
// forces, relative, beside what the distance does. Forces of rows rescale, and what draws the surfaces together does
// not: the bias of its reference is in the residual.
template <class S>
WrenchChange<S> ChangeBy(const ContactResponse<S>& response, const ContactShiftOf<S>& shift, const Spatial<S>& dV,
                         const Spatial<S>& dY, S rescaled = S(0), const Spatial<S>& dSurface = ZeroSpatial<S>()) {
  const ContactLaw<S>& law = response.law;
  S residual[ContactLaw<S>::kMaxDim] = {}, force[ContactLaw<S>::kMaxDim];
  for (int k = 0; k < law.Dim(); ++k) {
    const Vec3<S>& direction = response.axes.axis[k % 3];
    const Vec3<S> turned = Cross(shift.turn, direction);
    const Spatial<S> dw = k < 3 ? Spatial<S>{Cross(shift.pos, direction), turned} : Spatial<S>{turned, Zero3<S>()};
    residual[k] = Dot(dw, response.Y + response.V * law.B[k]) + Dot(response.Direction(k), dY + dV * law.B[k]);
    if (response.surface.move) residual[k] += response.OfSurfaces(k, dw, dSurface);
  }
  residual[0] += law.stiffness * shift.dist;  // only the normal has a position to restore
  if (law.adhesion > 0) residual[0] += law.bias * (law.scale * shift.dist + rescaled);
  if (law.held.any)
    law.held.AddChange(response.axes, law.Dim(), shift.turn, law.scale * shift.dist + rescaled, residual);
  law.Answer(residual, law.scale * shift.dist + rescaled, force);
  const Spatial<S>& wrench = response.wrench;
  const Spatial<S> moved = {Cross(shift.turn, wrench.rot) + Cross(shift.pos, wrench.lin),
                            Cross(shift.turn, wrench.lin)};
  return {response.WrenchOf(force) + moved, force[0]};
}

// The same where the relative velocity alone changes.
template <class S>
WrenchChange<S> ChangeByVelocity(const ContactResponse<S>& response, const Spatial<S>& dV) {
  const ContactLaw<S>& law = response.law;
  S residual[ContactLaw<S>::kMaxDim] = {}, force[ContactLaw<S>::kMaxDim];
  for (int k = 0; k < law.Dim(); ++k) residual[k] = law.B[k] * Dot(response.Direction(k), dV);
  law.Answer(residual, S(0), force);
  return {response.WrenchOf(force), force[0]};
}

// ---- columns

// Takes the part of a contact, at whose point the pair has begun, from the columns of the residual by positions and
// velocities. keep.Position(dof, change) and keep.Velocity(dof, change) are told how its wrench changes.
template <class S, class Out, class Keep>
void SubtractContact(const PairColumnsOf<S>& pair, const ContactResponse<S>& response, const ContactSidesOf<S>& sides,
                     const Out& by_position, const Out& by_velocity, Keep& keep) {
  const auto on_both = [](const Spatial<S>& on_second) {
    return PairWrenchOf<S>{{ZeroSpatial<S>() - on_second, on_second}};
  };
  const Spatial<S> V[2] = {pair.Velocity(0), pair.Velocity(1)};
  const Spatial<S> Y[2] = {pair.Accelerated(0), pair.Accelerated(1)};
  for (const PairDofOf<S>& j : pair.dofs()) {
    // geometry, and motions that turn with the bodies
    const ContactShiftOf<S> shift = sides.Along(j);
    Spatial<S> dV = ZeroSpatial<S>(), dY = ZeroSpatial<S>(), dSurface = ZeroSpatial<S>(), axis = ZeroSpatial<S>();
    for (int b = 0; b < 2; ++b) {
      if (!j.Moves(b)) continue;
      const S sign(b == 1 ? 1 : -1);
      dV += (CrossMotion(j.s, V[b]) + j.p) * sign;
      dY += (CrossMotion(j.s, Y[b]) + j.m) * sign;
      if (response.surface.move) dSurface += CrossMotion(j.s, response.surface.side[b]) * sign;
      axis += j.s * sign;
    }
    const WrenchChange<S> with_position = ChangeBy(response, shift, dV, dY, S(0), dSurface);
    keep.Position(j.dof, with_position);
    pair.SubtractPosition(j, on_both(response.wrench), on_both(with_position.wrench), by_position);
    if ((j.side & (j.side - 1)) != 0) continue;  // a dof that moves both bodies does not change their relative motion
    const WrenchChange<S> with_velocity = ChangeByVelocity(response, axis);
    keep.Velocity(j.dof, with_velocity);
    pair.SubtractVelocity(j, on_both(with_velocity.wrench), by_velocity);
  }
}

struct KeepNothing {
  template <class S>
  void Position(int, const WrenchChange<S>&) const {}
  template <class S>
  void Velocity(int, const WrenchChange<S>&) const {}
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_CONTACT_COLUMNS_KERNEL_H_
