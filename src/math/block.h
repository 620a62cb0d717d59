// Blocks: several items of one world - joints, bodies, frames - in the lanes of a pack, so that one text computes them
// at once. A world alone (S = double) takes four items at a time; a pack of worlds has its lanes filled already and
// takes one.
//
//   ForBlocks<S>(1, m.nbody(), [&](const Items<S>& bodies) {
//     const Quat<Block<S>> q = Gather(bodies, [&](int b) -> decltype(auto) { return d.xquat(b); });
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

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
inline constexpr int kBlockSize = std::is_same_v<S, double> ? 4 : 1;

template <class S>
using Block = std::conditional_t<std::is_same_v<S, double>, Pack<double, 4>, S>;

// The items in the lanes of a block.
template <class S>
struct Items {
  int id[kBlockSize<S>];
};

// ---- transposition: four rows of numbers in memory, and the packs of their columns

namespace block {

using Four = Pack<double, 4>;
using Two = Pack<double, 2>::Value;
typedef double TwoInMemory __attribute__((vector_size(16), aligned(8), may_alias));

inline Two LoadTwo(const double* p) { return static_cast<Two>(*reinterpret_cast<const TwoInMemory*>(p)); }
inline void StoreTwo(Two x, double* p) { *reinterpret_cast<TwoInMemory*>(p) = x; }

// From pairs: GCC builds a register that the baseline does not have in memory, number by number.
inline Four Join(Two low, Two high) { return Four(__builtin_shufflevector(low, high, 0, 1, 2, 3)); }
inline Four Join(double a, double b, double c, double d) { return Join(Two{a, b}, Two{c, d}); }
inline Two Low(Four x) { return __builtin_shufflevector(x.v, x.v, 0, 1); }
inline Two High(Four x) { return __builtin_shufflevector(x.v, x.v, 2, 3); }
inline Four Even(Four a, Four b) { return Four(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6)); }
inline Four Odd(Four a, Four b) { return Four(__builtin_shufflevector(a.v, b.v, 1, 5, 3, 7)); }

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
inline void StoreFourColumns(double* const row[4], const Four* column, size_t k) {
  const Four ac01 = Even(column[k], column[k + 1]), bd01 = Odd(column[k], column[k + 1]);
  const Four ac23 = Even(column[k + 2], column[k + 3]), bd23 = Odd(column[k + 2], column[k + 3]);
  StoreFour(Four(__builtin_shufflevector(ac01.v, ac23.v, 0, 1, 4, 5)), row[0] + k);
  StoreFour(Four(__builtin_shufflevector(bd01.v, bd23.v, 0, 1, 4, 5)), row[1] + k);
  StoreFour(Four(__builtin_shufflevector(ac01.v, ac23.v, 2, 3, 6, 7)), row[2] + k);
  StoreFour(Four(__builtin_shufflevector(bd01.v, bd23.v, 2, 3, 6, 7)), row[3] + k);
}

// All of N columns.
template <size_t N, size_t... kPair>
void LoadRows(const double* const row[4], Four* column, std::index_sequence<kPair...>) {
  (LoadColumns(row, 2 * kPair, column[2 * kPair], column[2 * kPair + 1]), ...);
  if constexpr (N % 2 == 1) column[N - 1] = Join(row[0][N - 1], row[1][N - 1], row[2][N - 1], row[3][N - 1]);
}
template <size_t N, size_t... kQuadruple>
void StoreRows(double* const row[4], const Four* column, std::index_sequence<kQuadruple...>) {
  (StoreFourColumns(row, column, 4 * kQuadruple), ...);
  if constexpr (N % 4 >= 2) StoreTwoColumns(row, column, N / 4 * 4);
  if constexpr (N % 2 == 1) {
    for (size_t lane = 0; lane < 4; ++lane) row[lane][N - 1] = column[N - 1].v[lane];
  }
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
template <class S, class Row>
auto Gather(const Items<S>& items, Row row) {
  if constexpr (kBlockSize<S> == 1) {
    return std::remove_cvref_t<decltype(row(0))>(row(items.id[0]));
  } else {
    return block::JoinRows(row(items.id[0]), row(items.id[1]), row(items.id[2]), row(items.id[3]));
  }
}

// Writes lanes to the rows of their items: row(id) is a reference.
template <class S, class T, class Row>
void Scatter(const Items<S>& items, const T& lanes, Row row) {
  if constexpr (kBlockSize<S> == 1) {
    row(items.id[0]) = lanes;
  } else {
    block::SplitRows(lanes, row(items.id[0]), row(items.id[1]), row(items.id[2]), row(items.id[3]));
  }
}

// Neighbouring numbers.
inline Pack<double, 4> LoadBlock(const double* p) { return LoadFour(p); }
inline void StoreBlock(const Pack<double, 4>& x, double* p) { StoreFour(x, p); }
template <class S>
S LoadBlock(const S* p) {
  return *p;
}
template <class S>
void StoreBlock(const S& x, S* p) {
  *p = x;
}

// The items of a block in reverse order.
template <class S>
Block<S> Reversed(const Block<S>& x) {
  if constexpr (kBlockSize<S> == 1) {
    return x;
  } else {
    return Block<S>(__builtin_shufflevector(x.v, x.v, 3, 2, 1, 0));
  }
}

// The same vector in all lanes.
inline Spatial<Pack<double, 4>> Broadcast(const Spatial<double>& v) {
  return {{v.rot.x, v.rot.y, v.rot.z}, {v.lin.x, v.lin.y, v.lin.z}};
}
template <class S>
const Spatial<S>& Broadcast(const Spatial<S>& v) {
  return v;
}

// ---- rows that a block will gather soon
//
// Gather reads two numbers at once. It waits for them when they were stored one by one, until both have reached the
// cache, but not when they were stored as that pair.

// to = from
template <template <class> class T>
void StoreRow(const T<double>& from, T<double>& to) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double);
  const double* x = reinterpret_cast<const double*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  for (size_t k = 0; k + 2 <= kCount; k += 2) block::StoreTwo(block::Two{x[k], x[k + 1]}, y + k);
  if (kCount % 2 == 1) y[kCount - 1] = x[kCount - 1];
}
template <class T>
void StoreRow(const T& from, T& to) {
  to = from;
}

// to += from
template <template <class> class T>
void AddRow(const T<double>& from, T<double>& to) {
  constexpr size_t kCount = sizeof(T<double>) / sizeof(double);
  const double* x = reinterpret_cast<const double*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  for (size_t k = 0; k + 2 <= kCount; k += 2) block::StoreTwo(block::LoadTwo(y + k) + block::LoadTwo(x + k), y + k);
  if (kCount % 2 == 1) y[kCount - 1] += x[kCount - 1];
}
template <class T>
void AddRow(const T& from, T& to) {
  to += from;
}

// ---- loops

// compute(items) for those of the items [begin, end) that keep(id) is true for. Lanes without an item repeat the first.
template <class S, class Keep, class Compute>
void ForBlocks(int begin, int end, Keep keep, Compute compute) {
  constexpr int kSize = kBlockSize<S>;
  for (int next = begin; next < end;) {
    Items<S> items;
    int count = 0;
    for (; next < end && count < kSize; ++next) {
      if (keep(next)) items.id[count++] = next;
    }
    if (count == 0) return;
    for (; count < kSize; ++count) items.id[count] = items.id[0];
    compute(items);
  }
}

// The same for all of them.
template <class S, class Compute>
void ForBlocks(int begin, int end, Compute compute) {
  for (int first = begin; first < end; first += kBlockSize<S>) {
    Items<S> items;
    for (int lane = 0; lane < kBlockSize<S>; ++lane) items.id[lane] = first + lane < end ? first + lane : first;
    compute(items);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_MATH_BLOCK_H_
