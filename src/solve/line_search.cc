#include "solve/line_search.h"

#include <cmath>

#include "constraint/cost_kernel.h"
#include "core/warning.h"
#include "math/dense.h"

namespace sinew::inline solve {

LineSearch::LineSearch(const Problem& problem, StackFrame& frame) : p_(problem) {
  const int sided = p_.rows.nefc - p_.rows.ne - p_.rows.nf;
  side_jar_ = frame.Doubles(sided);
  side_Jv_ = frame.Doubles(sided);
  side_D_ = frame.Doubles(sided);
  cone_ = frame.Alloc<Cone>(sided);
}

LineSearchResult LineSearch::Search(const SolverOptions& options, const double* Ma, const double* jar,
                                    const double* direction, const double* Mv, const double* Jv) {
  const double length = Norm(direction, p_.nv);
  if (length < kMinVal) return {0, 1, 0, 0, false};
  Prepare(Ma, jar, direction, Mv, Jv);
  evaluations_ = 0;
  Point start = Evaluate(0);
  // A direction that is only rounding has a curvature that the search takes for zero: the line is scaled for it.
  const bool is_small = start.curvature > 0 && start.curvature < kMinVal;
  const double unit = is_small ? std::exp2(-std::ilogb(start.curvature)) : 1;
  start.slope *= unit;
  start.curvature *= unit;
  SlopeRoot<double> root;
  root.Start(start.NewtonStep(),
             SlopeTolerance(unit * options.tolerance * options.ls_tolerance * length / p_.scale, start.slope), true);
  while (root.open()) {
    const Point point = Evaluate(root.trial());
    root.Take(unit * point.slope, unit * point.curvature, options.ls_iterations);
  }
  if (root.exhausted()) root.Choose(CostAlong(root.newer()), CostAlong(root.older()));
  return {root.alpha(), std::fabs(root.slope()) / unit * p_.scale / length, -CostAlong(root.alpha()), evaluations_,
          root.exhausted()};
}

void LineSearch::Prepare(const double* Ma, const double* jar, const double* direction, const double* Mv,
                         const double* Jv) {
  jar_ = jar;
  Jv_ = Jv;

  // Gauss cost
  q1_ = Dot(direction, Ma, p_.nv) - Dot(direction, p_.qfrc_smooth, p_.nv);
  q2_ = 0.5 * Dot(direction, Mv, p_.nv);

  // equalities are quadratic everywhere
  const RowSet& rows = p_.rows;
  for (int i = 0; i < rows.ne; ++i) {
    q1_ += rows.D[i] * jar[i] * Jv[i];
    q2_ += 0.5 * rows.D[i] * Jv[i] * Jv[i];
  }

  // one-sided rows side by side, cones in their own coordinates
  nsided_ = ncone_ = 0;
  for (int i = rows.ne + rows.nf; i < rows.nefc;) {
    if (rows.type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      PrepareCone(i, jar, Jv);
      i += rows.contact[rows.id[i]].dim;
      continue;
    }
    side_jar_[nsided_] = jar[i];
    side_Jv_[nsided_] = Jv[i];
    side_D_[nsided_++] = rows.D[i];
    ++i;
  }
}

void LineSearch::PrepareCone(int row, const double* jar, const double* Jv) {
  const EllipticContact contact = MakeElliptic(p_.rows.contact[p_.rows.id[row]], p_.rows.D[row]);
  Cone cone{};
  cone.mu = contact.mu;
  cone.Dm = contact.Dm;
  cone.normal = contact.mu * jar[row];
  cone.normal_rate = contact.mu * Jv[row];
  for (int j = 0; j < contact.dim; ++j) {
    const double x = jar[row + j], v = Jv[row + j], D = p_.rows.D[row + j];
    cone.q0 += 0.5 * D * x * x;
    cone.q1 += D * x * v;
    cone.q2 += 0.5 * D * v * v;
    if (j == 0) continue;
    const double squared = contact.scale[j] * contact.scale[j];
    cone.tangent_square += squared * x * x;
    cone.tangent_dot_rate += squared * x * v;
    cone.rate_square += squared * v * v;
  }
  cone.cost = CostOfCone(cone, 0);
  cone_[ncone_++] = cone;
}

// The cost of an elliptic contact along the line.
double LineSearch::CostOfCone(const Cone& c, double alpha) {
  const double N = c.normal + alpha * c.normal_rate;
  const double squared = c.tangent_square + alpha * (2 * c.tangent_dot_rate + alpha * c.rate_square);
  const double T = squared > 0 ? std::sqrt(squared) : 0;
  const ConeZone zone = ZoneOf(N, T, c.mu);
  if (zone == ConeZone::kTop) return 0;
  if (zone == ConeZone::kBottom) return c.q0 + alpha * (c.q1 + alpha * c.q2);
  return 0.5 * c.Dm * (N - c.mu * T) * (N - c.mu * T);
}

LineSearch::Point LineSearch::Evaluate(double alpha) {
  ++evaluations_;
  Point p{alpha, q1_ + 2 * alpha * q2_, 2 * q2_};
  AddFriction(p);
  AddOneSided(p);
  for (int i = 0; i < ncone_; ++i) AddCone(cone_[i], p);
  if (p.curvature <= 0) {
    Warn("Linesearch objective is not convex");
    p.curvature = kMinVal;
  }
  return p;
}

void LineSearch::AddFriction(Point& p) const {
  const RowSet& rows = p_.rows;
  for (int i = rows.ne; i < rows.ne + rows.nf; ++i) {
    const double eta = rows.frictionloss[i];
    const RowCost<double> row = FrictionCost(jar_[i] + p.alpha * Jv_[i], rows.D[i], eta, rows.R[i] * eta);
    p.slope -= row.force * Jv_[i];
    p.curvature += row.weight * Jv_[i] * Jv_[i];
  }
}

// Limits, frictionless contacts and pyramid edges, two at a time.
void LineSearch::AddOneSided(Point& p) const {
  using Two = Pack<double, 2>;
  const Two alpha(p.alpha);
  Two slope(0.0), curvature(0.0);
  int i = 0;
  for (; i + 2 <= nsided_; i += 2) {
    const Two v = LoadTwo(side_Jv_ + i);
    const RowCost<Two> row = OneSidedCost(LoadTwo(side_jar_ + i) + alpha * v, LoadTwo(side_D_ + i));
    slope -= row.force * v;
    curvature += row.weight * v * v;
  }
  p.slope += slope[0] + slope[1];
  p.curvature += curvature[0] + curvature[1];
  for (; i < nsided_; ++i) {
    const double v = side_Jv_[i];
    const RowCost<double> row = OneSidedCost(side_jar_[i] + p.alpha * v, side_D_[i]);
    p.slope -= row.force * v;
    p.curvature += row.weight * v * v;
  }
}

void LineSearch::AddCone(const Cone& c, Point& p) const {
  const double alpha = p.alpha, N = c.normal + alpha * c.normal_rate;
  const double squared = c.tangent_square + alpha * (2 * c.tangent_dot_rate + alpha * c.rate_square);
  const double T = squared > 0 ? std::sqrt(squared) : 0;
  switch (ZoneOf(N, T, c.mu)) {
    case ConeZone::kTop:
      return;
    case ConeZone::kBottom:
      p.slope += c.q1 + 2 * alpha * c.q2;
      p.curvature += 2 * c.q2;
      return;
    case ConeZone::kMiddle:
      const ConeLine<double> line(N, c.normal_rate, T, c.tangent_dot_rate + alpha * c.rate_square, c.rate_square, c.mu,
                                  c.Dm);
      p.slope += line.slope;
      p.curvature += line.curvature;
      return;
  }
}

double LineSearch::CostAlong(double alpha) const {
  const RowSet& rows = p_.rows;
  double cost = alpha * (q1_ + alpha * q2_), twice = 0;
  for (int i = rows.ne; i < rows.ne + rows.nf; ++i) {
    const double eta = rows.frictionloss[i], bound = rows.R[i] * eta;
    twice += FrictionCost(jar_[i] + alpha * Jv_[i], rows.D[i], eta, bound).twice -
             FrictionCost(jar_[i], rows.D[i], eta, bound).twice;
  }
  for (int i = 0; i < nsided_; ++i) {
    const double start = Min(side_jar_[i], 0.0), end = Min(side_jar_[i] + alpha * side_Jv_[i], 0.0);
    twice += side_D_[i] * (end - start) * (end + start);
  }
  for (int i = 0; i < ncone_; ++i) cost += CostOfCone(cone_[i], alpha) - cone_[i].cost;
  return cost + 0.5 * twice;
}

}  // namespace sinew::inline solve
