// Blocks: several items of one world - joints, bodies, frames - in the lanes of a pack, so that one text computes them
// at once. A world alone (S = double) takes four items at a time; a pack of worlds has its lanes filled already and
// takes one.
//
//   ForBlocks<S>(1, m.nbody(), [&](const auto& bodies) {
//     const auto q = Gather(bodies, [&](int b) -> decltype(auto) { return d.xquat(b); });
//     Scatter(bodies, ToMat3(q), [&](int b) -> Mat3<S>& { return d.xmat(b); });
//   });
//
// Items of a block must not depend on each other. Lanes do what a scalar does, bit for bit.
#ifndef SINEW_MATH_BLOCK_H_
#define SINEW_MATH_BLOCK_H_

#include <cstddef>
#include <type_traits>
#include <utility>

#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "simd/four.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

template <class S>
inline constexpr int kBlockSize = std::is_same_v<S, double> ? 4 : 1;

template <class S>
using Block = std::conditional_t<std::is_same_v<S, double>, Pack<double, 4>, S>;

// The items in the lanes of a block; items[lane] is their number. An item alone needs no block: for it, kernels use S
// itself.
struct FourItems {
  static constexpr int kSize = 4;
  int id[4];
  int operator[](int lane) const { return id[lane]; }
};
struct FourNeighbours {
  static constexpr int kSize = 4;
  int first;
  int operator[](int lane) const { return first + lane; }
};
struct OneItem {
  static constexpr int kSize = 1;
  int id;
  int operator[](int) const { return id; }
};

// ---- transposition: four rows of numbers in memory, and the packs of their columns

namespace block {

using Two = Pack<double, 2>::Value;
typedef double TwoInMemory __attribute__((vector_size(16), aligned(8), may_alias));

inline Two LoadTwo(const double* p) { return static_cast<Two>(*reinterpret_cast<const TwoInMemory*>(p)); }
inline void StoreTwo(Two x, double* p) { *reinterpret_cast<TwoInMemory*>(p) = x; }

// Two pairs are joined, since GCC builds a register that the baseline does not have in memory, number by number.
inline Four Join(Two low, Two high) { return Four(__builtin_shufflevector(low, high, 0, 1, 2, 3)); }
inline Four Join(double a, double b, double c, double d) { return Join(Two{a, b}, Two{c, d}); }
inline Two Low(Four x) { return __builtin_shufflevector(x.v, x.v, 0, 1); }
// High is read as the second half of memory, since GCC permutes the whole register for a shuffle.
inline Two High(Four x) { return static_cast<Two>(reinterpret_cast<const TwoInMemory*>(&x)[1]); }
inline Four Even(Four a, Four b) { return Four(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6)); }
inline Four Odd(Four a, Four b) { return Four(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7)); }
template <int lane>
Four Spread(Four x) {
  return Four(__builtin_shufflevector(x.v, x.v, lane, lane, lane, lane));
}

// Columns k and k + 1 of four rows.
inline void LoadColumns(const double* const row[4], size_t k, Four& first, Four& second) {
  const Four ac = Join(LoadTwo(row[0] + k), LoadTwo(row[2] + k)), bd = Join(LoadTwo(row[1] + k), LoadTwo(row[3] + k));
  first = Even(ac, bd);
  second = Odd(ac, bd);
}
inline void StoreTwoColumns(double* const row[4], const Four* column, size_t k) {
  const Four ac = Even(column[k], column[k + 1]), bd = Odd(column[k], column[k + 1]);
  StoreTwo(Low(ac), row[0] + k);
  StoreTwo(Low(bd), row[1] + k);
  StoreTwo(High(ac), row[2] + k);
  StoreTwo(High(bd), row[3] + k);
}
inline void Transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ac0 = Even(a, b), bd0 = Odd(a, b), ac1 = Even(c, d), bd1 = Odd(c, d);
  a = Four(__builtin_shufflevector(ac0.v, ac1.v, 0, 1, 4, 5));
  b = Four(__builtin_shufflevector(bd0.v, bd1.v, 0, 1, 4, 5));
  c = Four(__builtin_shufflevector(ac0.v, ac1.v, 2, 3, 6, 7));
  d = Four(__builtin_shufflevector(bd0.v, bd1.v, 2, 3, 6, 7));
}
inline void StoreFourColumns(double* const row[4], const Four* column, size_t k) {
  Four a = column[k], b = column[k + 1], c = column[k + 2], d = column[k + 3];
  Transpose(a, b, c, d);
  StoreFour(a, row[0] + k);
  StoreFour(b, row[1] + k);
  StoreFour(c, row[2] + k);
  StoreFour(d, row[3] + k);
}

// All of N columns: of an odd number the first alone, then pairs or fours.
template <size_t N, size_t... kPair>
void LoadRows(const double* const row[4], Four* column, std::index_sequence<kPair...>) {
  constexpr size_t kFirst = N % 2;
  if constexpr (kFirst == 1) column[0] = Join(row[0][0], row[1][0], row[2][0], row[3][0]);
  (LoadColumns(row, kFirst + 2 * kPair, column[kFirst + 2 * kPair], column[kFirst + 2 * kPair + 1]), ...);
}
template <size_t N, size_t... kQuadruple>
void StoreRows(double* const row[4], const Four* column, std::index_sequence<kQuadruple...>) {
  constexpr size_t kFirst = N % 2;
  if constexpr (kFirst == 1) {
    for (size_t lane = 0; lane < 4; ++lane) row[lane][0] = column[0].v[lane];
  }
  (StoreFourColumns(row, column, kFirst + 4 * kQuadruple), ...);
  if constexpr (N % 4 >= 2) StoreTwoColumns(row, column, N - 2);
}

// Structs of one world, such as Vec3<double>, and those of packs.
inline Four JoinRows(const double& a, const double& b, const double& c, const double& d) { return Join(a, b, c, d); }
template <template <class> class T>
T<Four> JoinRows(const T<double>& a, const T<double>& b, const T<double>& c, const T<double>& d) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double);
  const auto numbers = [](const T<double>& x) { return reinterpret_cast<const double*>(&x); };
  const double* const row[4] = {numbers(a), numbers(b), numbers(c), numbers(d)};
  T<Four> joined;
  LoadRows<kCount>(row, reinterpret_cast<Four*>(&joined), std::make_index_sequence<kCount / 2>());
  return joined;
}

inline void SplitRows(const Four& x, double& a, double& b, double& c, double& d) {
  a = x[0];
  b = x[1];
  c = x[2];
  d = x[3];
}
template <template <class> class T>
void SplitRows(const T<Four>& x, T<double>& a, T<double>& b, T<double>& c, T<double>& d) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double);
  const auto numbers = [](T<double>& y) { return reinterpret_cast<double*>(&y); };
  double* const row[4] = {numbers(a), numbers(b), numbers(c), numbers(d)};
  StoreRows<kCount>(row, reinterpret_cast<const Four*>(&x), std::make_index_sequence<kCount / 4>());
}

}  // namespace block

// The rows of the items in the lanes of a pack: row(id) is a number or a struct of numbers of one world.
template <class Items, class Row>
auto Gather(const Items& items, Row row) {
  if constexpr (Items::kSize == 1) {
    return std::remove_cvref_t<decltype(row(0))>(row(items[0]));
  } else {
    return block::JoinRows(row(items[0]), row(items[1]), row(items[2]), row(items[3]));
  }
}

// Writes lanes to the rows of their items: row(id) is a reference.
template <class Items, class T, class Row>
void Scatter(const Items& items, const T& lanes, Row row) {
  if constexpr (Items::kSize == 1) {
    row(items[0]) = lanes;
  } else {
    block::SplitRows(lanes, row(items[0]), row(items[1]), row(items[2]), row(items[3]));
  }
}

// The first n lanes as neighbouring numbers.
template <int n>
void StoreFirst(const Pack<double, 4>& x, double* p) {
  if constexpr (n == 4) {
    StoreFour(x, p);
  } else {
    if constexpr (n >= 2) block::StoreTwo(block::Low(x), p);
    if constexpr (n % 2 == 1) p[n - 1] = x[n - 1];
  }
}
template <int n, class S>
void StoreFirst(const S& x, S* p) {
  static_assert(n == 1);
  *p = x;
}

// The lanes of a block, the first n of them in reverse order.
template <int n, class Items, class S>
S ReversedFirst(const Items&, const S& x) {
  if constexpr (Items::kSize == 1) {
    return x;
  } else {
    constexpr auto from = [](int lane) { return lane < n ? n - 1 - lane : lane; };
    return S(__builtin_shufflevector(x.v, x.v, from(0), from(1), from(2), from(3)));
  }
}

// The lanes of x, but for one, which is that of y.
template <int lane, class Items, class S>
S WithLane(const Items&, const S& x, const S& y) {
  if constexpr (Items::kSize == 1) {
    return y;
  } else {
    constexpr auto from = [](int i) { return i == lane ? 4 + i : i; };
    return S(__builtin_shufflevector(x.v, y.v, from(0), from(1), from(2), from(3)));
  }
}

// The numbers of item `lane`.
template <class Items, class S>
auto Lane(const Items&, const S& x, int lane) {
  if constexpr (Items::kSize == 1) {
    return x;
  } else {
    return x[lane];
  }
}

// Turns the columns of a square into its rows.
inline void Transpose(Pack<double, 4> (&x)[4]) { block::Transpose(x[0], x[1], x[2], x[3]); }
template <class S>
void Transpose(S (&)[1]) {}

// The same vector for all items.
template <class Items, class S>
auto Spread(const Items&, const Spatial<S>& v) {
  if constexpr (Items::kSize == 1) {
    return v;
  } else {
    const Four low = LoadFour(&v.rot.x), high = LoadFour(&v.rot.z);
    return Spatial<Four>{{block::Spread<0>(low), block::Spread<1>(low), block::Spread<2>(low)},
                         {block::Spread<3>(low), block::Spread<2>(high), block::Spread<3>(high)}};
  }
}

// ---- rows that a block will gather soon
//
// Gather reads two numbers at once, of a row of odd length the first alone. It waits for them when they were stored one
// by one, until both have reached the cache, but not when they were stored as that pair.

// to = from
template <template <class> class T>
void StoreRow(const T<double>& from, T<double>& to) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double), kFirst = kCount % 2;
  const double* x = reinterpret_cast<const double*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  if (kFirst == 1) y[0] = x[0];
  for (size_t k = kFirst; k < kCount; k += 2) block::StoreTwo(block::Two{x[k], x[k + 1]}, y + k);
}
template <class T>
void StoreRow(const T& from, T& to) {
  to = from;
}

template <template <class> class T>
void CopyRow(const T<double>& from, T<double>& to) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double), kFirst = kCount % 2;
  const double* x = reinterpret_cast<const double*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  if (kFirst == 1) y[0] = x[0];
  size_t k = kFirst;
  for (; k + 4 <= kCount; k += 4) StoreFour(LoadFour(x + k), y + k);
  if (k < kCount) block::StoreTwo(block::LoadTwo(x + k), y + k);
}
template <class T>
void CopyRow(const T& from, T& to) {
  to = from;
}

// to += from
template <template <class> class T>
void AddRow(const T<double>& from, T<double>& to) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double), kFirst = kCount % 2;
  const double* x = reinterpret_cast<const double*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  if (kFirst == 1) y[0] += x[0];
  size_t k = kFirst;
  for (; k + 4 <= kCount; k += 4) StoreFour(LoadFour(y + k) + LoadFour(x + k), y + k);
  if (k < kCount) block::StoreTwo(block::LoadTwo(y + k) + block::LoadTwo(x + k), y + k);
}
template <class T>
void AddRow(const T& from, T& to) {
  to += from;
}

// to += from * scale
template <template <class> class T>
void AddScaledRow(const T<double>& from, double scale, T<double>& to) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double), kFirst = kCount % 2;
  const double* x = reinterpret_cast<const double*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  if (kFirst == 1) y[0] += x[0] * scale;
  const block::Two both = {scale, scale};
  for (size_t k = kFirst; k < kCount; k += 2) {
    block::StoreTwo(block::LoadTwo(y + k) + block::LoadTwo(x + k) * both, y + k);
  }
}
template <class T, class S>
void AddScaledRow(const T& from, const S& scale, T& to) {
  to += from * scale;
}

// ---- loops

// compute(items) for those of the items [begin, end) that keep(id) is true for. Lanes without an item repeat the first.
template <class S, class Keep, class Compute>
void ForBlocks(int begin, int end, Keep keep, Compute compute) {
  if constexpr (kBlockSize<S> == 1) {
    for (int i = begin; i < end; ++i) {
      if (keep(i)) compute(OneItem{i});
    }
  } else {
    for (int next = begin; next < end;) {
      FourItems items;
      int count = 0;
      for (; next < end && count < 4; ++next) {
        if (keep(next)) items.id[count++] = next;
      }
      if (count == 0) return;
      for (; count < 4; ++count) items.id[count] = items.id[0];
      compute(items);
    }
  }
}

// Calls compute(block) for all items from begin to end. The last block may overlap the one before, and must repeat it.
template <class S, class Compute>
void ForBlocks(int begin, int end, Compute compute) {
  constexpr int kSize = kBlockSize<S>;
  if constexpr (kSize > 1) {
    if (end - begin >= kSize) {
      for (int i = begin; i < end; i += kSize) compute(FourNeighbours{i + kSize <= end ? i : end - kSize});
      return;
    }
  }
  for (int i = begin; i < end; ++i) compute(OneItem{i});
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_BLOCK_H_
