#include "derivatives/base/smoothed_rows.h"

#include <algorithm>
#include <cmath>

namespace sinew::inline derivatives {
namespace {

struct Ramp {
  double value, slope;  // R, S
};

Ramp SoftRamp(double z, double scale) {
  const double t = z / scale, small = std::exp(-std::abs(t));
  return {std::max(z, 0.0) + scale * std::log1p(small), (t >= 0 ? 1 : small) / (1 + small)};
}

struct SoftRow {
  double force, weight;
};

SoftRow OneSided(double x, double D, double scale) {
  const Ramp ramp = SoftRamp(-x, scale);
  return {D * ramp.value, D * ramp.slope};
}

SoftRow Friction(double x, double D, double loss, double scale) {
  const double reach = loss / D;
  const Ramp above = SoftRamp(reach - x, scale), below = SoftRamp(-reach - x, scale);
  return {D * (above.value - below.value) - loss, D * (above.slope - below.slope)};
}

// The forces of an elliptic contact, and its Hessian.
void Cone(const EllipticContact& cone, double scale, const double* x, double* force, mjContact& contact) {
  const int dim = cone.dim;
  const double mu = cone.mu, noise = scale * mu, Dm = cone.Dm;
  double U[6], T = 0;
  for (int j = 0; j < dim; ++j) U[j] = x[j] * cone.scale[j];
  for (int j = 1; j < dim; ++j) T += U[j] * U[j];
  T = std::sqrt(T);
  const Ramp a = SoftRamp(mu * T - U[0], noise), b = SoftRamp(-T / mu - U[0], noise);
  const double NN = Dm * (a.slope + mu * mu * b.slope), NT = -Dm * mu * (a.slope - b.slope),
               TT = Dm * (mu * mu * a.slope + b.slope);
  // the slope by T over T, which has a limit
  const bool slides = T > 1e-8 * noise;
  const double across = slides ? Dm * mu * (a.value - b.value) / T : Dm * (1 + mu * mu) * a.slope;
  force[0] = mu * Dm * (a.value + mu * mu * b.value);
  for (int i = 0; i < dim; ++i) {
    if (i > 0) force[i] = -cone.scale[i] * across * U[i];
    for (int j = 0; j < dim; ++j) {
      const double ui = slides ? U[i] / T : 0, uj = slides ? U[j] / T : 0;
      const double h = i == 0 && j == 0   ? NN
                       : i == 0 || j == 0 ? NT * (i == 0 ? uj : ui)
                                          : (TT - across) * ui * uj + (i == j ? across : 0);
      contact.H[dim * i + j] = cone.scale[i] * cone.scale[j] * h;
    }
  }
}

}  // namespace

void EvaluateSmoothedRows(const RowSet& rows, double scale, const double* residual, double* force, double* weight,
                          int* state) {
  for (int i = 0; i < rows.nefc;) {
    const double x = residual[i], D = rows.D[i];
    if (rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      mjContact& contact = rows.contact[rows.id[i]];
      Cone(MakeElliptic(contact, D), scale, residual + i, force + i, contact);
      std::fill_n(weight + i, contact.dim, 0.0);
      std::fill_n(state + i, contact.dim, static_cast<int>(mjCNSTRSTATE_CONE));
      i += contact.dim;
      continue;
    }
    const SoftRow row = i < rows.ne             ? SoftRow{-D * x, D}
                        : i < rows.ne + rows.nf ? Friction(x, D, rows.frictionloss[i], scale)
                                                : OneSided(x, D, scale);
    force[i] = row.force;
    weight[i] = row.weight;
    state[i++] = mjCNSTRSTATE_QUADRATIC;
  }
}

double SmoothedForceByLoss(double D, double loss, double scale, double residual) {
  const double reach = loss / D;
  return SoftRamp(reach - residual, scale).slope + SoftRamp(-reach - residual, scale).slope - 1;
}

}  // namespace sinew::inline derivatives
