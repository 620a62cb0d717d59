// The point of many that is farthest in a direction.
#ifndef SINEW_SIMD_ARGMAX_H_
#define SINEW_SIMD_ARGMAX_H_

#include "simd/functions.h"

namespace sinew::inline simd {

// Eight points that are looked at together, coordinate by coordinate, and their names.
struct alignas(64) PointBlock {
  static constexpr int kPoints = 8;
  double x[kPoints], y[kPoints], z[kPoints];
  int name[kPoints];
};

inline namespace SINEW_ISA {

inline constexpr int64_t kNoPlace = int64_t{1} << 40;  // behind all places

// The largest projection of the points of some blocks on a direction, and the place of the first point that has it.
struct FarthestPoint {
  double projection;
  int place;  // 8 times its block, plus its place there
};

// Place 0 when no projection is a number. There is no branch but the loop: two halves of a block, each with the largest
// value in every lane and where that was.
[[gnu::always_inline]] inline FarthestPoint FindFarthest(const PointBlock* block, int count, double ux, double uy,
                                                         double uz) {
  using Value = Register<double, 4>::Value;
  using Places = Register<double, 4>::Bits;
  const auto load = [](const double* p) {
    Value value;
    __builtin_memcpy(&value, p, sizeof(value));
    return value;
  };
  const auto project = [&](const PointBlock& b, int half) {
    return load(b.x + half) * ux + load(b.y + half) * uy + load(b.z + half) * uz;
  };
  Value most = Value{} - kInfinity, most_of_others = most;
  Places place = {0, 1, 2, 3}, place_of_others = {4, 5, 6, 7}, here = place;
  Places where = place, where_of_others = place_of_others;
  for (int i = 0; i < count; ++i) {
    const Value along = project(block[i], 0), of_others = project(block[i], 4);
    where = along > most ? here : where;
    most = along > most ? along : most;
    where_of_others = of_others > most_of_others ? here + 4 : where_of_others;
    most_of_others = of_others > most_of_others ? of_others : most_of_others;
    here += PointBlock::kPoints;
  }
  const Value larger = most > most_of_others ? most : most_of_others;
  const double largest = Max(Max(larger[0], larger[1]), Max(larger[2], larger[3]));
  const Places none = Places{} + kNoPlace;
  place = most == largest ? where : none;
  place_of_others = most_of_others == largest ? where_of_others : none;
  place = place < place_of_others ? place : place_of_others;
  const auto first = [](int64_t a, int64_t b) { return a < b ? a : b; };
  return {largest, static_cast<int>(first(first(place[0], place[1]), first(place[2], place[3])))};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_ARGMAX_H_
