// Columns to which the parts of the residual of forces add its derivatives at fixed accelerations.
//
//   r(a; q, v, act, u) = M a - qfrc_smooth - J' f(J a - aref),     s = M a - X b
//
// with the integrator's matrix X and its acceleration b, X b = M a (derivatives/base/residual.h). A matrix has a column
// for each component of (q, v, act, u), q in the tangent space, and nv numbers in each; columns follow one another, so
// that each is one right hand side.
#ifndef SINEW_DERIVATIVES_BASE_COLUMNS_H_
#define SINEW_DERIVATIVES_BASE_COLUMNS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::inline derivatives {

inline size_t Size(mjtSize n) { return static_cast<size_t>(n); }

struct StateSizes {
  int nv, na, nu;

  explicit StateSizes(const mjModel* m)
      : nv(static_cast<int>(m->nv)), na(static_cast<int>(m->na)), nu(static_cast<int>(m->nu)) {}
  int state() const { return 2 * nv + na; }
  int all() const { return state() + nu; }
  // First columns.
  int velocity() const { return nv; }
  int activation() const { return 2 * nv; }
  int control() const { return 2 * nv + na; }
};

// Columns of nv numbers each, one behind the other, wherever they are.
struct ColumnView {
  double* first;
  int nv;

  double* operator[](int column) const { return first + static_cast<ptrdiff_t>(column) * nv; }
};

class Columns {
 public:
  explicit Columns(const StateSizes& sizes)
      : nv_(sizes.nv), values_(static_cast<size_t>(sizes.nv) * static_cast<size_t>(sizes.all())) {}

  double* operator[](int column) { return values_.data() + static_cast<size_t>(column) * static_cast<size_t>(nv_); }
  const double* operator[](int column) const {
    return values_.data() + static_cast<size_t>(column) * static_cast<size_t>(nv_);
  }
  // Those from `first` on.
  ColumnView From(int first) { return {(*this)[first], nv_}; }
  ColumnView FromVelocity() { return From(nv_); }

 private:
  int nv_;
  std::vector<double> values_;
};

// The accelerations at which the residual is differentiated.
struct ResidualPoint {
  const double *a, *b;  // the same where the integrator changes nothing
  bool HasStep() const { return a != b; }

  // The factor that scales b to the size of the velocities, so that differences of an expression of both lose least to
  // rounding; 0 where b is zero.
  double ScaleToVelocities(const double* velocity, int nv) const {
    double speed = 1, change = 0;
    for (int i = 0; i < nv; ++i) {
      speed = std::max(speed, std::abs(velocity[i]));
      change = std::max(change, std::abs(b[i]));
    }
    return change == 0 ? 0 : speed / change;
  }
};

struct ResidualColumns {
  Columns force, step;  // of r; of s, all zero without a matrix of the integrator

  explicit ResidualColumns(const StateSizes& sizes) : force(sizes), step(sizes) {}
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_COLUMNS_H_
