// A cubic spline has second derivatives M_i at its points, with h_i = x_{i+1} - x_i and slopes d_i = (y_{i+1} - y_i) /
// h_i; that its slope is continuous at the inner points makes
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1})
// and one equation for each end completes a system of three diagonals.
#include "math/piecewise.h"

#include <cmath>
#include <cstddef>

namespace sinew::inline math {
namespace {

// Widths of the intervals between points, and slopes of the lines across them.
struct Intervals {
  std::vector<double> width, slope;
};

Intervals IntervalsOf(std::span<const double> x, std::span<const double> y) {
  Intervals result;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    result.width.push_back(x[i + 1] - x[i]);
    result.slope.push_back((y[i + 1] - y[i]) / result.width.back());
  }
  return result;
}

// Solves rows (below, diagonal, above) M = right by elimination without pivots; the rows of splines need none.
struct Tridiagonal {
  std::vector<double> below, diagonal, above, right;

  std::vector<double> Solve() {
    const std::size_t n = right.size();
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = below[i] / diagonal[i - 1];
      diagonal[i] -= factor * above[i - 1];
      right[i] -= factor * right[i - 1];
    }
    std::vector<double> result(n);
    for (std::size_t i = n; i-- > 0;) {
      result[i] = (right[i] - (i + 1 < n ? above[i] * result[i + 1] : 0)) / diagonal[i];
    }
    return result;
  }
};

// The divided difference of order three of four points that begin at i: a sixth of the third derivative of the cubic
// through them.
double ThirdDifference(std::span<const double> x, const Intervals& intervals, std::size_t i) {
  const std::vector<double>& slope = intervals.slope;
  const double left = (slope[i + 1] - slope[i]) / (x[i + 2] - x[i]);
  const double right = (slope[i + 2] - slope[i + 1]) / (x[i + 3] - x[i + 1]);
  return (right - left) / (x[i + 3] - x[i]);
}

// Second derivatives at the points.
std::vector<double> SecondDerivatives(std::span<const double> x, const Intervals& intervals, SplineEnds ends) {
  const std::size_t n = x.size();
  if (n == 2) return {0, 0};
  const std::vector<double>&h = intervals.width, &slope = intervals.slope;
  Tridiagonal rows = {std::vector<double>(n, 0), std::vector<double>(n, 1), std::vector<double>(n, 0),
                      std::vector<double>(n, 0)};
  for (std::size_t i = 1; i + 1 < n; ++i) {
    rows.below[i] = h[i - 1];
    rows.diagonal[i] = 2 * (h[i - 1] + h[i]);
    rows.above[i] = h[i];
    rows.right[i] = 6 * (slope[i] - slope[i - 1]);
  }
  if (ends == SplineEnds::kNearestPoints) {
    // (M_1 - M_0) / h_0 is the third derivative in the first interval; zero of three points
    rows.diagonal[0] = rows.diagonal[n - 1] = -1;
    rows.above[0] = rows.below[n - 1] = 1;
    if (n > 3) {
      rows.right[0] = 6 * h.front() * ThirdDifference(x, intervals, 0);
      rows.right[n - 1] = -6 * h.back() * ThirdDifference(x, intervals, n - 4);
    }
  }
  return rows.Solve();
}

// Pieces of a function that runs straight on beyond its first and last point; `cubic` appends the coefficients of an
// interval.
template <class Interval>
std::vector<double> PiecesBetween(std::span<const double> x, std::span<const double> y, int degree, double first_slope,
                                  double last_slope, const Interval& append) {
  std::vector<double> numbers = {static_cast<double>(x.size() + 1), static_cast<double>(degree)};
  numbers.insert(numbers.end(), x.begin(), x.end());
  const auto straight = [&](double origin, double value, double slope) {
    numbers.insert(numbers.end(), {origin, value, slope});
    numbers.insert(numbers.end(), static_cast<std::size_t>(degree) - 1, 0);
  };
  straight(x.front(), y.front(), first_slope);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) append(i, &numbers);
  straight(x.back(), y.back(), last_slope);
  return numbers;
}

}  // namespace

Piecewise PiecewiseAt(std::span<const double> array, double place) {
  const auto size = static_cast<double>(array.size());
  if (!(place >= 0 && place + 2 <= size)) return {};
  const double* numbers = array.data() + static_cast<std::size_t>(place);
  const double pieces = numbers[0], coefficients = numbers[1] + 1;
  if (!(pieces >= 1 && pieces <= size && coefficients >= 1 && coefficients <= kMostCoefficients)) return {};
  Piecewise f;
  f.pieces = static_cast<int>(pieces);
  f.coefficients = static_cast<int>(coefficients);
  f.ends = numbers + 2;
  f.first_piece = f.ends + f.pieces - 1;
  const double count = 2.0 + (f.pieces - 1) + static_cast<double>(f.pieces) * (f.coefficients + 1);
  if (std::floor(place) + count > size) return {};
  return f;
}

std::vector<double> PolynomialPieces(std::span<const double> coefficients) {
  std::vector<double> numbers = {1, static_cast<double>(coefficients.size()) - 1, 0};
  numbers.insert(numbers.end(), coefficients.begin(), coefficients.end());
  return numbers;
}

std::vector<double> SplinePieces(std::span<const double> x, std::span<const double> y, SplineEnds ends) {
  const Intervals intervals = IntervalsOf(x, y);
  const std::vector<double>&h = intervals.width, &slope = intervals.slope;
  const std::vector<double> M = SecondDerivatives(x, intervals, ends);
  const std::size_t last = h.size() - 1;
  const double first_slope = slope[0] - h[0] * (2 * M[0] + M[1]) / 6;
  const double last_slope = slope[last] + h[last] * (M[last] + 2 * M[last + 1]) / 6;
  return PiecesBetween(x, y, 3, first_slope, last_slope, [&](std::size_t i, std::vector<double>* numbers) {
    const double start = slope[i] - h[i] * (2 * M[i] + M[i + 1]) / 6;
    numbers->insert(numbers->end(), {x[i], y[i], start, M[i] / 2, (M[i + 1] - M[i]) / (6 * h[i])});
  });
}

std::vector<double> PolylinePieces(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> slope = IntervalsOf(x, y).slope;
  return PiecesBetween(x, y, 1, slope.front(), slope.back(), [&](std::size_t i, std::vector<double>* numbers) {
    numbers->insert(numbers->end(), {x[i], y[i], slope[i]});
  });
}

}  // namespace sinew::inline math
