#include "compile/tree/motion.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/real_text.h"
#include "math/orientation.h"
#include "spec/orientation.h"

namespace sinew::inline compile {
namespace {

constexpr std::size_t kLeastPoints = 2, kMostPoints = 10000;

void CheckPolynomial(std::span<const double> coefficients) {
  if (coefficients.size() > kMostCoefficients) {
    throw Error("a polynomial has " + std::to_string(coefficients.size()) + " coefficients",
                "give at most " + std::to_string(kMostCoefficients) + ", or a spline");
  }
}

// Numbers are x of all points, then their y.
void CheckPoints(std::span<const double> numbers) {
  const std::size_t count = numbers.size() / 2;
  if (numbers.size() % 2 != 0) throw Error("x and y of a function have different counts", "give an y for each x");
  if (count < kLeastPoints) {
    throw Error("a function through points has " + std::to_string(count),
                "give at least two points as x and y, or a polynomial as coef");
  }
  if (count > kMostPoints) {
    throw Error("a function has " + std::to_string(count) + " points", "give at most " + std::to_string(kMostPoints));
  }
  for (std::size_t i = 1; i < count; ++i) {
    if (numbers[i - 1] < numbers[i]) continue;
    throw Error(
        "x of a function does not ascend: " + TextOfReal(numbers[i - 1]) + " is followed by " + TextOfReal(numbers[i]),
        "sort the points, and give each x once");
  }
}

}  // namespace

std::vector<double> FunctionNumbers(const FunctionValues& values) {
  const std::span<const double> numbers = values.numbers;
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); })) {
    throw Error("a number of a function is not finite", "give finite numbers");
  }
  if (values.kind == FunctionKind::kPolynomial) {
    constexpr double kItself[] = {0, 1};
    CheckPolynomial(numbers);
    return PolynomialPieces(numbers.empty() ? std::span<const double>(kItself) : numbers);
  }
  CheckPoints(numbers);
  const auto x = numbers.first(numbers.size() / 2), y = numbers.last(numbers.size() / 2);
  switch (values.kind) {
    case FunctionKind::kSpline:
      return SplinePieces(x, y, SplineEnds::kNatural);
    case FunctionKind::kSimmSpline:
      return SplinePieces(x, y, SplineEnds::kNearestPoints);
    case FunctionKind::kPolyline:
      return PolylinePieces(x, y);
    default:
      throw Error("unknown kind of function", "use one of sinewFUNCTION_...");
  }
}

std::vector<MotionDraft> DraftMotion(const std::vector<MotionTerm>& terms, const Pose& frame) {
  std::vector<MotionDraft> drafts;
  int rotations = 0, translations = 0;
  for (const MotionTerm& term : terms) {
    AtTerm(term, [&] {
      if (++(term.rotates ? rotations : translations) > kMostMotionTerms) {
        throw Error(term.rotates ? "there are too many rotations" : "there are too many translations",
                    "give at most " + std::to_string(kMostMotionTerms));
      }
      const Vec3<double> axis = LoadVec3(term.axis.data());
      if (!(Dot(axis, axis) >= kDirectionEps)) throw Error("axis too small", "give an axis that has a direction");
      MotionDraft draft = {&term, Rotate(frame.quat, axis), FunctionNumbers(term.function)};
      DivideByNorm(draft.axis);
      drafts.push_back(std::move(draft));
    });
  }
  return drafts;
}

}  // namespace sinew::inline compile
