#include "collision/broad/box_test.h"

#include <bit>

#include "math/block.h"
#include "simd/four.h"

namespace sinew::inline collision {
namespace {

using Lanes = Block<double>;

OrientedBox<Lanes> LoadBoxes(const BoxSource (&source)[4]) {
  OrientedBox<Lanes> boxes;
  boxes.origin = block::JoinRows(*source[0].origin, *source[1].origin, *source[2].origin, *source[3].origin);
  boxes.axes = block::JoinRows(*source[0].axes, *source[1].axes, *source[2].axes, *source[3].axes);
  const double* const row[4] = {source[0].box, source[1].box, source[2].box, source[3].box};
  Lanes column[6];
  block::LoadRows<6>(row, column, std::make_index_sequence<3>());
  boxes.centre = {column[0], column[1], column[2]};
  boxes.half = {column[3], column[4], column[5]};
  return boxes;
}

}  // namespace

bool TouchingBoxesOverlap(const OrientedBox<double>& box1, const OrientedBox<double>& box2, double margin) {
  const Mat3<double>&R1 = box1.axes, &R2 = box2.axes;
  const Vec3<double> centre1 = R1 * box1.centre + box1.origin, centre2 = R2 * box2.centre + box2.origin;
  for (int i = 0; i < 6; ++i) {
    const Vec3<double> axis = i < 3 ? R1.Column(i) : R2.Column(i - 3);
    const double reach1 = Dot(Absolute(MulTransposed(R1, axis)), box1.half);
    const double reach2 = Dot(Absolute(MulTransposed(R2, axis)), box2.half);
    if (std::fabs(Dot(centre1, axis) - Dot(centre2, axis)) > reach1 + reach2 + margin) return false;
  }
  return true;
}

SINEW_DISPATCH unsigned FourBoxesOverlap(const BoxSource (&box1)[4], const BoxSource (&box2)[4],
                                         const double (&margin)[4]) {
  const BoxComparison<Lanes> comparison = CompareBoxes(LoadBoxes(box1), LoadBoxes(box2), LoadFour(margin));
  unsigned overlap = LaneBits(!comparison.apart);
  for (unsigned ties = LaneBits(comparison.tie); ties; ties &= ties - 1) {
    const int lane = std::countr_zero(ties);
    if (!TouchingBoxesOverlap(box1[lane].Load(), box2[lane].Load(), margin[lane])) overlap &= ~(1U << lane);
  }
  return overlap;
}

}  // namespace sinew::inline collision
