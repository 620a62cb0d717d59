// Long dense vectors. Sums run in four interleaved accumulators, combined as (s0 + s2) + (s1 + s3), in every build: the
// order is part of the result.
#ifndef SINEW_MATH_DENSE_H_
#define SINEW_MATH_DENSE_H_

#include <cstring>

#include "math/vec3.h"
#include "simd/pack.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// Four numbers anywhere in memory. A copy byte by byte would be made in halves, for which a later load of the whole
// has to wait.
typedef double UnalignedFour __attribute__((vector_size(32), aligned(8), may_alias));
inline Pack<double, 4> LoadFour(const double* p) { return *reinterpret_cast<const UnalignedFour*>(p); }
inline void StoreFour(const Pack<double, 4>& x, double* p) { *reinterpret_cast<UnalignedFour*>(p) = x.v; }

inline Pack<double, 2> LoadTwo(const double* p) {
  Pack<double, 2> x;
  std::memcpy(&x, p, sizeof(x));
  return x;
}

inline void StoreTwo(const Pack<double, 2>& x, double* p) { std::memcpy(p, &x, sizeof(x)); }

// The four accumulators of a sum, in two registers of the baseline instruction set: wider packs are kept in memory
// there.
struct FourSums {
  Pack<double, 2> s01 = Pack<double, 2>(0.0), s23 = Pack<double, 2>(0.0);

  void Add(Pack<double, 2> first, Pack<double, 2> second) {
    s01 += first;
    s23 += second;
  }
  // adds a_i b_i for four elements
  void Add(const double* a, const double* b) { Add(LoadTwo(a) * LoadTwo(b), LoadTwo(a + 2) * LoadTwo(b + 2)); }
  double Total() const {
    const Pack<double, 2> sum = s01 + s23;
    return sum[0] + sum[1];
  }
};

// Sum over i < n of a term that `two` gives for i and i + 1 at once, and `one` for the last n % 4.
template <class Two, class One>
double SumOfTerms(int n, const Two& two, const One& one) {
  FourSums sum;
  int i = 0;
  for (; i + 4 <= n; i += 4) sum.Add(two(i), two(i + 2));
  double tail = 0;
  for (; i < n; ++i) tail += one(i);
  return sum.Total() + tail;
}

// sum_i a_i b_i
inline double Dot(const double* a, const double* b, int n) {
  return SumOfTerms(
      n, [=](int i) { return LoadTwo(a + i) * LoadTwo(b + i); }, [=](int i) { return a[i] * b[i]; });
}

inline double Norm(const double* a, int n) { return Sqrt(Dot(a, a, n)); }

// sum_i a_i
inline double Sum(const double* a, int n) {
  return SumOfTerms(
      n, [=](int i) { return LoadTwo(a + i); }, [=](int i) { return a[i]; });
}

// sum_i |a_i|
inline double SumOfMagnitudes(const double* a, int n) {
  return SumOfTerms(
      n, [=](int i) { return Abs(LoadTwo(a + i)); }, [=](int i) { return Abs(a[i]); });
}

// Scales a to length one and returns its former length; a vector shorter than kMinVal becomes (1, 0, ..., 0).
inline double Normalize(double* a, int n) {
  const double norm = Norm(a, n);
  if (norm < kMinVal) {
    for (int i = 0; i < n; ++i) a[i] = i == 0;
  } else {
    const double inverse = 1 / norm;
    for (int i = 0; i < n; ++i) a[i] *= inverse;
  }
  return norm;
}

// Entry by entry; the result may be one of the operands.

// y += s x
inline void AddScaled(double* y, const double* x, double s, int n) {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}
// y += s_0 x_0 + s_1 x_1 + s_2 x_2 + s_3 x_3: four at once load and store y once
inline void AddFourScaled(double* y, const double* const x[4], const double* s, int n) {
  const double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
  const double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
  for (int i = 0; i < n; ++i) y[i] += (s0 * x0[i] + s1 * x1[i]) + (s2 * x2[i] + s3 * x3[i]);
}
// y = a + s b
inline void AddScaled(double* y, const double* a, const double* b, double s, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + s * b[i];
}
// y = s x
inline void Scale(double* y, const double* x, double s, int n) {
  for (int i = 0; i < n; ++i) y[i] = s * x[i];
}
// y = a + b
inline void Add(double* y, const double* a, const double* b, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + b[i];
}
// y = a - b
inline void Subtract(double* y, const double* a, const double* b, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] - b[i];
}

// An empty vector may be null.
inline void Copy(double* y, const double* x, int n) {
  if (n > 0) std::memcpy(y, x, static_cast<size_t>(n) * sizeof(double));
}
inline void Zero(double* y, int n) {
  if (n > 0) std::memset(y, 0, static_cast<size_t>(n) * sizeof(double));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_DENSE_H_
