// Packs of float for pictures: beside float_pack.h, whole numbers and looking up by lane, and faster powers and
// logarithms, good to a few units of 1e-6, which is far below a step of a colour. Results are the same on every
// instruction set.
#ifndef SINEW_SIMD_FLOAT_LANES_H_
#define SINEW_SIMD_FLOAT_LANES_H_

#include <cstdint>

#include "simd/float_pack.h"

namespace sinew::inline simd {
inline namespace SINEW_ISA {

template <int W>
using Ints = typename Register<float, W>::Bits;

// ---- choices

template <int W>
Ints<W> SelectInts(Mask<float, W> m, Ints<W> a, Ints<W> b) {
  return (a & m.v) | (b & ~m.v);
}
template <int W>
Mask<float, W> EqualInts(Ints<W> a, int32_t b) {
  return {a == b};
}

// ---- numbers

// As Min and Max: the second operand when they compare equal or unordered.
template <int W>
Floats<W> Least(Floats<W> a, Floats<W> b) {
#if defined(__AVX512F__)
  if constexpr (W == 16) return Floats<W>(_mm512_maskz_min_ps(0xffff, a.v, b.v));
#endif
#if defined(__AVX__)
  if constexpr (W == 8) return Floats<W>(_mm256_min_ps(a.v, b.v));
#endif
#if defined(__SSE2__)
  if constexpr (W == 4) return Floats<W>(_mm_min_ps(a.v, b.v));
#endif
  return Select(a < b, a, b);
}
template <int W>
Floats<W> Most(Floats<W> a, Floats<W> b) {
#if defined(__AVX512F__)
  if constexpr (W == 16) return Floats<W>(_mm512_maskz_max_ps(0xffff, a.v, b.v));
#endif
#if defined(__AVX__)
  if constexpr (W == 8) return Floats<W>(_mm256_max_ps(a.v, b.v));
#endif
#if defined(__SSE2__)
  if constexpr (W == 4) return Floats<W>(_mm_max_ps(a.v, b.v));
#endif
  return Select(a > b, a, b);
}

// Towards zero; |x| < 2^31.
template <int W>
Ints<W> Truncate(Floats<W> x) {
  return __builtin_convertvector(x.v, Ints<W>);
}
template <int W>
Floats<W> ToFloats(Ints<W> i) {
  return Floats<W>(__builtin_convertvector(i, typename Register<float, W>::Value));
}
template <int W>
Floats<W> Floor(Floats<W> x) {
  const Floats<W> t = ToFloats<W>(Truncate(x));
  return t - Select(t > x, Floats<W>(1.0f), Floats<W>(0.0f));
}

// log2 x for x > 0: exponent, and a series of atanh for the mantissa between sqrt(1/2) and sqrt(2).
template <int W>
Floats<W> Log2(Floats<W> x) {
  const Ints<W> bits = (Ints<W>)x.v, shifted = bits + (0x3f800000 - 0x3f3504f3);
  const Floats<W> exponent = ToFloats<W>((shifted >> 23) - 127);
  const Floats<W> m((typename Register<float, W>::Value)((shifted & 0x007fffff) + 0x3f3504f3));
  const Floats<W> s = (m - Floats<W>(1.0f)) / (m + Floats<W>(1.0f)), z = s * s;
  // 2 / ln 2 (s + s^3/3 + s^5/5 + s^7/7)
  const Floats<W> series =
      s * (Floats<W>(2.88539008f) +
           z * (Floats<W>(0.96179669f) + z * (Floats<W>(0.57707802f) + z * Floats<W>(0.4121986f))));
  return exponent + series;
}

// 2^x, zero below -126: Taylor's series on [-1/2, 1/2].
template <int W>
Floats<W> Exp2(Floats<W> x) {
  const Floats<W> bounded = Least(Most(x, Floats<W>(-126.0f)), Floats<W>(126.0f));
  const Floats<W> k = Floor(bounded + Floats<W>(0.5f)), r = bounded - k;
  const Floats<W> p =
      Floats<W>(1.0f) +
      r * (Floats<W>(0.693147181f) +
           r * (Floats<W>(0.240226507f) +
                r * (Floats<W>(0.0555041087f) + r * (Floats<W>(0.00961812911f) + r * Floats<W>(0.00133335581f)))));
  const Floats<W> scale((typename Register<float, W>::Value)((Truncate(k) + 127) << 23));
  return Select(x < Floats<W>(-126.0f), Floats<W>(0.0f), p * scale);
}

// x^y for x >= 0; 0^0 is one.
template <int W>
Floats<W> Power(Floats<W> x, Floats<W> y) {
  const Floats<W> tiny(1e-30f);
  const Floats<W> power = Exp2(y * Log2(Most(x, tiny)));
  return Select(y == Floats<W>(0.0f), Floats<W>(1.0f), Select(x > tiny, power, Floats<W>(0.0f)));
}

// ---- tables

// table[index] lane by lane
template <int W>
Ints<W> LookUp(const int32_t* table, Ints<W> index) {
#if defined(__AVX512F__)
  if constexpr (W == 16) {
    return (Ints<W>)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, (__m512i)index, table, 4);
  }
#endif
#if defined(__AVX2__)
  if constexpr (W == 8) return (Ints<W>)_mm256_i32gather_epi32(table, (__m256i)index, 4);
#endif
  Ints<W> found;
  for (int i = 0; i < W; ++i) found[i] = table[index[i]];
  return found;
}
template <int W>
Floats<W> LookUp(const float* table, Ints<W> index) {
#if defined(__AVX512F__)
  if constexpr (W == 16) {
    return Floats<W>(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, (__m512i)index, table, 4));
  }
#endif
#if defined(__AVX2__)
  if constexpr (W == 8) return Floats<W>(_mm256_i32gather_ps(table, (__m256i)index, 4));
#endif
  Floats<W> found;
  for (int i = 0; i < W; ++i) found.v[i] = table[index[i]];
  return found;
}

template <int W>
Floats<W> LoadLanes(const float* p) {
  Floats<W> x;
  __builtin_memcpy(&x.v, p, sizeof(x.v));
  return x;
}
template <int W>
void StoreLanes(Floats<W> x, float* p) {
  __builtin_memcpy(p, &x.v, sizeof(x.v));
}
template <int W>
void StoreLanes(Ints<W> x, int32_t* p) {
  __builtin_memcpy(p, &x, sizeof(x));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_FLOAT_LANES_H_
