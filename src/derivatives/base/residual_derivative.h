// The derivative of a world's residual, and what follows from it: accelerations, or their transposed map.
//
//   r(a; q, v, act, u) = M a - qfrc_smooth - J' f(J a - aref),     s = M a - X b        (columns.h)
//   da = -H^-1 dr,     db = X^-1 (M da + ds)
//
// H is the Hessian of the constrained dynamics and X the matrix of the integrator. Two engines compute it: kernels over
// contact slots for small systems, and the factors of the solver for all others. MakeResidualDerivative chooses
// (derivatives/make_residual_derivative.h).
#ifndef SINEW_DERIVATIVES_BASE_RESIDUAL_DERIVATIVE_H_
#define SINEW_DERIVATIVES_BASE_RESIDUAL_DERIVATIVE_H_

#include <vector>

#include "derivatives/base/activation_row.h"
#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

class ResidualDerivative {
 public:
  virtual ~ResidualDerivative() = default;
  ResidualDerivative(const ResidualDerivative&) = delete;
  ResidualDerivative& operator=(const ResidualDerivative&) = delete;

  // The accelerations of the world: of its solution, and those that velocities follow.
  virtual ResidualPoint point() const = 0;

  // Of the residual; after Solve, `force` has the change of a instead, and `step` that of b.
  const ResidualColumns& columns() const { return columns_; }
  const std::vector<ActivationRow>& activations() const { return activations_; }

  // da and db for all columns. Throws where factors are singular.
  virtual void Solve() = 0;

  // A scalar's slopes by the residual, from that by b:  by_b . db = force . dr + step . ds
  struct Slopes {
    std::vector<double> force, step;  // step: empty without a matrix of the integrator
  };
  // `by_a`: slopes by a beside those by b, or null.
  Slopes Transposed(const double* by_b, const double* by_a = nullptr) const;
  // From the slopes by a, which integrators of several stages move the world with.
  Slopes TransposedSolution(const double* by_a) const;

 protected:
  explicit ResidualDerivative(const mjModel* m) : m_(m), columns_(StateSizes(m)) {}

  // The transposed maps of the engine: change . db = force . dr + step . ds, and change . da = force . dr.
  virtual void SolveTransposed(const double* change, double* force, double* step) const = 0;
  virtual void SolveTransposedSolution(const double* change, double* force) const = 0;

  const mjModel* m_;
  ResidualColumns columns_;
  std::vector<ActivationRow> activations_;
};

// Refuses changes of the acceleration that are not finite, by the name of their joint.
void RequireRegular(const mjModel* m, const double* change);

[[noreturn]] void ThrowNotConverged();

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_RESIDUAL_DERIVATIVE_H_
