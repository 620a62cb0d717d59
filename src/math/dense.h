// Long dense vectors. Sums run in four interleaved accumulators, combined as (s0 + s2) + (s1 + s3), in every build: the
// order is part of the result.
#ifndef SINEW_MATH_DENSE_H_
#define SINEW_MATH_DENSE_H_

#include <cstring>

#include "simd/pack.h"

namespace sinew {
inline namespace SINEW_ISA {

inline Pack<double, 4> LoadFour(const double* p) {
  Pack<double, 4> x;
  std::memcpy(&x, p, sizeof(x));
  return x;
}
inline void StoreFour(const Pack<double, 4>& x, double* p) { std::memcpy(p, &x, sizeof(x)); }

inline Pack<double, 2> LoadTwo(const double* p) {
  Pack<double, 2> x;
  std::memcpy(&x, p, sizeof(x));
  return x;
}

// The four accumulators of a sum, in two registers of the baseline instruction set: wider packs are kept in memory there.
struct FourSums {
  Pack<double, 2> s01 = Pack<double, 2>(0.0), s23 = Pack<double, 2>(0.0);

  // adds a_i b_i for four elements
  void Add(const double* a, const double* b) {
    s01 += LoadTwo(a) * LoadTwo(b);
    s23 += LoadTwo(a + 2) * LoadTwo(b + 2);
  }
  double Total() const {
    const Pack<double, 2> sum = s01 + s23;
    return sum[0] + sum[1];
  }
};

// sum_i a_i b_i
inline double Dot(const double* a, const double* b, int n) {
  FourSums sum;
  int i = 0;
  for (; i + 4 <= n; i += 4) sum.Add(a + i, b + i);
  double tail = 0;
  for (; i < n; ++i) tail += a[i] * b[i];
  return sum.Total() + tail;
}

inline double Norm(const double* a, int n) { return Sqrt(Dot(a, a, n)); }

// y += s x
inline void AddScaled(double* y, const double* x, double s, int n) {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

inline void Copy(double* y, const double* x, int n) { std::memcpy(y, x, static_cast<size_t>(n) * sizeof(double)); }
inline void Zero(double* y, int n) { std::memset(y, 0, static_cast<size_t>(n) * sizeof(double)); }

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_MATH_DENSE_H_
