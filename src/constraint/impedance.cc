#include "constraint/impedance.h"

#include "core/warning.h"
#include "math/vec3.h"
#include "simd/functions.h"
#include "simd/pack.h"

namespace sinew {
namespace {

constexpr double kDefaultSolref[mjNREF] = {0.02, 1};
constexpr double kNoSolref[mjNREF] = {0, 0};

// x^p, with the exponents that models use evaluated without logarithms
double Power(double x, double p) {
  if (p == 1) return x;
  if (p == 2) return x * x;
  return Pow(x, p);
}

// The curve y(x) from (0, 0) to (1, 1), and its slope: x^p / mid^(p-1) up to the midpoint, its mirror image beyond.
void Sigmoid(double x, double mid, double p, double* y, double* slope) {
  if (p == 1) {
    *y = x;
    *slope = 1;
  } else if (x <= mid) {
    const double scale = 1 / Power(mid, p - 1), rise = Power(x, p - 1) * scale;
    *y = rise * x;
    *slope = p * rise;
  } else {
    const double scale = 1 / Power(1 - mid, p - 1), rise = Power(1 - x, p - 1) * scale;
    *y = 1 - rise * (1 - x);
    *slope = p * rise;
  }
}

// R of each row. Contacts with friction: impratio divides the normal's for the first tangent, and
//   elliptic   R_j friction_j^2 is the same for all tangents, so that the regularized cone is a scaled friction cone
//   pyramid    one R for all edges, 2 mu^2 R_0
// with mu = friction_1 sqrt(R_1 / R_0).
void WriteRegularization(const mjModel* m, mjData* d, const RowParameters& parameters, double impedance, int first,
                         int nrow) {
  double* R = d->efc_R + first;
  const double ratio = (1 - impedance) / impedance;
  if (parameters.type < mjCNSTR_CONTACT_PYRAMIDAL) {
    for (int r = 0; r < nrow; ++r) R[r] = Max(kMinVal, ratio * parameters.weight[r]);
    return;
  }

  mjContact& contact = d->contact[parameters.id];
  const double* friction = contact.friction;
  const double normal = Max(kMinVal, ratio * parameters.weight[0]);
  const bool is_one = m->opt.impratio == 1;  // as in most models: nothing to divide
  const double tangent = is_one ? normal : normal / Max(kMinVal, m->opt.impratio);
  contact.mu = is_one ? friction[0] : friction[0] * Sqrt(tangent / normal);
  if (parameters.type == mjCNSTR_CONTACT_ELLIPTIC) {
    R[0] = normal;
    R[1] = tangent;
    for (int j = 2; j < nrow; ++j) R[j] = tangent * friction[0] * friction[0] / (friction[j - 1] * friction[j - 1]);
  } else {
    const double edge = 2 * contact.mu * contact.mu * normal;
    for (int r = 0; r < nrow; ++r) R[r] = edge;
  }
}

}  // namespace

Impedance EvaluateImpedance(const double solimp[mjNIMP], double pos, double margin) {
  const double d0 = Min(Max(solimp[0], mjMINIMP), mjMAXIMP), dwidth = Min(Max(solimp[1], mjMINIMP), mjMAXIMP);
  const double width = Max(0.0, solimp[2]), mid = Min(Max(solimp[3], mjMINIMP), mjMAXIMP);
  const double power = Max(1.0, solimp[4]);
  if (d0 == dwidth || width <= kMinVal) return {0.5 * (d0 + dwidth), 0, dwidth};

  const double x = Abs(pos - margin) / width;
  if (x >= 1) return {dwidth, 0, dwidth};
  if (x == 0) return {d0, 0, dwidth};
  double y, slope;
  Sigmoid(x, mid, power, &y, &slope);
  const double per_length = (pos < margin ? -1 : 1) * (dwidth - d0) / width;
  return {d0 + y * (dwidth - d0), slope * per_length, dwidth};
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

void WriteImpedance(const mjModel* m, mjData* d, const RowParameters& parameters, int first, int nrow) {
  double solref[mjNREF], solreffriction[mjNREF] = {0, 0};
  LegalSolref(m, parameters.solref, kDefaultSolref, solref);
  if (parameters.solreffriction) LegalSolref(m, parameters.solreffriction, kNoSolref, solreffriction);

  const bool friction = parameters.type == mjCNSTR_FRICTION_DOF || parameters.type == mjCNSTR_FRICTION_TENDON;
  const bool elliptic = parameters.type == mjCNSTR_CONTACT_ELLIPTIC;
  const Impedance impedance = EvaluateImpedance(parameters.solimp, parameters.distance, parameters.margin);
  const double K = friction ? 0 : ReferenceStiffness(solref, impedance.dwidth);
  const double B = ReferenceDamping(solref, impedance.dwidth);
  WriteRegularization(m, d, parameters, impedance.value, first, nrow);

  const double ratio = impedance.value / (1 - impedance.value);
  double R = 0, D = 0;
  for (int row = first; row < first + nrow; ++row) {
    double* KBIP = d->efc_KBIP + 4 * row;
    KBIP[0] = K;
    KBIP[1] = B;
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

  // tangents of an elliptic cone: no stiffness
  const bool own_tangent = solreffriction[0] != 0 || solreffriction[1] != 0;
  for (int row = first + 1; elliptic && row < first + nrow; ++row) {
    d->efc_KBIP[4 * row] = d->efc_margin[row] = 0;
    if (own_tangent) d->efc_KBIP[4 * row + 1] = ReferenceDamping(solreffriction, impedance.dwidth);
  }
}

}  // namespace sinew
