// What kernels ask of packs of float: pack.h has it for double.
//
// Elementary functions are those of double, of two halves, rounded: good to half a unit in the last place of float, and
// the same on every machine. Kernels need few of them.
#ifndef SINEW_SIMD_FLOAT_PACK_H_
#define SINEW_SIMD_FLOAT_PACK_H_

#include <cstdint>

#include "simd/functions.h"
#include "simd/pack.h"

namespace sinew {
inline namespace SINEW_ISA {

template <int W>
using Floats = Pack<float, W>;

template <>
struct Register<float, 2> {  // half a pack
  typedef float Value __attribute__((vector_size(8)));
};

// A bit for each lane, the first lowest.
template <int W>
unsigned LaneBits(Mask<float, W> m) {
#if defined(__AVX512DQ__)
  if constexpr (W == 16) return static_cast<unsigned>(_mm512_movepi32_mask((__m512i)m.v));
#endif
#if defined(__AVX__)
  if constexpr (W == 8) return static_cast<unsigned>(_mm256_movemask_ps((__m256)m.v));
#endif
#if defined(__SSE2__)
  if constexpr (W == 4) return static_cast<unsigned>(_mm_movemask_ps((__m128)m.v));
#endif
  unsigned bits = 0;
  for (int i = 0; i < W; ++i) bits |= m.Lane(i) ? 1u << i : 0u;
  return bits;
}
template <int W>
bool Any(Mask<float, W> m) {
  return LaneBits(m) != 0;
}

template <int W>
Floats<W> Sqrt(Floats<W> x) {
#if defined(__AVX512F__)
  if constexpr (W == 16) return Floats<W>(_mm512_maskz_sqrt_ps(0xffff, x.v));
#endif
#if defined(__AVX__)
  if constexpr (W == 8) return Floats<W>(_mm256_sqrt_ps(x.v));
#endif
#if defined(__SSE2__)
  if constexpr (W == 4) return Floats<W>(_mm_sqrt_ps(x.v));
#endif
  Floats<W> y;
  for (int i = 0; i < W; ++i) y.v[i] = std::sqrt(x.v[i]);
  return y;
}

template <int W>
typename Register<float, W>::Bits ToBits(Floats<W> x) {
  return (typename Register<float, W>::Bits)x.v;
}
template <int W>
Floats<W> Abs(Floats<W> x) {
  return Floats<W>((typename Register<float, W>::Value)(ToBits(x) & INT32_MAX));
}
template <int W>
Floats<W> CopySign(Floats<W> x, Floats<W> sign) {
  return Floats<W>((typename Register<float, W>::Value)((ToBits(x) & INT32_MAX) | (ToBits(sign) & INT32_MIN)));
}

namespace functions {

// Half of the lanes, from `first`.
template <int W>
Pack<double, W / 2> Widen(Floats<W> x, int first) {
  typename Register<float, W / 2>::Value half;
  __builtin_memcpy(&half, reinterpret_cast<const float*>(&x.v) + first, sizeof(half));
  return Pack<double, W / 2>(__builtin_convertvector(half, typename Register<double, W / 2>::Value));
}
template <int W>
void Narrow(Pack<double, W / 2> y, int first, Floats<W>& x) {
  const auto half = __builtin_convertvector(y.v, typename Register<float, W / 2>::Value);
  __builtin_memcpy(reinterpret_cast<float*>(&x.v) + first, &half, sizeof(half));
}

// f of packs of double, a half after the other.
template <int W, class F, class... Arguments>
Floats<W> InDouble(const F& f, Arguments... x) {
  Floats<W> result;
  for (int first = 0; first < W; first += W / 2) Narrow(f(Widen(x, first)...), first, result);
  return result;
}

}  // namespace functions

template <int W>
void SinCos(Floats<W> x, Floats<W>& sine, Floats<W>& cosine) {
  for (int first = 0; first < W; first += W / 2) {
    Pack<double, W / 2> s, c;
    SinCos(functions::Widen(x, first), s, c);
    functions::Narrow(s, first, sine);
    functions::Narrow(c, first, cosine);
  }
}
template <int W>
Floats<W> Sin(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return Sin(y); }, x);
}
template <int W>
Floats<W> Cos(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return Cos(y); }, x);
}
template <int W>
Floats<W> Exp(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return Exp(y); }, x);
}
template <int W>
Floats<W> Log(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return Log(y); }, x);
}
template <int W>
Floats<W> Pow(Floats<W> x, Floats<W> y) {
  return functions::InDouble<W>([](auto a, auto b) { return Pow(a, b); }, x, y);
}
template <int W>
Floats<W> AtanPositive(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return AtanPositive(y); }, x);
}
template <int W>
Floats<W> Atan2(Floats<W> y, Floats<W> x) {
  return functions::InDouble<W>([](auto a, auto b) { return Atan2(a, b); }, y, x);
}
template <int W>
Floats<W> Acos(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return Acos(y); }, x);
}
template <int W>
Floats<W> Asin(Floats<W> x) {
  return functions::InDouble<W>([](auto y) { return Asin(y); }, x);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SIMD_FLOAT_PACK_H_
