#include "constraint/impedance.h"

#include "core/warning.h"
#include "simd/functions.h"

namespace sinew::inline constraint {
namespace {

// Returns the least time constant that a row may have [s].
double LeastTimeConstant(const mjModel* m) { return m->opt.disableflags & mjDSBL_REFSAFE ? 0 : 2 * m->opt.timestep; }

}  // namespace

double AnyPower(double x, double p) { return Pow(x, p); }

Impedance EvaluateImpedance(const double solimp[mjNIMP], double pos, double margin) {
  return EvaluateImpedance<double>(solimp, pos, margin);
}

void WarnOfMixedSolref() { Warn("mixed solref format, replacing with default"); }

double ReferenceStiffness(const double solref[mjNREF], double dwidth) { return StiffnessOf(solref, dwidth); }

double ReferenceDamping(const double solref[mjNREF], double dwidth) { return DampingOf(solref, dwidth); }

void LegalSolref(const mjModel* m, const double solref[mjNREF], const double replacement[mjNREF],
                 double legal[mjNREF]) {
  MakeLegal(LeastTimeConstant(m), solref, replacement, legal);
}

ReferenceGains GainsOf(const mjModel* m, const double* solref, const double* solreffriction, double dwidth) {
  return GainsOfReference(LeastTimeConstant(m), solref, solreffriction, dwidth);
}

double DampingOfFriction(const mjModel* m, int dof) {
  const Impedance impedance = EvaluateImpedance(m->dof_solimp + mjNIMP * dof, 0, 0);
  return GainsOf(m, m->dof_solref + mjNREF * dof, nullptr, impedance.dwidth).B;
}

void WriteRegularization(const mjModel* m, mjData* d, const RowsOfOne& rows, const double* weight, double impedance) {
  const bool pyramidal = rows.type == mjCNSTR_CONTACT_PYRAMIDAL, elliptic = rows.type == mjCNSTR_CONTACT_ELLIPTIC;
  double* R = d->efc_R + rows.first;
  if (pyramidal || elliptic) {
    mjContact& contact = d->contact[rows.id];
    const ContactRegularization<double> of_contact(impedance, weight[0], contact.friction, m->opt.impratio);
    contact.mu = of_contact.mu();
    for (int r = 0; r < rows.count; ++r) R[r] = elliptic ? of_contact.Row(r) : of_contact.Edge();
  } else {
    for (int r = 0; r < rows.count; ++r) R[r] = RegularizationOfRow(impedance, weight[r]);
  }

  double last = 0, D = 0;
  for (int r = 0; r < rows.count; ++r) {
    if (R[r] != last) {  // points and pyramids share one
      last = R[r];
      D = 1 / last;
    }
    d->efc_D[rows.first + r] = D;
    d->efc_diagApprox[rows.first + r] = last * impedance / (1 - impedance);
  }
}

void WriteImpedance(const mjModel* m, mjData* d, const RowParameters& parameters, int first, int nrow) {
  const bool friction = parameters.type == mjCNSTR_FRICTION_DOF || parameters.type == mjCNSTR_FRICTION_TENDON;
  const bool elliptic = parameters.type == mjCNSTR_CONTACT_ELLIPTIC;
  const Impedance impedance = EvaluateImpedance(parameters.solimp, parameters.distance, parameters.margin);
  const ReferenceGains gains = GainsOf(m, parameters.solref, parameters.solreffriction, impedance.dwidth);
  for (int row = first; row < first + nrow; ++row) {
    double* KBIP = d->efc_KBIP + 4 * row;
    KBIP[0] = friction ? 0 : gains.K;
    KBIP[1] = gains.B;
    KBIP[2] = impedance.value;
    KBIP[3] = impedance.slope;
    d->efc_margin[row] = parameters.margin;
  }
  WriteRegularization(m, d, {parameters.type, parameters.id, first, nrow}, parameters.weight, impedance.value);
  for (int row = first + 1; elliptic && row < first + nrow; ++row) {
    d->efc_KBIP[4 * row] = d->efc_margin[row] = 0;
    d->efc_KBIP[4 * row + 1] = gains.tangent_B;
  }
}

}  // namespace sinew::inline constraint
