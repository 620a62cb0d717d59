#include "force/compliant_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/stack.h"
#include "force/compliant_contact_kernel.h"
#include "kinematics/apply_kernel.h"
#include "kinematics/contact_carriers.h"
#include "model/kinds/contact_exclude.h"
#include "model/kinds/contact_law.h"
#include "model/kinds/surface.h"
#include "model/state/awake.h"

namespace sinew::inline force {
namespace {

using Vector = Vec3<double>;

// ---- the law of a contact

// Radius of a geom where it is touched: that of the shape, or half its size for shapes of edges and faces.
double RadiusOf(const mjModel* m, int geom, const mjtNum* row) {
  if (row[kLawCurvature] > 0) return row[kLawCurvature];
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
    case mjGEOM_CAPSULE:
      return m->geom_size[3 * geom];
    case mjGEOM_PLANE:
    case mjGEOM_HFIELD:
      return std::numeric_limits<double>::infinity();
    default:
      return m->geom_rbound[geom];
  }
}

double CombinedRadius(double a, double b) { return std::isinf(a) ? b : std::isinf(b) ? a : a * b / (a + b); }

ContactModel ModelOf(const mjtNum* row) {
  for (const ContactModel model : {ContactModel::kHertz, ContactModel::kLinear, ContactModel::kDamped}) {
    if (row[kLawModel] == static_cast<int>(model)) return model;
  }
  return ContactModel::kSolver;
}

FrictionLaw FrictionOf(const mjtNum* row) {
  for (const FrictionLaw law : {FrictionLaw::kStep, FrictionLaw::kViscous}) {
    if (row[kLawFriction] == static_cast<int>(law)) return law;
  }
  return FrictionLaw::kHollars;
}

// The stiffness of a surface in the unit that the law and the mixing rule ask for.
double StiffnessOf(const mjtNum* row, ContactModel model, ContactMixing mixing, double radius) {
  const bool of_stiffness = mixing == ContactMixing::kHyfydy && row[kLawStiffness] > 0;
  if (model != ContactModel::kHertz || of_stiffness) return row[kLawStiffness];
  if (row[kLawModulus] < 0) return 0;  // a pair that does not say
  if (mixing == ContactMixing::kSimbody) return std::cbrt(row[kLawModulus] * row[kLawModulus]);
  // Hyfydy's material has the radius folded in
  const double k = 4.0 / 3 * std::sqrt(radius) * row[kLawModulus];
  return std::cbrt(k * k);
}

ContactSide<double> SideOf(const mjtNum* row, ContactModel model, ContactMixing mixing, double radius) {
  ContactSide<double> side = {ModelOf(row) != model, 0, row[kLawDissipation], row[kLawStatic], row[kLawDynamic],
                              row[kLawViscous]};
  if (!side.rigid) side.stiffness = StiffnessOf(row, model, mixing, radius);
  return side;
}

// Replaces values of the law by those that the explicit pair gives.
void Override(const mjtNum* pair, ContactMixing mixing, double radius, CompliantLaw<double>* law) {
  const double stiffness = StiffnessOf(pair, law->model, mixing, radius);
  if (stiffness > 0) {
    ContactSide<double> own = {false, stiffness, std::max(0.0, pair[kLawDissipation]), 0, 0, 0}, rigid = {};
    rigid.rigid = true;
    CompliantLaw<double> series = *law;
    MixSides(own, rigid, mixing, radius, &series);
    law->k = series.k;
  }
  if (pair[kLawDissipation] >= 0) {
    law->lambda = pair[kLawDissipation] * (law->model == ContactModel::kHertz ? 1.5 : 1);
  }
  if (pair[kLawStatic] >= 0) {
    law->mu_static = pair[kLawStatic];
    law->mu_dynamic = pair[kLawDynamic];
    law->mu_viscous = pair[kLawViscous];
  }
}

// The law of a contact; its model is kSolver where constraints push.
CompliantLaw<double> LawOf(const mjModel* m, const ContactLaws& laws, const mjContact& contact) {
  CompliantLaw<double> law = {};
  const int geom[] = {contact.geom[0], contact.geom[1]};
  if (geom[0] < 0 || geom[1] < 0) return law;
  const mjtNum* row[] = {laws.Geom(geom[0]), laws.Geom(geom[1])};
  const int found = m->npair > 0 ? FindExplicitPair(m, geom[0], geom[1]) : -1;
  const mjtNum* pair = found >= 0 ? laws.Pair(m, found) : nullptr;
  const int priority = m->geom_priority[geom[0]] - m->geom_priority[geom[1]];

  // kinds: of the pair, of the geom of higher priority, or of the softer kind
  const mjtNum* decides = pair && pair[kLawModel] >= 0 ? pair : priority > 0 ? row[0] : priority < 0 ? row[1] : nullptr;
  const ContactModel models[] = {ModelOf(row[0]), ModelOf(row[1])};
  law.model = decides ? ModelOf(decides) : models[0] != ContactModel::kSolver ? models[0] : models[1];
  if (law.model == ContactModel::kSolver) return law;
  const mjtNum* friction = pair && pair[kLawFriction] >= 0 ? pair
                           : decides && decides != pair    ? decides
                           : models[0] == law.model        ? row[0]
                                                           : row[1];
  law.friction = FrictionOf(friction);
  const double mixing_number = pair && pair[kLawMixing] >= 0 ? pair[kLawMixing] : laws.numbers[kOptionMixing];
  const auto mixing =
      mixing_number == static_cast<int>(ContactMixing::kHyfydy) ? ContactMixing::kHyfydy : ContactMixing::kSimbody;
  const double slip = pair && pair[kLawSlipSpeed] > 0 ? pair[kLawSlipSpeed] : laws.numbers[kOptionSlipSpeed];
  law.inverse_slip = 1 / std::max(slip, 1e-9);

  // both surfaces, or that of higher priority against a rigid one
  const double radii[] = {RadiusOf(m, geom[0], row[0]), RadiusOf(m, geom[1], row[1])};
  const double own = pair && pair[kLawCurvature] > 0 ? pair[kLawCurvature] : CombinedRadius(radii[0], radii[1]);
  const double radius = std::isinf(own) ? 1 : own;
  ContactSide<double> side[2];
  for (int i = 0; i < 2; ++i) side[i] = SideOf(row[i], law.model, mixing, std::isinf(radii[i]) ? radius : radii[i]);
  if (priority != 0 && !pair) {
    side[priority > 0 ? 1 : 0] = side[priority > 0 ? 0 : 1];
    side[priority > 0 ? 1 : 0].rigid = true;
  }
  MixSides(side[0], side[1], mixing, radius, &law);
  if (side[0].rigid && side[1].rigid) law.k = law.lambda = 0, law.share = 0.5;  // all values come from the pair
  if (pair) Override(pair, mixing, radius, &law);
  if (contact.dim == 1) law.mu_static = law.mu_dynamic = law.mu_viscous = 0;
  return law;
}

// ---- contacts of a world

// Calls act(contact, law) for all marked contacts.
template <class Act>
void ForEachCompliant(const mjModel* m, const mjData* d, Act act) {
  const ContactLaws laws = FindContactLaws(m);
  if (!laws) return;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& contact = d->contact[i];
    if (contact.exclude == contact_exclude::kCompliant) act(contact, LawOf(m, laws, contact));
  }
}

int BodyOf(const mjModel* m, const mjContact& contact, int side) { return m->geom_bodyid[contact.geom[side]]; }

// Velocity of the second body relative to the first at the contact, in its frame.
Vector RelativeVelocity(const mjModel* m, const mjData* d, const mjContact& contact) {
  const ModelView<double> model(m);
  const DataView<double> data(const_cast<mjData*>(d));  // it is read only
  const Vector point = LoadVec3(contact.pos);
  const auto velocity = [&](int body) { return PointVelocity(data.cvel(body), point - TreeCenter(model, data, body)); };
  return LoadMat3(contact.frame) * (velocity(BodyOf(m, contact, 1)) - velocity(BodyOf(m, contact, 0)));
}

// Programs may write any numbers into a law: one that gives no finite force pushes nothing.
Vector ForceOf(const mjModel* m, const mjData* d, const mjContact& contact, const CompliantLaw<double>& law) {
  const Vector force = CompliantForce(law, -contact.dist, RelativeVelocity(m, d, contact));
  return std::isfinite(force.x + force.y + force.z) ? force : Zero3<double>();
}

}  // namespace

CompliantLaw<double> CompliantLawOf(const mjModel* m, const mjContact& contact) {
  const ContactLaws laws = FindContactLaws(m);
  return laws ? LawOf(m, laws, contact) : CompliantLaw<double>{};
}

double ShiftOfCompliant(const CompliantLaw<double>& law, double dist) {
  return law.model != ContactModel::kHertz || dist >= 0 ? 0 : -dist * (0.5 - law.share);
}

void MarkCompliantContacts(const mjModel* m, mjData* d) {
  const ContactLaws laws = FindContactLaws(m);
  if (!laws) return;
  for (int i = 0; i < d->ncon; ++i) {
    mjContact& contact = d->contact[i];
    const CompliantLaw<double> law = LawOf(m, laws, contact);
    if (law.model == ContactModel::kSolver || contact.exclude == contact_exclude::kCompliant) continue;
    contact.exclude = contact_exclude::kCompliant;
    const double shift = ShiftOfCompliant(law, contact.dist);
    if (shift != 0) StoreVec3(LoadVec3(contact.pos) + LoadVec3(contact.frame) * shift, contact.pos);
  }
}

bool HasCompliantContact(const mjData* d) {
  return std::any_of(d->contact, d->contact + d->ncon,
                     [](const mjContact& contact) { return contact.exclude == contact_exclude::kCompliant; });
}

void AddCompliantForces(const mjModel* m, mjData* d) {
  const ModelView<double> model(m);
  const DataView<double> data(d);
  ForEachCompliant(m, d, [&](const mjContact& contact, const CompliantLaw<double>& law) {
    if (contact.dist >= 0) return;
    const Vector local = ForceOf(m, d, contact, law), force = MulTransposed(LoadMat3(contact.frame), local);
    for (int side = 0; side < 2; ++side) {
      const int body = BodyOf(m, contact, side);
      const int tree = m->body_treeid[body];
      if (tree < 0 || !d->tree_awake[tree]) continue;
      const Vector on_body = side == 1 ? force : -force;
      const auto wrench = WrenchAt(model, data, on_body, Zero3<double>(), LoadVec3(contact.pos), body);
      AddWrench(model, data, wrench, body, true, d->qfrc_passive);
    }
  });
}

void CompliantContactForce(const mjModel* m, const mjData* d, const mjContact& contact, double force[3]) {
  const ContactLaws laws = FindContactLaws(m);
  if (laws) StoreVec3(ForceOf(m, d, contact, LawOf(m, laws, contact)), force);
}

double CompliantEnergy(const mjModel* m, const mjData* d) {
  double energy = 0;
  ForEachCompliant(m, d, [&](const mjContact& contact, const CompliantLaw<double>& law) {
    energy += StoredEnergy(law, -contact.dist);
  });
  return energy;
}

void AddCompliantDerivative(const mjModel* m, mjData* d, bool symmetric, double* Q) {
  ForEachCompliant(m, d, [&](const mjContact& contact, const CompliantLaw<double>& law) {
    if (contact.dist >= 0) return;
    const Mat3<double> D = CompliantDamping(law, -contact.dist, RelativeVelocity(m, d, contact), symmetric);
    if (!std::isfinite(std::accumulate(D.m, D.m + 9, 0.0))) return;
    StackFrame frame(d);
    mjContact frictional = contact;
    frictional.dim = 3;  // three rows
    const ContactCarriers carriers(m, d, frictional, frame);
    const int nv = static_cast<int>(m->nv);
    int *marked = frame.Ints(nv), *dofs = frame.Ints(nv);
    std::fill_n(marked, nv, 0);
    const int count = carriers.Dofs(m, marked, dofs);
    double *J = frame.Doubles(3 * count), *DJ = frame.Doubles(3 * count);
    FillFrameJacobian(m, d, frictional, carriers, dofs, count, frame, J);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < count; ++c) {
        DJ[r * count + c] = D(r, 0) * J[c] + D(r, 1) * J[count + c] + D(r, 2) * J[2 * count + c];
      }
    }
    // Q += J' (D J); what couples different branches is not in the pattern
    for (int a = 0; a < count; ++a) {
      int k = m->D_rowadr[dofs[a]];
      const int end = k + m->D_rownnz[dofs[a]];
      for (int b = 0; b < count; ++b) {
        while (k < end && m->D_colind[k] < dofs[b]) ++k;
        if (k == end) break;
        if (m->D_colind[k] != dofs[b]) continue;
        for (int r = 0; r < 3; ++r) Q[k] += J[r * count + a] * DJ[r * count + b];
      }
    }
  });
}

}  // namespace sinew::inline force
