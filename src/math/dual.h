// Dual<S, N>: a number with its derivatives with respect to N variables (forward-mode differentiation). Kernels that
// are templates over their number type give exact derivatives when they run on duals.
#ifndef SINEW_MATH_DUAL_H_
#define SINEW_MATH_DUAL_H_

#include "simd/pack.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

template <class S, int N>
struct Dual {
  S value;
  S slope[N];

  Dual() = default;
  explicit Dual(S constant) : value(constant) {
    for (S& s : slope) s = S(0);
  }
  // The variable of this index.
  static Dual Variable(S value, int index) {
    Dual x(value);
    x.slope[index] = S(1);
    return x;
  }

  // Of the value: where a table is read.
  explicit operator int() const { return static_cast<int>(value); }

  // value, with slope a.slope * da + b.slope * db
  static Dual Chain(S value, const Dual& a, S da, const Dual& b, S db) {
    Dual y;
    y.value = value;
    for (int i = 0; i < N; ++i) y.slope[i] = a.slope[i] * da + b.slope[i] * db;
    return y;
  }
  static Dual Chain(S value, const Dual& a, S da) {
    Dual y;
    y.value = value;
    for (int i = 0; i < N; ++i) y.slope[i] = a.slope[i] * da;
    return y;
  }

  friend Dual operator-(const Dual& a) { return Chain(-a.value, a, S(-1)); }
  friend Dual operator+(const Dual& a, const Dual& b) { return Chain(a.value + b.value, a, S(1), b, S(1)); }
  friend Dual operator-(const Dual& a, const Dual& b) { return Chain(a.value - b.value, a, S(1), b, S(-1)); }
  friend Dual operator*(const Dual& a, const Dual& b) { return Chain(a.value * b.value, a, b.value, b, a.value); }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const S inverse = S(1) / b.value, quotient = a.value * inverse;
    return Chain(quotient, a, inverse, b, -quotient * inverse);
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend MaskOf<S> operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend MaskOf<S> operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
};

using simd::Abs, simd::Select, simd::Sqrt;  // of numbers, beside those of duals below

template <class S, int N>
Dual<S, N> Select(MaskOf<S> m, const Dual<S, N>& a, const Dual<S, N>& b) {
  Dual<S, N> y;
  y.value = Select(m, a.value, b.value);
  for (int i = 0; i < N; ++i) y.slope[i] = Select(m, a.slope[i], b.slope[i]);
  return y;
}

template <class S, int N>
Dual<S, N> Abs(const Dual<S, N>& x) {
  return Dual<S, N>::Chain(Abs(x.value), x, Sign(x.value));
}

// The slope of the root at zero counts as zero: what it belongs to, the length of a vector, is multiplied by a zero
// there.
template <class S, int N>
Dual<S, N> Sqrt(const Dual<S, N>& x) {
  const S root = Sqrt(x.value);
  const MaskOf<S> zero = root == S(0);
  return Dual<S, N>::Chain(root, x, Select(zero, S(0), S(0.5) / Select(zero, S(1), root)));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

// The masks of duals are those of their values.
template <class S, int N>
struct sinew::LaneTraits<sinew::Dual<S, N>> : sinew::LaneTraits<S> {};

#endif  // SINEW_MATH_DUAL_H_
