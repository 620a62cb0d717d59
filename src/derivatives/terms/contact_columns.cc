#include "derivatives/terms/contact_columns.h"

#include <algorithm>

#include "constraint/contact_rows.h"
#include "constraint/wrench.h"

namespace sinew::inline derivatives {
namespace {

// Keeps how the contact's force changes.
struct KeepChange {
  ContactChange& change;
  int nv;

  void Position(int dof, const WrenchChange<double>& by) const { Add(dof, by); }
  void Velocity(int dof, const WrenchChange<double>& by) const { Add(nv + dof, by); }
  void Add(int column, const WrenchChange<double>& by) const {
    change.by_state.push_back({column, by.wrench, by.normal});
  }
};

}  // namespace

AnchorLaw<double> LawOfAnchor(const std::vector<PullingAnchor>& anchors, int contact) {
  const auto found = std::lower_bound(anchors.begin(), anchors.end(), contact,
                                      [](const PullingAnchor& anchor, int id) { return anchor.contact < id; });
  if (found == anchors.end() || found->contact != contact) return {};
  return AnchorLaw<double>::Of(found->anchor, found->spring);
}

void KeepInertia(const ContactResponse<double>& response, ContactChange& change) {
  const ContactLaw<double>& law = response.law;
  for (int l = 0; l < law.dim; ++l) {
    const Spatial<double> w = response.Direction(l);
    change.normal_by -= w * law.H[0][l];
    for (int k = 0; k < law.dim; ++k) {
      const Spatial<double> v = response.Direction(k);
      for (int i = 0; i < 6; ++i) change.wrench_by[i] -= w * (v[i] * law.H[k][l]);
    }
  }
}

// The axes of the contact's frame.
ContactAxes<double> ContactColumns::AxesOf(const mjContact& contact) {
  return ContactAxes<double>::Load(contact.frame);
}

// Edges n +- mu_k u_k: their forces and weights, summed over the edges.
void ContactColumns::AddPyramid(const mjContact& contact, Law& out) const {
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
void ContactColumns::AddCone(const mjContact& contact, Law& out) const {
  const int first = contact.efc_address;
  const bool whole = rows_.HasHessian(first);
  for (int k = 0; k < out.dim; ++k) {
    out.force[k] = rows_[first + k];
    out.B[k] = d_->efc_KBIP[4 * (first + k) + 1];
    out.H[k][k] = rows_.Weight(first + k);
    for (int l = 0; whole && l < out.dim; ++l) out.H[k][l] = contact.H[out.dim * k + l];
  }
}

ContactColumns::Law ContactColumns::LawOf(const mjContact& contact) const {
  Law out = {};
  out.dim = contact.dim;
  const RowLaw<double> normal = LawOfRow(d_, contact.efc_address);
  out.B[0] = normal.B;
  out.stiffness = normal.stiffness;
  out.scale = normal.scale;
  if (IsPyramidal(m_, contact)) {
    AddPyramid(contact, out);
  } else {
    AddCone(contact, out);
  }
  if (surfaces_) {
    out.adhesion = AdhesionOf(m_, surfaces_, contact);
    out.bias = AdhesionReference(d_->efc_R[contact.efc_address], out.adhesion, RowCountOf(m_, contact),
                                 IsPyramidal(m_, contact));
  }
  out.held = LawOfAnchor(anchors_, static_cast<int>(&contact - d_->contact));
  return out;
}

bool ContactColumns::Acts(const Law& law) {
  bool acts = law.adhesion > 0;
  for (int k = 0; k < law.dim; ++k) acts |= law.force[k] != 0 || law.H[k][k] != 0;
  return acts;
}

ContactColumns::Response ContactColumns::ResponseOf(const mjContact& contact, const Law& law) {
  pair_.Begin(m_->geom_bodyid[contact.geom[0]], m_->geom_bodyid[contact.geom[1]], LoadVec3(contact.pos));
  const SurfaceTwists<double> twists =
      SurfaceTwistsOf(surfaces_, DataView<double>(d_), contact.geom, LoadVec3(contact.pos));
  return Response(law, AxesOf(contact), pair_, twists);
}

void ContactColumns::Subtract(int id, Columns& out, ForceChanges* changes) {
  const mjContact& contact = d_->contact[id];
  // A contact without effect is left out, with what its geometry takes.
  const Law law = LawOf(contact);
  if (!Acts(law)) return;
  const Response response = ResponseOf(contact, law);
  const ContactSides sides = geometry_.DifferentiateSides(contact);
  const auto subtract = [&](auto keep) {
    SubtractContact(pair_, response, sides, out.From(0), out.FromVelocity(), keep);
  };
  if (!changes) return subtract(KeepNothing());
  ContactChange& change = changes->contacts.emplace_back();
  change.contact = id;
  change.carriers = {{m_->geom_bodyid[contact.geom[0]], -1}, {m_->geom_bodyid[contact.geom[1]], 1}};
  change.point = LoadVec3(contact.pos);
  KeepInertia(response, change);
  subtract(KeepChange{change, static_cast<int>(m_->nv)});
}

// With the slopes l by the residual, which has -J' f in it, a change dW of the wrench on the second body changes the
// scalar by -(l_2 - l_1) . dW with the motions l_b of the bodies. Poses and accelerations stay.
void ContactColumns::AddSizeGradients(int id, const std::vector<Spatial<double>>& motion, double* geom_size) {
  const mjContact& contact = d_->contact[id];
  const Law law = LawOf(contact);
  if (!Acts(law)) return;
  const Response response = ResponseOf(contact, law);
  ContactShift by[kPairNumbers];
  if (!geometry_.DifferentiateSizes(contact, by)) geometry_.ThrowVanishing(contact);
  const Spatial<double> relative = pair_.AtPoint(motion.data(), 1) - pair_.AtPoint(motion.data(), 0);
  for (int k = 0; k < kPairNumbers; ++k) {
    const WrenchChange<double> change = ChangeBy(response, by[k], ZeroSpatial<double>(), ZeroSpatial<double>());
    geom_size[3 * contact.geom[k / 3] + k % 3] -= Dot(relative, change.wrench);
  }
}

}  // namespace sinew::inline derivatives
