// Operations of kernels on packs of float: pack.h has them for double.
//
// Sine and cosine are good to 1e-7. Other elementary functions, of which kernels need few, are those of double, of two
// halves, rounded. All are the same on every machine.
#ifndef SINEW_SIMD_FLOAT_PACK_H_
#define SINEW_SIMD_FLOAT_PACK_H_

#include <cstdint>

#include "simd/functions.h"
#include "simd/lane_bits.h"
#include "simd/pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

template <int W>
using Floats = Pack<float, W>;

template <>
struct Register<float, 2> {  // half a pack
  typedef float Value __attribute__((vector_size(8)));
};

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

// pi/2 is subtracted in three parts, of which the first two have so few bits that their products with k are exact for
// |x| < 8192, and so good to 1e-7; beyond, floats lie further apart than that, and double does it. Coefficients:
// S. Moshier's Cephes (sinf, cosf).
template <int W>
void SinCos(Floats<W> x, Floats<W>& sine, Floats<W>& cosine) {
  constexpr float kRound = 12582912;  // 1.5 * 2^23, as functions::kRound
  const Floats<W> rounded = x * Floats<W>(0.636619772f) + Floats<W>(kRound), k = rounded - Floats<W>(kRound);
  Floats<W> r = x - k * Floats<W>(1.5703125f);
  r = r - k * Floats<W>(4.837512969970703e-4f);
  r = r - k * Floats<W>(7.54978995489188e-8f);
  const Floats<W> z = r * r;
  const Floats<W> s =
      r + r * z * (Floats<W>(-1.6666654611e-1f) + z * (Floats<W>(8.3321608736e-3f) + z * Floats<W>(-1.9515295891e-4f)));
  const Floats<W> c = (Floats<W>(1.0f) - Floats<W>(0.5f) * z) +
                      z * z *
                          (Floats<W>(4.166664568298827e-2f) +
                           z * (Floats<W>(-1.388731625493765e-3f) + z * Floats<W>(2.443315711809948e-5f)));

  const auto quadrant = ToBits(rounded);
  const Mask<float, W> swap = {(quadrant & 1) != 0}, minus = {(quadrant & 2) != 0},
                       turned = {((quadrant + 1) & 2) != 0};
  sine = Select(swap, c, s);
  cosine = Select(swap, s, c);
  sine = Select(minus, -sine, sine);
  cosine = Select(turned, -cosine, cosine);

  const Mask<float, W> is_large = !(Abs(x) < Floats<W>(8192.0f));
  if (!Any(is_large)) return;
  Floats<W> exact_sine, exact_cosine;
  for (int first = 0; first < W; first += W / 2) {
    Pack<double, W / 2> half_sine, half_cosine;
    SinCos(functions::Widen(x, first), half_sine, half_cosine);
    functions::Narrow(half_sine, first, exact_sine);
    functions::Narrow(half_cosine, first, exact_cosine);
  }
  sine = Select(is_large, exact_sine, sine);
  cosine = Select(is_large, exact_cosine, cosine);
}
template <int W>
Floats<W> Sin(Floats<W> x) {
  Floats<W> sine, cosine;
  SinCos(x, sine, cosine);
  return sine;
}
template <int W>
Floats<W> Cos(Floats<W> x) {
  Floats<W> sine, cosine;
  SinCos(x, sine, cosine);
  return cosine;
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
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_FLOAT_PACK_H_
