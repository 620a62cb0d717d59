// The finite-difference twin of analytic derivatives of a step.
#ifndef SINEW_TESTS_UNIT_DERIVATIVES_TWIN_H_
#define SINEW_TESTS_UNIT_DERIVATIVES_TWIN_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "derivatives/transition.h"
#include "tests/testing/model.h"

namespace sinew {

using Numbers = std::vector<double>;

// A and B side by side, above C and D: a row for each component of the next state and for each number of the sensors, a
// column for each of the state and the controls.
struct StepMatrix {
  int rows, columns;
  Numbers entries;

  StepMatrix(int r, int c) : rows(r), columns(c), entries(static_cast<size_t>(r * c)) {}
  double& operator()(int row, int column) { return entries[static_cast<size_t>(row * columns + column)]; }
};

inline Numbers StateOf(const World& w) {
  Numbers x(static_cast<size_t>(mj_stateSize(w.m.get(), mjSTATE_INTEGRATION)));
  mj_getState(w.m.get(), w.d.get(), x.data(), mjSTATE_INTEGRATION);
  return x;
}

class StepTwin {
 public:
  explicit StepTwin(World& w, bool sensors = false)
      : m_(w.m.get()),
        d_(w.d.get()),
        nv_(static_cast<int>(m_->nv)),
        na_(static_cast<int>(m_->na)),
        nu_(static_cast<int>(m_->nu)),
        ns_(sensors ? static_cast<int>(m_->nsensordata) : 0),
        start_(StateOf(w)) {}

  StepMatrix Analytic() {
    const int n = 2 * nv_ + na_;
    const auto numbers = [](int size) { return Numbers(static_cast<size_t>(size)); };
    Numbers A = numbers(n * n), B = numbers(n * nu_), C = numbers(ns_ * n), D = numbers(ns_ * nu_);
    LinearizeTransition(m_, d_, {A.data(), B.data(), ns_ ? C.data() : nullptr, ns_ ? D.data() : nullptr});
    StepMatrix result(n + ns_, n + nu_);
    for (int i = 0; i < n + ns_; ++i) {
      const Numbers &left = i < n ? A : C, &right = i < n ? B : D;
      const int row = i < n ? i : i - n;
      for (int j = 0; j < n; ++j) result(i, j) = left[static_cast<size_t>(row * n + j)];
      for (int j = 0; j < nu_; ++j) result(i, n + j) = right[static_cast<size_t>(row * nu_ + j)];
    }
    return result;
  }

  // Central differences of whole steps over eps, eps/2 and eps/4, extrapolated to the sixth order.
  StepMatrix Differences(double eps) {
    const int n = 2 * nv_ + na_;
    StepMatrix result(n + ns_, n + nu_);
    for (int c = 0; c < n + nu_; ++c) {
      const Numbers one = Central(c, eps), two = Central(c, eps / 2), three = Central(c, eps / 4);
      for (size_t i = 0; i < one.size(); ++i) {
        const double a = (4 * two[i] - one[i]) / 3, b = (4 * three[i] - two[i]) / 3;
        result(static_cast<int>(i), c) = (16 * b - a) / 15;
      }
    }
    mj_setState(m_, d_, start_.data(), mjSTATE_INTEGRATION);
    return result;
  }

 private:
  struct End {
    Numbers qpos, rest;
  };
  End Step(int c, double by) {
    mj_setState(m_, d_, start_.data(), mjSTATE_INTEGRATION);
    if (c < nv_) {
      Numbers direction(static_cast<size_t>(nv_));
      direction[static_cast<size_t>(c)] = 1;
      mj_integratePos(m_, d_->qpos, direction.data(), by);
    } else if (c < 2 * nv_) {
      d_->qvel[c - nv_] += by;
    } else if (c < 2 * nv_ + na_) {
      d_->act[c - 2 * nv_] += by;
    } else {
      d_->ctrl[c - 2 * nv_ - na_] += by;
    }
    mj_step(m_, d_);
    End end = {Numbers(d_->qpos, d_->qpos + m_->nq), Numbers(d_->qvel, d_->qvel + nv_)};
    end.rest.insert(end.rest.end(), d_->act, d_->act + na_);
    end.rest.insert(end.rest.end(), d_->sensordata, d_->sensordata + ns_);
    return end;
  }
  Numbers Central(int c, double eps) {
    const End above = Step(c, eps), below = Step(c, -eps);
    Numbers slope(static_cast<size_t>(nv_));
    mj_differentiatePos(m_, slope.data(), 2 * eps, below.qpos.data(), above.qpos.data());
    for (size_t i = 0; i < above.rest.size(); ++i) slope.push_back((above.rest[i] - below.rest[i]) / (2 * eps));
    return slope;
  }

  const mjModel* m_;
  mjData* d_;
  int nv_, na_, nu_, ns_;
  Numbers start_;
};

// Compares block by block (positions, velocities, activations, sensors one by one; by positions, velocities,
// activations, controls), relative to the largest entry of the block. Sensors only with `sensors`.
inline void ExpectSameDerivatives(World& w, double eps, double tolerance, const std::string& what = "",
                                  bool sensors = false) {
  w.m->opt.tolerance = 0;  // differences see all of the solver's error
  w.m->opt.iterations = 200;
  w.m->opt.ls_tolerance = 1e-12;
  w.m->opt.ccd_tolerance = 1e-14;
  StepTwin twin(w, sensors);
  StepMatrix expected = twin.Differences(eps), actual = twin.Analytic();
  const int nv = static_cast<int>(w.m->nv), n = 2 * nv + static_cast<int>(w.m->na);
  const int ends[] = {0, nv, 2 * nv, n, expected.columns};
  std::vector<int> row_ends(ends, ends + 4);
  for (int i = 0; sensors && i < w.m->nsensor; ++i) row_ends.push_back(row_ends.back() + w.m->sensor_dim[i]);
  for (size_t R = 0; R + 1 < row_ends.size(); ++R) {
    for (int C = 0; C < 4; ++C) {
      // Forces and accelerations of some 10 units whose slopes vanish have differences of rounding / eps.
      double scale = R < 3 ? 1e-3 : 0.1, error = 0;
      int row = -1, column = -1;
      for (int i = row_ends[R]; i < row_ends[R + 1]; ++i) {
        for (int j = ends[C]; j < ends[C + 1]; ++j) {
          scale = std::max(scale, std::abs(expected(i, j)));
          if (std::abs(expected(i, j) - actual(i, j)) <= error) continue;
          error = std::abs(expected(i, j) - actual(i, j));
          row = i;
          column = j;
        }
      }
      if (row < 0) continue;
      EXPECT_LE(error / scale, tolerance) << what << " row " << row << " column " << column << ": differences "
                                          << expected(row, column) << ", analytic " << actual(row, column);
    }
  }
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_DERIVATIVES_TWIN_H_
