// The constraint cost s(jar) and its gradient: what one row, or one elliptic contact, does at a given residual
// acceleration.
//
//   jar = J a - aref      residual of a row at joint acceleration a
//   f   = -ds/djar        constraint force
//
//   equality            s = D jar^2 / 2                                        always quadratic
//   friction loss eta   s = D jar^2 / 2, continued linearly beyond |f| = eta    (Huber)
//   limit, frictionless contact, pyramid edge      s = D jar^2 / 2 where jar < 0, else 0
//   elliptic contact    squared distance of jar to the dual cone, see EllipticContact
//
// The solvers, the exported constraint update and inverse dynamics all evaluate rows here.
// Reference: E. Todorov, Convex and analytically-invertible dynamics with contacts and constraints, ICRA 2014.
#ifndef SINEW_CONSTRAINT_COST_H_
#define SINEW_CONSTRAINT_COST_H_

#include <mujoco/mujoco.h>

#include "constraint/cost_kernel.h"

namespace sinew::inline constraint {

// The rows of a system or of one island: equalities, then friction loss, then limits and contacts.
struct RowSet {
  int nefc, ne, nf;
  const int* type;             // mjtConstraint
  const int* id;               // object; of contact rows, the contact
  const double* D;             // 1 / R
  const double* R;             // regularization, > 0
  const double* frictionloss;  // eta of friction rows
  mjContact* contact;          // all contacts of mjData
};

// A contact with an elliptic cone in coordinates in which the cone is circular:
//   U_0 = mu jar_0,  U_j = friction_j jar_j,   N = U_0,  T = |U_1..|
// top zone  N >= mu T: no force; bottom zone  mu N + T <= 0: all rows quadratic; between: s = Dm (N - mu T)^2 / 2.
struct EllipticContact {
  int dim;
  double mu;        // regularized friction coefficient (mjContact.mu)
  double scale[6];  // mu, then the friction coefficients
  double Dm;        // D_0 / (mu^2 (1 + mu^2))
};
EllipticContact MakeElliptic(const mjContact& contact, double D0);

enum class ConeZone { kTop, kBottom, kMiddle };
inline ConeZone ZoneOf(double N, double T, double mu) {
  if (N >= mu * T || (T <= 0 && N >= 0)) return ConeZone::kTop;
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) return ConeZone::kBottom;
  return ConeZone::kMiddle;
}

// States (mjtConstraintState) of a row and of an elliptic contact.
inline int StateOf(const RowCost<double>& row) {
  if (row.weight != 0) return mjCNSTRSTATE_QUADRATIC;
  if (row.force == 0) return mjCNSTRSTATE_SATISFIED;
  return row.force > 0 ? mjCNSTRSTATE_LINEARNEG : mjCNSTRSTATE_LINEARPOS;
}
inline int StateOf(const ConeZones<double>& zone) {
  return zone.middle ? mjCNSTRSTATE_CONE : zone.bottom ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
}

// Writes force and state (mjtConstraintState) of every row and returns the cost. With cone_hessian, the Hessian of
// every contact in the middle zone is stored in its H (row-major, dim x dim).
double EvaluateRows(const RowSet& rows, const double* jar, double* force, int* state, bool cone_hessian);

// The cost at `jar` minus that at `other`, row by row: costs may be large where nothing moves.
double CostDifference(const RowSet& rows, const double* jar, const double* other);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_COST_H_
