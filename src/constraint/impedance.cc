#include "constraint/impedance.h"

#include "core/warning.h"
#include "simd/functions.h"

namespace sinew {
namespace {

constexpr double kDefaultSolref[mjNREF] = {0.02, 1};
constexpr double kNoSolref[mjNREF] = {0, 0};

// Writes the regularization R of each row.
void WriteRegularization(const mjModel* m, mjData* d, const RowParameters& parameters, double impedance, int first,
                         int nrow) {
  double* R = d->efc_R + first;
  if (parameters.type < mjCNSTR_CONTACT_PYRAMIDAL) {
    for (int r = 0; r < nrow; ++r) R[r] = RegularizationOfRow(impedance, parameters.weight[r]);
    return;
  }

  mjContact& contact = d->contact[parameters.id];
  const ContactRegularization<double> of_contact(impedance, parameters.weight[0], contact.friction, m->opt.impratio);
  contact.mu = of_contact.mu();
  for (int r = 0; r < nrow; ++r) {
    R[r] = parameters.type == mjCNSTR_CONTACT_ELLIPTIC ? of_contact.Row(r) : of_contact.Edge();
  }
}

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

void WriteImpedance(const mjModel* m, mjData* d, const RowParameters& parameters, int first, int nrow) {
  const bool friction = parameters.type == mjCNSTR_FRICTION_DOF || parameters.type == mjCNSTR_FRICTION_TENDON;
  const bool elliptic = parameters.type == mjCNSTR_CONTACT_ELLIPTIC;
  const Impedance impedance = EvaluateImpedance(parameters.solimp, parameters.distance, parameters.margin);
  const ReferenceGains gains = GainsOf(m, parameters.solref, parameters.solreffriction, impedance.dwidth);
  WriteRegularization(m, d, parameters, impedance.value, first, nrow);

  const double ratio = impedance.value / (1 - impedance.value);
  double R = 0, D = 0;
  for (int row = first; row < first + nrow; ++row) {
    double* KBIP = d->efc_KBIP + 4 * row;
    KBIP[0] = friction ? 0 : gains.K;
    KBIP[1] = gains.B;
    KBIP[2] = impedance.value;
    KBIP[3] = impedance.slope;
    d->efc_margin[row] = parameters.margin;
    if (d->efc_R[row] != R) {  // points and pyramids share one
      R = d->efc_R[row];
      D = 1 / R;
    }
    d->efc_D[row] = D;
    d->efc_diagApprox[row] = R * ratio;
  }
  for (int row = first + 1; elliptic && row < first + nrow; ++row) {
    d->efc_KBIP[4 * row] = d->efc_margin[row] = 0;
    d->efc_KBIP[4 * row + 1] = gains.tangent_B;
  }
}

}  // namespace sinew
