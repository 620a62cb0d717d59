// Rows of constraints whose changes of mode are smooth: the mean law under noise of the residual.
//
// Forces of rows are piecewise linear in their residuals x. When x has noise of the logistic distribution with scale e,
//   E[ max(0, z + noise) ] = e log(1 + exp(z / e)) = R(z),     R' = 1 / (1 + exp(-z / e)) = S(z)
// so that kinks become soft over a width of some e, and means of forces are
//
//   limit, frictionless contact, edge     f = D R(-x)                                    weight D S(-x)
//   friction loss eta, r = eta / D        f = D (R(r - x) - R(-r - x)) - eta             weight D (S(r - x) - S(-r -
//   x))
//
// An elliptic cone (constraint/cost.h) has noise in its normal residual, with e scaled to N. With the kinks in N at
// fixed T, a = mu T and b = -T / mu, and u the unit vector of the tangential coordinates,
//
//   -s_N = Dm (R(a - N) + mu^2 R(b - N))      s_T = Dm mu (R(a - N) - R(b - N))
//   s_NN = Dm (S_a + mu^2 S_b)    s_NT = -Dm mu (S_a - S_b)    s_TT = Dm (mu^2 S_a + S_b)
//
// and the Hessian between the tangents is s_TT u u' + s_T / T (1 - u u'). All are derivatives of one convex function,
// the mean of the cost, so that the smoothed dynamics have a unique solution.
#ifndef SINEW_DERIVATIVES_BASE_SMOOTHED_ROWS_H_
#define SINEW_DERIVATIVES_BASE_SMOOTHED_ROWS_H_

#include "constraint/cost.h"

namespace sinew::inline derivatives {

// Writes force, state and weight of each row; the Hessians of cones are left in the contacts. Rows of a cone have the
// state mjCNSTRSTATE_CONE, all others mjCNSTRSTATE_QUADRATIC with a weight in the place of D. `scale`: e, of residuals.
void EvaluateSmoothedRows(const RowSet& rows, double scale, const double* residual, double* force, double* weight,
                          int* state);

// The slope of a friction row's force by its loss eta.
double SmoothedForceByLoss(double D, double loss, double scale, double residual);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_SMOOTHED_ROWS_H_
