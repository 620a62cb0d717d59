// Exact line search: the step alpha at which the cost along a direction is least.
//
//   phi(alpha) = 1/2 (a + alpha s - a_s)' M (a + alpha s - a_s) + s(jar + alpha J s)
//
// is convex and piecewise smooth, so alpha is the root of phi' (slope_root_kernel.h).
#ifndef SINEW_SOLVE_LINE_SEARCH_H_
#define SINEW_SOLVE_LINE_SEARCH_H_

#include "math/vec3.h"
#include "solve/problem.h"
#include "solve/slope_root_kernel.h"

namespace sinew::inline solve {

struct LineSearchResult {
  double alpha;  // 0: no descent is possible
  double slope;  // phi'(alpha), scaled; 1 when it was not computed
  double gain;   // phi(0) - phi(alpha)
  int evaluations;
  bool is_exhausted;  // ls_iterations were used up
};

class LineSearch {
 public:
  // Memory for problems of this shape belongs to the frame.
  LineSearch(const Problem& problem, StackFrame& frame);

  // Searches from a (Ma = M a, jar = J a - aref) along `direction` (Mv = M s, Jv = J s).
  LineSearchResult Search(const SolverOptions& options, const double* Ma, const double* jar, const double* direction,
                          const double* Mv, const double* Jv);

 private:
  using Point = LinePoint<double>;
  // An elliptic contact along the line. With the residual x + alpha v of its rows, the coordinates of EllipticContact
  // are linear in alpha: the normal one N = normal + alpha normal_rate, and the tangents t + alpha w, t_j = scale_j x_j
  // and w_j = scale_j v_j. So the square of their length is a quadratic in alpha whose coefficients are scalar
  // products.
  struct Cone {
    double mu, Dm;
    double normal, normal_rate;
    double tangent_square, tangent_dot_rate, rate_square;  // t't, t'w, w'w
    double q0, q1, q2;                                     // cost in the bottom zone
    double cost;                                           // at the start
  };

  void Prepare(const double* Ma, const double* jar, const double* direction, const double* Mv, const double* Jv);
  static double CostOfCone(const Cone& cone, double alpha);
  void PrepareCone(int row, const double* jar, const double* Jv);
  Point Evaluate(double alpha);
  void AddFriction(Point& p) const;
  void AddOneSided(Point& p) const;
  void AddCone(const Cone& cone, Point& p) const;
  // phi(alpha) - phi(0), row by row: costs may be large where nothing moves.
  double CostAlong(double alpha) const;

  const Problem& p_;
  const double *jar_, *Jv_;
  double q1_, q2_;              // Gauss cost and equality rows: alpha q1 + alpha^2 q2
  int nsided_ = 0, ncone_ = 0;  // rows that act on one side; cones
  double *side_jar_, *side_Jv_, *side_D_;
  Cone* cone_;
  int evaluations_ = 0;
};

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_LINE_SEARCH_H_
