#include "constraint/cost.h"

#include "math/vec3.h"
#include "simd/pack.h"

namespace sinew {
namespace {

double EqualityRows(const RowSet& rows, const double* jar, double* force, int* state) {
  double cost = 0;
  for (int i = 0; i < rows.ne; ++i) {
    force[i] = -rows.D[i] * jar[i];
    state[i] = mjCNSTRSTATE_QUADRATIC;
    cost += 0.5 * rows.D[i] * jar[i] * jar[i];
  }
  return cost;
}

double FrictionRows(const RowSet& rows, const double* jar, double* force, int* state) {
  double cost = 0;
  for (int i = rows.ne; i < rows.ne + rows.nf; ++i) {
    const double eta = rows.frictionloss[i], bound = rows.R[i] * eta;
    if (jar[i] <= -bound) {
      force[i] = eta;
      state[i] = mjCNSTRSTATE_LINEARNEG;
      cost += -eta * (0.5 * bound + jar[i]);
    } else if (jar[i] >= bound) {
      force[i] = -eta;
      state[i] = mjCNSTRSTATE_LINEARPOS;
      cost += -eta * (0.5 * bound - jar[i]);
    } else {
      force[i] = -rows.D[i] * jar[i];
      state[i] = mjCNSTRSTATE_QUADRATIC;
      cost += 0.5 * rows.D[i] * jar[i] * jar[i];
    }
  }
  return cost;
}

// Hessian of the middle zone, with u = U_1.. / T:
//   Dm diag(scale) [ 1, -mu u' ; -mu u, mu^2 1 + mu N/T (u u' - 1) ] diag(scale)
void StoreConeHessian(const EllipticContact& cone, const double* U, double T, double* H) {
  const double mu = cone.mu, N = U[0], ratio = mu * N / T;
  for (int i = 0; i < cone.dim; ++i) {
    for (int j = 0; j < cone.dim; ++j) {
      double h;
      if (i == 0 && j == 0) {
        h = 1;
      } else if (i == 0 || j == 0) {
        h = -mu * U[i + j] / T;
      } else {
        h = ratio * U[i] * U[j] / (T * T) + (i == j ? mu * mu - ratio : 0);
      }
      H[i * cone.dim + j] = cone.Dm * cone.scale[i] * cone.scale[j] * h;
    }
  }
}

double EllipticRows(const RowSet& rows, int first, const double* jar, double* force, int* state, bool cone_hessian) {
  mjContact& contact = rows.contact[rows.id[first]];
  const EllipticContact cone = MakeElliptic(contact, rows.D[first]);
  double U[6] = {}, squared = 0;
  for (int j = 0; j < cone.dim; ++j) U[j] = jar[j] * cone.scale[j];
  for (int j = 1; j < cone.dim; ++j) squared += U[j] * U[j];
  const double N = U[0], T = Sqrt(squared);

  int shared = mjCNSTRSTATE_SATISFIED;
  double cost = 0;
  switch (ZoneOf(N, T, cone.mu)) {
    case ConeZone::kTop:
      for (int j = 0; j < cone.dim; ++j) force[j] = 0;
      break;
    case ConeZone::kBottom:
      shared = mjCNSTRSTATE_QUADRATIC;
      for (int j = 0; j < cone.dim; ++j) {
        force[j] = -rows.D[first + j] * jar[j];
        cost += 0.5 * rows.D[first + j] * jar[j] * jar[j];
      }
      break;
    case ConeZone::kMiddle:
      shared = mjCNSTRSTATE_CONE;
      const double gap = N - cone.mu * T;
      cost = 0.5 * cone.Dm * gap * gap;
      force[0] = -cone.Dm * gap * cone.mu;
      for (int j = 1; j < cone.dim; ++j) force[j] = -force[0] / T * U[j] * cone.scale[j];
      if (cone_hessian) StoreConeHessian(cone, U, T, contact.H);
      break;
  }
  for (int j = 0; j < cone.dim; ++j) state[j] = shared;
  return cost;
}

double InequalityRows(const RowSet& rows, const double* jar, double* force, int* state, bool cone_hessian) {
  double cost = 0;
  for (int i = rows.ne + rows.nf; i < rows.nefc;) {
    if (rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      cost += EllipticRows(rows, i, jar + i, force + i, state + i, cone_hessian);
      i += rows.contact[rows.id[i]].dim;
      continue;
    }
    const bool active = jar[i] < 0;
    force[i] = active ? -rows.D[i] * jar[i] : 0;
    state[i] = active ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    cost -= 0.5 * force[i] * jar[i];
    ++i;
  }
  return cost;
}

}  // namespace

EllipticContact MakeElliptic(const mjContact& contact, double D0) {
  EllipticContact cone;
  cone.dim = contact.dim;
  cone.mu = contact.mu;
  cone.scale[0] = contact.mu;
  for (int j = 1; j < contact.dim; ++j) cone.scale[j] = contact.friction[j - 1];
  cone.Dm = D0 / Max(kMinVal, cone.mu * cone.mu * (1 + cone.mu * cone.mu));
  return cone;
}

double EvaluateRows(const RowSet& rows, const double* jar, double* force, int* state, bool cone_hessian) {
  double cost = EqualityRows(rows, jar, force, state);
  cost += FrictionRows(rows, jar, force, state);
  cost += InequalityRows(rows, jar, force, state, cone_hessian);
  return cost;
}

}  // namespace sinew
