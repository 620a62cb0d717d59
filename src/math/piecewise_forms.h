// Functions in pieces that are made of others: integrals, parts, smooth steps.
#ifndef SINEW_MATH_PIECEWISE_FORMS_H_
#define SINEW_MATH_PIECEWISE_FORMS_H_

#include <span>
#include <vector>

namespace sinew::inline math {

// The integral of a function from `start` on: continuous, and of a degree more, which pieces must have room for.
std::vector<double> IntegralPieces(std::span<const double> function, double start);

// The function  factor f(x / unit)  from x = `begin` on, and zero in front of it.
std::vector<double> PiecesFrom(double begin, double factor, double unit, std::span<const double> function);

// factor s(t) and factor (x - from) s(t) with t = (x - from) / width, where the smooth step s is 0 up to t = 0, 1 from
// t = 1 on, and 10 t^3 - 15 t^4 + 6 t^5 between. With a negative width it rises towards smaller x.
std::vector<double> SmoothStepPieces(double from, double width, double factor);
std::vector<double> SmoothRampPieces(double from, double width, double factor);

// The polynomial of (x - from) on one side of `from`, at larger x where it is `up`, and zero on the other.
std::vector<double> HalfLinePieces(double from, bool up, std::span<const double> coefficients);

// The sum of two functions whose pieces have the same ends and origins, the first of them of a degree at least as high.
std::vector<double> SumPieces(std::vector<double> function, std::span<const double> other);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_PIECEWISE_FORMS_H_
