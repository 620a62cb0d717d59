// Exact search on a line, for one world and for lanes: where the slope of a convex function is zero.
//
// Newton steps on the slope go on while it keeps the sign that it has at the first point. When the sign changes, the
// last two points bracket the root. Each round then compares the middle of the bracket and the Newton steps of both
// ends, and an end moves to the flattest of these on its side. The search never computes the cost: differences of costs
// near a minimum are differences of large numbers.
//
// The points, their order and the end of a search whose evaluations are used up are those of MuJoCo 3.8.0, so that
// steps with few `ls_iterations` are the same as there: the Newton step of an end is evaluated when the end moves,
// whether or not evaluations are left, and the search ends with the cheaper end of the bracket.
#ifndef SINEW_SOLVE_SLOPE_ROOT_KERNEL_H_
#define SINEW_SOLVE_SLOPE_ROOT_KERNEL_H_

#include "math/vec3.h"
#include "simd/pack.h"
#include "solve/balance_kernel.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// Slope and curvature at a point of the line.
template <class S>
struct LinePoint {
  S alpha, slope, curvature;

  S NewtonStep() const { return alpha - slope / Max(curvature, S(kMinVal)); }
};

using simd::Select;  // of numbers, beside that of points

template <class S>
LinePoint<S> Select(MaskOf<S> mask, const LinePoint<S>& a, const LinePoint<S>& b) {
  return {Select(mask, a.alpha, b.alpha), Select(mask, a.slope, b.slope), Select(mask, a.curvature, b.curvature)};
}

// Slopes below this tolerance count as zero: `tolerance`, but never more than a tenth of the slope at the start, which
// would accept a step that gains nothing, and never less than what rounding leaves of it.
template <class S>
S SlopeTolerance(S tolerance, S slope_at_start) {
  const S size = Abs(slope_at_start);
  return Max(Uniform<S>(kIsFloat<S> ? 1e-5 : 1e-12) * size, Min(Uniform<S>(0.1) * size, tolerance));
}

template <class S>
class SlopeRoot {
 public:
  // Begins at the Newton step `first` from the start, where one evaluation has been made.
  void Start(S first, S tolerance, MaskOf<S> live) {
    trial_ = found_ = first;
    tolerance_ = tolerance;
    slope_ = S(0);
    count_ = S(1);
    stage_ = S(kOutward);
    open_ = live;
    exhausted_ = falling_ = older_waits_ = S(1) < S(0);
    newer_ = older_ = newer_next_ = older_next_ = {S(0), S(0), S(0)};
  }

  // Lanes that go on, and the point that they want to be evaluated.
  MaskOf<S> open() const { return open_; }
  S trial() const { return trial_; }

  // Lanes that have used up their evaluations between two ends: the end of lower cost is chosen, if its cost is less
  // than that of the start. Costs are relative to the start.
  MaskOf<S> exhausted() const { return exhausted_; }
  S newer() const { return newer_.alpha; }
  S older() const { return older_.alpha; }
  void Choose(S cost_of_newer, S cost_of_older) {
    const MaskOf<S> takes_newer = cost_of_newer < cost_of_older;
    const MaskOf<S> gains = Select(takes_newer, cost_of_newer, cost_of_older) < S(0);
    // Up to an end where the slope is negative the cost falls, whatever rounding says of it.
    const LinePoint<S> falling = Select(newer_.slope < S(0), newer_, older_);
    const MaskOf<S> falls = (falling.slope < S(0)) & (falling.alpha > S(0));
    const LinePoint<S> cheaper = Select(gains, Select(takes_newer, newer_, older_), falling);
    found_ = Select(exhausted_, Select(gains | falls, cheaper.alpha, S(0)), found_);
    slope_ = Select(exhausted_, cheaper.slope, slope_);
  }

  // The result: the step, the slope there, and the number of evaluations.
  S alpha() const { return found_; }
  S slope() const { return slope_; }
  S evaluations() const { return count_; }

  // Goes on with what was found at trial(). `budget`: after how many evaluations the search ends.
  void Take(S slope, S curvature, S budget) {
    const LinePoint<S> at = {trial_, slope, curvature};
    const MaskOf<S> outward = open_ & (stage_ == S(kOutward)), goes_on = open_ & !(outward & IsFlat(at));
    count_ = Select(open_, count_ + S(1), count_);
    Accept(open_ & !goes_on, at);
    if (!Any(goes_on)) return;  // mostly at once
    if (Any(goes_on & outward)) GoOutward(goes_on & outward, at, budget);
    if (Any(goes_on & !outward)) Narrow(goes_on & !outward, at, budget);
  }

 private:
  // The kind of the next trial: a point before there is a bracket, the Newton steps of both ends, the middle.
  static constexpr int kOutward = 0, kNewer = 1, kOlder = 2, kMiddle = 3;

  // No number counts as flat: there is nothing to be found.
  MaskOf<S> IsFlat(const LinePoint<S>& point) const { return !(Abs(point.slope) > tolerance_); }

  void Accept(MaskOf<S> lanes, const LinePoint<S>& point) {
    found_ = Select(lanes, point.alpha, found_);
    slope_ = Select(lanes, point.slope, slope_);
    open_ = open_ & !lanes;
  }

  void GoOutward(MaskOf<S> lanes, const LinePoint<S>& at, S budget) {
    const MaskOf<S> first = count_ == S(2), falls = at.slope < S(0);
    falling_ = (first & falls) | ((!first) & falling_);
    const MaskOf<S> crossed = lanes & ((falls & !falling_) | (falling_ & !falls)), same = lanes & !crossed;
    trial_ = Select(lanes, at.NewtonStep(), trial_);
    newer_ = Select(crossed, at, newer_);
    older_next_ = Select(crossed, at, older_next_);  // the Newton step of the older end led here
    older_ = Select(same, at, older_);
    stage_ = Select(crossed, S(kNewer), stage_);
    Accept(same & ((count_ >= budget) | (trial_ == at.alpha)), at);
  }

  void Narrow(MaskOf<S> lanes, const LinePoint<S>& at, S budget) {
    const MaskOf<S> newer = lanes & (stage_ == S(kNewer)), older = lanes & (stage_ == S(kOlder));
    const MaskOf<S> middle = lanes & (stage_ == S(kMiddle));
    newer_next_ = Select(newer, at, newer_next_);
    older_next_ = Select(older, at, older_next_);
    // Both ends are known: the middle comes next, if evaluations are left.
    const MaskOf<S> to_older = newer & older_waits_, complete = (newer & !older_waits_) | older;
    const MaskOf<S> ends = complete & (count_ >= budget);
    exhausted_ = exhausted_ | ends;
    open_ = open_ & !ends;
    trial_ = Select(to_older, older_.NewtonStep(), Select(complete, S(0.5) * (newer_.alpha + older_.alpha), trial_));
    stage_ = Select(to_older, S(kOlder), Select(complete, S(kMiddle), stage_));
    older_waits_ = older_waits_ & !to_older;
    if (Any(middle)) Shrink(middle, at);
  }

  // The end of a round: the flattest of three points, if it is flat enough, or two nearer ends.
  void Shrink(MaskOf<S> lanes, const LinePoint<S>& middle) {
    LinePoint<S> flattest = newer_next_;
    for (const LinePoint<S>& other : {older_next_, middle}) {
      flattest = Select(Abs(other.slope) < Abs(flattest.slope), other, flattest);
    }
    Accept(lanes & IsFlat(flattest), flattest);
    const MaskOf<S> goes_on = lanes & open_;
    const MaskOf<S> newer_moves = MoveEnd(goes_on, newer_, middle), older_moves = MoveEnd(goes_on, older_, middle);
    Accept(goes_on & !(newer_moves | older_moves), middle);
    trial_ = Select(newer_moves, newer_.NewtonStep(), Select(older_moves, older_.NewtonStep(), trial_));
    stage_ = Select(newer_moves, S(kNewer), Select(older_moves, S(kOlder), stage_));
    older_waits_ = (newer_moves & older_moves) | (older_waits_ & !goes_on);
  }

  // Moves an end to the flattest point on its side. Returns where it moved.
  MaskOf<S> MoveEnd(MaskOf<S> lanes, LinePoint<S>& end, const LinePoint<S>& middle) const {
    const MaskOf<S> falls = end.slope < S(0);
    MaskOf<S> moved = S(1) < S(0);
    for (const LinePoint<S>& point : {newer_next_, older_next_, middle}) {
      const MaskOf<S> point_falls = point.slope < S(0), is_here = (falls & point_falls) | !(falls | point_falls);
      const MaskOf<S> nearer = lanes & is_here & (Abs(point.slope) < Abs(end.slope));
      end = Select(nearer, point, end);
      moved = moved | nearer;
    }
    return moved;
  }

  LinePoint<S> newer_, older_, newer_next_, older_next_;
  S trial_, stage_, count_, tolerance_, found_, slope_;
  MaskOf<S> open_, exhausted_, falling_;
  MaskOf<S> older_waits_;  // both ends have moved: the Newton step of the older one comes next
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOPE_ROOT_KERNEL_H_
