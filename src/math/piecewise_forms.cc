#include "math/piecewise_forms.h"

#include <algorithm>
#include <cstddef>

#include "math/piecewise.h"

namespace sinew::inline math {
namespace {

// Three pieces: `none` before `from`, `all` behind `from` + width; the other way around where the width is negative.
std::vector<double> StepBetween(double from, double width, const std::vector<double>& none,
                                const std::vector<double>& rising, const std::vector<double>& all) {
  const bool up = width > 0;
  std::vector<double> numbers = {3, static_cast<double>(none.size()) - 2, std::min(from, from + width),
                                 std::max(from, from + width)};
  for (const std::vector<double>* piece : {up ? &none : &all, &rising, up ? &all : &none}) {
    numbers.insert(numbers.end(), piece->begin(), piece->end());
  }
  return numbers;
}

}  // namespace

std::vector<double> IntegralPieces(std::span<const double> function, double start) {
  const Piecewise f = PiecewiseAt(function, 0);
  std::vector<double> numbers = {static_cast<double>(f.pieces), static_cast<double>(f.coefficients)};
  numbers.insert(numbers.end(), f.ends, f.ends + f.pieces - 1);
  const std::size_t first = numbers.size(), stride = static_cast<std::size_t>(f.coefficients) + 2;
  for (int i = 0; i < f.pieces; ++i) {
    const double* piece = f.first_piece + i * (f.coefficients + 1);
    numbers.insert(numbers.end(), {piece[0], 0});
    for (int k = 1; k <= f.coefficients; ++k) numbers.push_back(piece[k] / k);
  }
  // constants: each piece begins where the one in front of it ends, and all are shifted to be zero at the start
  const auto value = [&](std::size_t piece, double x) {
    const double* c = numbers.data() + first + stride * piece;
    double sum = 0;
    for (std::size_t k = stride; k-- > 1;) sum = sum * (x - c[0]) + c[k];
    return sum;
  };
  for (std::size_t i = 1; i < static_cast<std::size_t>(f.pieces); ++i) {
    const double end = f.ends[i - 1];
    numbers[first + stride * i + 1] += value(i - 1, end) - value(i, end);
  }
  const double offset = Evaluate(PiecewiseAt(numbers, 0), start).value;
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.pieces); ++i) numbers[first + stride * i + 1] -= offset;
  return numbers;
}

std::vector<double> PiecesFrom(double begin, double factor, double unit, std::span<const double> function) {
  const Piecewise f = PiecewiseAt(function, 0);
  std::vector<double> ends = {begin}, pieces;
  const auto append = [&](const double* piece) {
    pieces.push_back(piece[0] * unit);
    double scale = factor;
    for (int k = 1; k <= f.coefficients; ++k, scale /= unit) pieces.push_back(piece[k] * scale);
  };
  pieces.assign(static_cast<std::size_t>(f.coefficients) + 1, 0);
  for (int i = 0; i < f.pieces; ++i) {
    const bool is_last = i + 1 == f.pieces;
    if (!is_last && f.ends[i] * unit <= begin) continue;
    append(f.first_piece + i * (f.coefficients + 1));
    if (!is_last) ends.push_back(f.ends[i] * unit);
  }
  std::vector<double> numbers = {static_cast<double>(ends.size() + 1), static_cast<double>(f.coefficients) - 1};
  numbers.insert(numbers.end(), ends.begin(), ends.end());
  numbers.insert(numbers.end(), pieces.begin(), pieces.end());
  return numbers;
}

std::vector<double> SmoothStepPieces(double from, double width, double factor) {
  const double t = factor / (width * width * width);
  const std::vector<double> none = {from, 0, 0, 0, 0, 0, 0}, all = {from, factor, 0, 0, 0, 0, 0},
                            rising = {from, 0, 0, 0, 10 * t, -15 * t / width, 6 * t / (width * width)};
  return StepBetween(from, width, none, rising, all);
}

std::vector<double> SmoothRampPieces(double from, double width, double factor) {
  const double t = factor / (width * width * width);
  const std::vector<double> none = {from, 0, 0, 0, 0, 0, 0, 0}, all = {from, 0, factor, 0, 0, 0, 0, 0},
                            rising = {from, 0, 0, 0, 0, 10 * t, -15 * t / width, 6 * t / (width * width)};
  return StepBetween(from, width, none, rising, all);
}

std::vector<double> HalfLinePieces(double from, bool up, std::span<const double> coefficients) {
  std::vector<double> numbers = {2, static_cast<double>(coefficients.size()) - 1, from};
  for (const bool is_upper : {false, true}) {
    numbers.push_back(from);
    if (is_upper == up) numbers.insert(numbers.end(), coefficients.begin(), coefficients.end());
    if (is_upper != up) numbers.insert(numbers.end(), coefficients.size(), 0.0);
  }
  return numbers;
}

std::vector<double> SumPieces(std::vector<double> function, std::span<const double> other) {
  const Piecewise f = PiecewiseAt(function, 0), g = PiecewiseAt(other, 0);
  const std::size_t first = static_cast<std::size_t>(f.first_piece - function.data());
  for (int i = 0; i < g.pieces; ++i) {
    double* to = function.data() + first + static_cast<std::size_t>(i) * (static_cast<std::size_t>(f.coefficients) + 1);
    const double* from = g.first_piece + i * (g.coefficients + 1);
    for (int k = 1; k <= g.coefficients; ++k) to[k] += from[k];
  }
  return function;
}

}  // namespace sinew::inline math
