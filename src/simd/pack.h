// Pack<T, W>: W values of type T in the lanes of a register, and Mask<T, W>, what comparing two packs gives.
//
// Kernels are templates over S, which is `double` or a pack. They use the free functions below for whatever depends on
// data: Select, Any, All, Min, Max, Abs, Sqrt, CopySign. A pack's mask does not convert to bool, so that
// `if (x < y)` on packs does not compile. Every operation is IEEE-754 correctly rounded, lane by lane: a lane equals
// the scalar result bit for bit.
#ifndef SINEW_SIMD_PACK_H_
#define SINEW_SIMD_PACK_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "simd/isa.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

// GCC 12 ignores a vector_size that depends on a template parameter, hence a specialization per width.
template <class T, int W>
struct Register;
#define SINEW_REGISTER(T, I, W)                                  \
  template <>                                                    \
  struct Register<T, W> {                                        \
    typedef T Value __attribute__((vector_size(sizeof(T) * W))); \
    typedef I Bits __attribute__((vector_size(sizeof(I) * W)));  \
  };
SINEW_REGISTER(double, int64_t, 1)
SINEW_REGISTER(double, int64_t, 2)
SINEW_REGISTER(double, int64_t, 4)
SINEW_REGISTER(double, int64_t, 8)
SINEW_REGISTER(float, int32_t, 4)
SINEW_REGISTER(float, int32_t, 8)
SINEW_REGISTER(float, int32_t, 16)
#undef SINEW_REGISTER

template <class T, int W>
struct Mask {
  typename Register<T, W>::Bits v;  // all ones where true

  bool Lane(int i) const { return v[i] != 0; }
  friend Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
  friend Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
  friend Mask operator!(Mask a) { return {~a.v}; }
};

template <class T, int W>
struct Pack {
  using Value = typename Register<T, W>::Value;
  using MaskType = Mask<T, W>;
  static constexpr int kWidth = W;

  Value v;

  Pack() = default;
  Pack(Value value) : v(value) {}        // NOLINT: a register is a pack
  Pack(T value) : v(Value{} + value) {}  // NOLINT: constants broadcast, as in scalar code

  T operator[](int lane) const { return v[lane]; }
  void Set(int lane, T value) { v[lane] = value; }

  Pack& operator+=(Pack b) {
    v += b.v;
    return *this;
  }
  Pack& operator-=(Pack b) {
    v -= b.v;
    return *this;
  }
  Pack& operator*=(Pack b) {
    v *= b.v;
    return *this;
  }
  Pack& operator/=(Pack b) {
    v /= b.v;
    return *this;
  }
  friend Pack operator-(Pack a) { return Pack(-a.v); }
  friend Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
  friend MaskType operator<(Pack a, Pack b) { return {a.v < b.v}; }
  friend MaskType operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
  friend MaskType operator>(Pack a, Pack b) { return {a.v > b.v}; }
  friend MaskType operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
  friend MaskType operator==(Pack a, Pack b) { return {a.v == b.v}; }
  friend MaskType operator!=(Pack a, Pack b) { return {a.v != b.v}; }
};

// Types of a scalar or a pack: its mask, the type of its lanes, their number.
template <class S>
struct LaneTraits {
  using MaskType = bool;
  using Lane = S;
  static constexpr int kWidth = 1;
};
template <class T, int W>
struct LaneTraits<Pack<T, W>> {
  using MaskType = Mask<T, W>;
  using Lane = T;
  static constexpr int kWidth = W;
};
template <class S>
using MaskOf = typename LaneTraits<S>::MaskType;
template <class S>
inline constexpr bool kIsFloat = std::is_same_v<typename LaneTraits<S>::Lane, float>;

// A number, the same in all lanes, rounded to their precision.
template <class S>
S Uniform(double a) {
  return S(static_cast<typename LaneTraits<S>::Lane>(a));
}

// ---- choices

inline bool Any(bool m) { return m; }
inline bool All(bool m) { return m; }
template <class T, int W>
bool Any(Mask<T, W> m) {
#if defined(__SSE2__)
  if constexpr (std::is_same_v<T, double> && W == 2) return _mm_movemask_pd((__m128d)m.v) != 0;
#endif
#if defined(__AVX__)
  if constexpr (std::is_same_v<T, double> && W == 4) return _mm256_movemask_pd((__m256d)m.v) != 0;
#elif defined(__SSE2__)
  if constexpr (std::is_same_v<T, double> && W == 4) {
    const auto low = __builtin_shufflevector(m.v, m.v, 0, 1), high = __builtin_shufflevector(m.v, m.v, 2, 3);
    return _mm_movemask_pd((__m128d)(low | high)) != 0;
  }
#endif
#if defined(__AVX512DQ__)
  if constexpr (std::is_same_v<T, double> && W == 8) return _mm512_movepi64_mask((__m512i)m.v) != 0;
#endif
  bool any = false;
  for (int i = 0; i < W; ++i) any |= m.Lane(i);
  return any;
}
template <class T, int W>
bool All(Mask<T, W> m) {
  return !Any(!m);
}

// a where the mask is true, b elsewhere
inline double Select(bool m, double a, double b) { return m ? a : b; }
inline float Select(bool m, float a, float b) { return m ? a : b; }
template <class T, int W>
Pack<T, W> Select(Mask<T, W> m, std::type_identity_t<Pack<T, W>> a, std::type_identity_t<Pack<T, W>> b) {
  return Pack<T, W>(m.v ? a.v : b.v);
}

// The second operand when they compare equal or unordered, as `a < b ? a : b` gives.
template <class S>
S Min(S a, std::type_identity_t<S> b) {
  return Select(a < b, a, b);
}
template <class S>
S Max(S a, std::type_identity_t<S> b) {
  return Select(a > b, a, b);
}
template <class S>
S Clamp(S x, std::type_identity_t<S> low, std::type_identity_t<S> high) {
  return Max(low, Min(high, x));
}

// ---- bits

template <class S>
struct BitsOf {
  using Type = int64_t;
};
template <class T, int W>
struct BitsOf<Pack<T, W>> {
  using Type = typename Register<T, W>::Bits;
};
// The compiler's own casts: files of instruction sets would emit those of the standard library.
inline int64_t ToBits(double x) { return __builtin_bit_cast(int64_t, x); }
inline double FromBits(int64_t x) { return __builtin_bit_cast(double, x); }
template <int W>
typename Register<double, W>::Bits ToBits(Pack<double, W> x) {
  return (typename Register<double, W>::Bits)x.v;
}
template <class Bits>
requires(!std::is_integral_v<Bits>) auto FromBits(Bits x) {
  constexpr int kLanes = static_cast<int>(sizeof(Bits) / sizeof(double));
  return Pack<double, kLanes>((typename Register<double, kLanes>::Value)x);
}

// ---- elementary functions that IEEE-754 rounds correctly

inline double Abs(double x) { return std::fabs(x); }
inline double Sqrt(double x) { return std::sqrt(x); }
inline double CopySign(double x, double sign) { return std::copysign(x, sign); }

template <int W>
Pack<double, W> Abs(Pack<double, W> x) {
  return FromBits(ToBits(x) & INT64_MAX);
}
template <int W>
Pack<double, W> CopySign(Pack<double, W> x, Pack<double, W> sign) {
  return FromBits((ToBits(x) & INT64_MAX) | (ToBits(sign) & INT64_MIN));
}
template <class T, int W>
Pack<T, W> Sqrt(Pack<T, W> x) {
#if defined(__SSE2__)
  if constexpr (std::is_same_v<T, double> && W == 2) return Pack<T, W>(_mm_sqrt_pd(x.v));
#endif
#if defined(__AVX__)
  if constexpr (std::is_same_v<T, double> && W == 4) return Pack<T, W>(_mm256_sqrt_pd(x.v));
#elif defined(__SSE2__)
  if constexpr (std::is_same_v<T, double> && W == 4) {
    const auto low = _mm_sqrt_pd(__builtin_shufflevector(x.v, x.v, 0, 1));
    const auto high = _mm_sqrt_pd(__builtin_shufflevector(x.v, x.v, 2, 3));
    return Pack<T, W>(__builtin_shufflevector(low, high, 0, 1, 2, 3));
  }
#endif
#if defined(__AVX512F__)
  // the unmasked form makes GCC 12 warn of an uninitialized register in its own header
  if constexpr (std::is_same_v<T, double> && W == 8) return Pack<T, W>(_mm512_maskz_sqrt_pd(0xff, x.v));
#endif
  Pack<T, W> y;
  for (int i = 0; i < W; ++i) y.v[i] = std::sqrt(x.v[i]);
  return y;
}

// -1, 0 or 1
template <class S>
S Sign(S x) {
  return Select(x > S(0), S(1), Select(x < S(0), S(-1), S(0)));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_PACK_H_
