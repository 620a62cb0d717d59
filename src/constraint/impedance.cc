#include "constraint/impedance.h"

#include "core/warning.h"
#include "simd/functions.h"

namespace sinew::inline constraint {
namespace {

constexpr double kDefaultSolref[mjNREF] = {0.02, 1};
constexpr double kNoSolref[mjNREF] = {0, 0};

}  // namespace

double AnyPower(double x, double p) { return Pow(x, p); }

Impedance EvaluateImpedance(const double solimp[mjNIMP], double pos, double margin) {
  return EvaluateImpedance<double>(solimp, pos, margin);
}

double ReferenceStiffness(const double solref[mjNREF], double dwidth) {
  if (solref[0] <= 0) return -solref[0] / Max(kMinVal, dwidth * dwidth);
  return 1 / Max(kMinVal, dwidth * dwidth * solref[0] * solref[0] * solref[1] * solref[1]);
}

double ReferenceDamping(const double solref[mjNREF], double dwidth) {
  if (solref[1] <= 0) return -solref[1] / Max(kMinVal, dwidth);
  return 2 / Max(kMinVal, dwidth * solref[0]);
}

void LegalSolref(const mjModel* m, const double solref[mjNREF], const double replacement[mjNREF],
                 double legal[mjNREF]) {
  const bool mixed = (solref[0] > 0) != (solref[1] > 0);
  if (mixed) Warn("mixed solref format, replacing with default");
  for (int i = 0; i < mjNREF; ++i) legal[i] = mixed ? replacement[i] : solref[i];
  const bool safe = !(m->opt.disableflags & mjDSBL_REFSAFE);
  if (safe && legal[0] > 0) legal[0] = Max(legal[0], 2 * m->opt.timestep);
}

ReferenceGains GainsOf(const mjModel* m, const double* solref, const double* solreffriction, double dwidth) {
  double legal[mjNREF], tangent[mjNREF] = {0, 0};
  LegalSolref(m, solref, kDefaultSolref, legal);
  if (solreffriction) LegalSolref(m, solreffriction, kNoSolref, tangent);
  const double B = ReferenceDamping(legal, dwidth);
  const bool own_tangent = tangent[0] != 0 || tangent[1] != 0;
  return {ReferenceStiffness(legal, dwidth), B, own_tangent ? ReferenceDamping(tangent, dwidth) : B};
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
