#include "constraint/cost.h"

#include "constraint/impedance_kernel.h"

#include "math/vec3.h"
#include "simd/pack.h"

namespace sinew::inline constraint {
namespace {

// A row's force and state; returns twice its cost.
double Write(const RowCost<double>& row, double* force, int* state) {
  *state = StateOf(row);
  *force = *state == mjCNSTRSTATE_SATISFIED ? 0 : row.force;
  return row.twice;
}

double EllipticRows(const RowSet& rows, int first, const double* jar, double* force, int* state, bool cone_hessian) {
  mjContact& contact = rows.contact[rows.id[first]];
  const EllipticContact elliptic = MakeElliptic(contact, rows.D[first]);
  const ConePoint<double> cone(elliptic.dim, jar, elliptic.scale);
  double weight[6];
  const double twice = ConeCost(cone, elliptic.dim, jar, elliptic.scale, rows.D + first, elliptic.Dm, force, weight);
  const int shared = StateOf(cone.zone);
  for (int j = 0; j < elliptic.dim; ++j) {
    state[j] = shared;
    if (shared == mjCNSTRSTATE_SATISFIED) force[j] = 0;
  }
  for (int i = 0; shared == mjCNSTRSTATE_CONE && cone_hessian && i < elliptic.dim; ++i) {
    for (int j = 0; j < elliptic.dim; ++j) {
      contact.H[i * elliptic.dim + j] = ConeHessianEntry(cone, elliptic.scale, elliptic.Dm, i, j);
    }
  }
  return twice;
}

double TwiceEllipticCost(const RowSet& rows, int first, const double* jar) {
  const EllipticContact elliptic = MakeElliptic(rows.contact[rows.id[first]], rows.D[first]);
  double force[6], weight[6];
  return ConeCost(ConePoint<double>(elliptic.dim, jar, elliptic.scale), elliptic.dim, jar, elliptic.scale,
                  rows.D + first, elliptic.Dm, force, weight);
}

}  // namespace

EllipticContact MakeElliptic(const mjContact& contact, double D0) {
  EllipticContact cone;
  cone.dim = contact.dim;
  cone.mu = contact.mu;
  cone.scale[0] = contact.mu;
  for (int j = 1; j < contact.dim; ++j) cone.scale[j] = contact.friction[j - 1];
  cone.Dm = MiddleStiffness(D0, cone.mu);
  return cone;
}

double EvaluateRows(const RowSet& rows, const double* jar, double* force, int* state, bool cone_hessian) {
  double twice = 0;
  int i = 0;
  for (; i < rows.ne; ++i) twice += Write(EqualityCost(jar[i], rows.D[i]), force + i, state + i);
  for (; i < rows.ne + rows.nf; ++i) {
    const double eta = rows.frictionloss[i];
    twice += Write(FrictionCost(jar[i], rows.D[i], eta, rows.R[i] * eta), force + i, state + i);
  }
  while (i < rows.nefc) {
    if (rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      twice += EllipticRows(rows, i, jar + i, force + i, state + i, cone_hessian);
      i += rows.contact[rows.id[i]].dim;
      continue;
    }
    twice += Write(OneSidedCost(jar[i], rows.D[i]), force + i, state + i);
    ++i;
  }
  return 0.5 * twice;
}

double CostDifference(const RowSet& rows, const double* jar, const double* other) {
  double twice = 0;
  int i = 0;
  for (; i < rows.ne; ++i) twice += EqualityCost(jar[i], rows.D[i]).twice - EqualityCost(other[i], rows.D[i]).twice;
  for (; i < rows.ne + rows.nf; ++i) {
    const double eta = rows.frictionloss[i], bound = rows.R[i] * eta;
    twice += FrictionCost(jar[i], rows.D[i], eta, bound).twice - FrictionCost(other[i], rows.D[i], eta, bound).twice;
  }
  while (i < rows.nefc) {
    if (rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      twice += TwiceEllipticCost(rows, i, jar + i) - TwiceEllipticCost(rows, i, other + i);
      i += rows.contact[rows.id[i]].dim;
      continue;
    }
    twice += OneSidedCost(jar[i], rows.D[i]).twice - OneSidedCost(other[i], rows.D[i]).twice;
    ++i;
  }
  return 0.5 * twice;
}

}  // namespace sinew::inline constraint
