#include "gradient/contact_columns.h"

#include <algorithm>

#include "constraint/contact_rows.h"
#include "constraint/wrench.h"

namespace sinew {

// The axes of the contact's frame.
ContactAxes<double> ContactColumns::AxesOf(const mjContact& contact) {
  return {{LoadVec3(contact.frame), LoadVec3(contact.frame + 3), LoadVec3(contact.frame + 6)}};
}

// Edges n +- mu_k u_k: their forces and weights, summed over the edges.
void ContactColumns::AddPyramid(const mjContact& contact, Directions& out) const {
  for (int k = 1; k < out.dim; ++k) {
    for (int sign : {1, -1}) {
      const int row = contact.efc_address + 2 * (k - 1) + (sign < 0 ? 1 : 0);
      const double mu = sign * contact.friction[k - 1], weight = rows_.Weight(row);
      out.force[0] += rows_[row];
      out.force[k] += mu * rows_[row];
      out.H[0][0] += weight;
      out.H[0][k] += mu * weight;
      out.H[k][0] += mu * weight;
      out.H[k][k] += mu * mu * weight;
    }
    out.B[k] = out.B[0];
  }
}

// An elliptic cone in its middle zone, or smoothed, has a full Hessian, which is left in the contact; in the bottom
// zone each direction is quadratic by itself.
void ContactColumns::AddCone(const mjContact& contact, Directions& out) const {
  const int first = contact.efc_address;
  const bool whole = rows_.HasHessian(first);
  for (int k = 0; k < out.dim; ++k) {
    out.force[k] = rows_[first + k];
    out.B[k] = d_->efc_KBIP[4 * (first + k) + 1];
    out.H[k][k] = rows_.Weight(first + k);
    for (int l = 0; whole && l < out.dim; ++l) out.H[k][l] = contact.H[out.dim * k + l];
  }
}

// What the directions of a contact have at the solution. All share the impedance of the first row; damping differs in
// the tangents of a cone that has a reference of its own.
ContactColumns::Directions ContactColumns::DirectionsOf(const mjContact& contact) const {
  Directions out = {};
  out.dim = contact.dim;
  const int row = contact.efc_address;
  const double *KBIP = d_->efc_KBIP + 4 * row, K = KBIP[0], impedance = KBIP[2], slope = KBIP[3];
  out.B[0] = KBIP[1];
  out.stiffness = K * (impedance + slope * (d_->efc_pos[row] - d_->efc_margin[row]));
  out.scale = slope / (impedance * (1 - impedance));
  if (IsPyramidal(m_, contact)) {
    AddPyramid(contact, out);
  } else {
    AddCone(contact, out);
  }
  return out;
}

// The forces' change: by the residuals, with the Hessian of the cost, and by what scales all R alike.
void ContactColumns::Answer(const Directions& at, const double* residual, double rescaled, double* force) {
  for (int k = 0; k < at.dim; ++k) {
    force[k] = rescaled * at.force[k];
    for (int l = 0; l < at.dim; ++l) force[k] -= at.H[k][l] * residual[l];
  }
}

// How the wrench follows the relative acceleration: the Hessian between the directions' wrenches.
void ContactColumns::KeepInertia(const Directions& at, const ContactAxes<double>& axes, ContactChange& change) {
  for (int l = 0; l < at.dim; ++l) {
    const Spatial<double> w = axes.WrenchOf(l, Zero3<double>());
    change.normal_by -= w * at.H[0][l];
    for (int k = 0; k < at.dim; ++k) {
      const Spatial<double> v = axes.WrenchOf(k, Zero3<double>());
      for (int i = 0; i < 6; ++i) change.wrench_by[i] -= w * (v[i] * at.H[k][l]);
    }
  }
}

bool ContactColumns::Acts(const Directions& at) {
  bool acts = false;
  for (int k = 0; k < at.dim; ++k) acts |= at.force[k] != 0 || at.H[k][k] != 0;
  return acts;
}

// All motions are taken about the contact's point, where wrenches of directions have no torque.
ContactColumns::Touch ContactColumns::TouchOf(const mjContact& contact, const Directions& at) {
  pair_.Begin(m_->geom_bodyid[contact.geom[0]], m_->geom_bodyid[contact.geom[1]], LoadVec3(contact.pos));
  Touch touch = {at, AxesOf(contact), ZeroSpatial<double>(), pair_.Velocity(1) - pair_.Velocity(0),
                 pair_.Accelerated(1) - pair_.Accelerated(0)};
  touch.wrench = WrenchOf(touch, at.force);
  return touch;
}

Spatial<double> ContactColumns::WrenchOf(const Touch& touch, const double* force) {
  Spatial<double> sum = ZeroSpatial<double>();
  for (int k = 0; k < touch.at.dim; ++k) sum += touch.axes.WrenchOf(k, Zero3<double>()) * force[k];
  return sum;
}

// The first three directions are forces along the axes, the others torques about them. Where the point moves, a force
// gets a lever. The wrench changes with the forces, and turns and moves with the frame.
ContactColumns::WrenchChange ContactColumns::ChangeBy(const Touch& touch, const ContactShift& shift,
                                                      const Spatial<double>& dV, const Spatial<double>& dY,
                                                      double rescaled) {
  const Directions& at = touch.at;
  double residual[kMaxDim], force[kMaxDim];
  for (int k = 0; k < at.dim; ++k) {
    const Spatial<double> w = touch.axes.WrenchOf(k, Zero3<double>());
    const Vec3<double>& direction = touch.axes.axis[k % 3];
    const Vec3<double> turned = Cross(shift.turn, direction);
    const Spatial<double> dw =
        k < 3 ? Spatial<double>{Cross(shift.pos, direction), turned} : Spatial<double>{turned, Zero3<double>()};
    residual[k] = Dot(dw, touch.Y + touch.V * at.B[k]) + Dot(w, dY + dV * at.B[k]);
  }
  residual[0] += at.stiffness * shift.dist;  // only the normal has a position to restore
  Answer(at, residual, at.scale * shift.dist + rescaled, force);
  const Spatial<double>& wrench = touch.wrench;
  const Spatial<double> moved = {Cross(shift.turn, wrench.rot) + Cross(shift.pos, wrench.lin),
                                 Cross(shift.turn, wrench.lin)};
  return {WrenchOf(touch, force) + moved, force[0]};
}

ContactColumns::WrenchChange ContactColumns::ChangeByVelocity(const Touch& touch, const Spatial<double>& dV) {
  double residual[kMaxDim], force[kMaxDim];
  for (int k = 0; k < touch.at.dim; ++k) {
    residual[k] = touch.at.B[k] * Dot(touch.axes.WrenchOf(k, Zero3<double>()), dV);
  }
  Answer(touch.at, residual, 0, force);
  return {WrenchOf(touch, force), force[0]};
}

void ContactColumns::Subtract(int id, Columns& out, ForceChanges* changes) {
  const mjContact& contact = d_->contact[id];
  // A contact without effect is left out, with what its geometry takes.
  const Directions at = DirectionsOf(contact);
  if (!Acts(at)) return;
  const Touch touch = TouchOf(contact, at);
  const int body[2] = {m_->geom_bodyid[contact.geom[0]], m_->geom_bodyid[contact.geom[1]]};
  const ContactSides sides = geometry_.DifferentiateSides(contact);

  const auto on_both = [](const Spatial<double>& on_second) {
    return PairWrench{{ZeroSpatial<double>() - on_second, on_second}};
  };
  const Spatial<double> V[2] = {pair_.Velocity(0), pair_.Velocity(1)};
  const Spatial<double> Y[2] = {pair_.Accelerated(0), pair_.Accelerated(1)};
  ContactChange* kept = nullptr;
  if (changes) {
    kept = &changes->contacts.emplace_back(ContactChange{id, {body[0], body[1]}, LoadVec3(contact.pos), {}, {}, {}});
    KeepInertia(at, touch.axes, *kept);
  }
  for (const PairDof& j : pair_.dofs()) {
    // geometry, and motions that turn with the bodies
    const ContactShift shift = sides.Along(j);
    Spatial<double> dV = ZeroSpatial<double>(), dY = ZeroSpatial<double>(), axis = ZeroSpatial<double>();
    for (int b = 0; b < 2; ++b) {
      if (!j.Moves(b)) continue;
      const double sign = b == 1 ? 1 : -1;
      dV += (CrossMotion(j.s, V[b]) + j.p) * sign;
      dY += (CrossMotion(j.s, Y[b]) + j.m) * sign;
      axis += j.s * sign;
    }
    const WrenchChange by_position = ChangeBy(touch, shift, dV, dY);
    if (kept) kept->by_state.push_back({j.dof, by_position.wrench, by_position.normal});
    pair_.SubtractPosition(j, on_both(touch.wrench), on_both(by_position.wrench), out);
    if ((j.side & (j.side - 1)) != 0) continue;  // a dof that moves both bodies does not change their relative motion
    const WrenchChange by_speed = ChangeByVelocity(touch, axis);
    if (kept) kept->by_state.push_back({static_cast<int>(m_->nv) + j.dof, by_speed.wrench, by_speed.normal});
    pair_.SubtractVelocity(j, on_both(by_speed.wrench), out);
  }
}

// With the slopes l by the balance, which has -J' f in it, a change dW of the wrench on the second body changes the
// scalar by -(l_2 - l_1) . dW with the motions l_b of the bodies. Poses and accelerations stay.
void ContactColumns::AddSizeGradients(int id, const std::vector<Spatial<double>>& motion, double* geom_size) {
  const mjContact& contact = d_->contact[id];
  const Directions at = DirectionsOf(contact);
  if (!Acts(at)) return;
  const Touch touch = TouchOf(contact, at);
  ContactShift by[kPairNumbers];
  if (!geometry_.DifferentiateSizes(contact, by)) geometry_.ThrowVanishing(contact);
  const Spatial<double> relative = pair_.AtPoint(motion.data(), 1) - pair_.AtPoint(motion.data(), 0);
  for (int k = 0; k < kPairNumbers; ++k) {
    const WrenchChange change = ChangeBy(touch, by[k], ZeroSpatial<double>(), ZeroSpatial<double>());
    geom_size[3 * contact.geom[k / 3] + k % 3] -= Dot(relative, change.wrench);
  }
}

}  // namespace sinew
