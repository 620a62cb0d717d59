#include "osim/function.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compile/tree/motion.h"
#include "math/piecewise.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

constexpr int kMostScalings = 10;  // of functions in functions

// Functions that no model can have become a problem of their object, and zero.
FunctionValues Checked(Properties& properties, FunctionValues f) {
  try {
    FunctionNumbers(f);
    return f;
  } catch (const Error& error) {
    properties.Fail(error.problem(), error.remedy());
    return ConstantFunction(0);
  }
}

// OpenSim has coefficients from the highest power down.
FunctionValues ReadPolynomial(Properties& properties) {
  FunctionValues f;
  f.numbers = properties.Numbers({"coefficients"}).value_or(std::vector<double>{0});
  std::reverse(f.numbers.begin(), f.numbers.end());
  return Checked(properties, f);
}

FunctionValues ReadPoints(Properties& properties, FunctionKind kind) {
  FunctionValues f = {kind, properties.Numbers({"x"}).value_or(std::vector<double>())};
  const std::vector<double> y = properties.Numbers({"y"}).value_or(std::vector<double>());
  properties.Skip({"half_interval_length", "error_variance"});
  if (f.numbers.size() != y.size()) {
    properties.Fail(
        "the function has " + std::to_string(f.numbers.size()) + " x and " + std::to_string(y.size()) + " y",
        "give a y for each x");
    return ConstantFunction(0);
  }
  f.numbers.insert(f.numbers.end(), y.begin(), y.end());
  return Checked(properties, f);
}

FunctionValues ReadObject(Context& context, const XmlNode& node, int depth);

FunctionValues ReadIn(Context& context, const XmlNode& holder, int depth) {
  const auto found = std::find_if(holder.children.begin(), holder.children.end(), IsFunction);
  if (found != holder.children.end()) return ReadObject(context, *found, depth);
  if (!holder.children.empty()) {
    RefuseFunction(context, holder.children.front());
  } else {
    context.problems.Add(holder, "the function is missing", "add one, such as Constant");
  }
  return ConstantFunction(0);
}

// A spline of third degree without smoothing is the natural one.
FunctionValues ReadGcvSpline(Properties& properties) {
  const double degree = 2 * properties.Number("half_order", 3) - 1;
  if (degree != 3) {
    properties.Fail("a spline of degree " + std::to_string(static_cast<int>(degree)) + " is none that a model has",
                    "use SimmSpline, or a GCVSpline of half_order 2");
  }
  return ReadPoints(properties, FunctionKind::kSpline);
}

FunctionValues ReadObject(Context& context, const XmlNode& node, int depth) {
  Properties properties(context, node);
  if (node.tag == "Constant") return ConstantFunction(properties.Number("value", 0));
  if (node.tag == "LinearFunction" || node.tag == "PolynomialFunction") return ReadPolynomial(properties);
  if (node.tag == "SimmSpline") return ReadPoints(properties, FunctionKind::kSimmSpline);
  if (node.tag == "NaturalCubicSpline" || node.tag == "natCubicSpline") {
    // until version 3 of the format, files called the spline of SIMM so
    return ReadPoints(properties, node.tag == "natCubicSpline" ? FunctionKind::kSimmSpline : FunctionKind::kSpline);
  }
  if (node.tag == "GCVSpline") return ReadGcvSpline(properties);
  if (node.tag == "PiecewiseLinearFunction") return ReadPoints(properties, FunctionKind::kPolyline);
  // a multiple of another function
  const XmlNode* inner = properties.Find({"function"});
  const double factor = properties.Number("scale", 1);
  if (!inner || depth >= kMostScalings) {
    properties.Fail("the function to be scaled is missing", "add it");
    return ConstantFunction(0);
  }
  FunctionValues f = ReadIn(context, *inner, depth + 1);
  ScaleFunction(factor, &f);
  return f;
}

}  // namespace

bool IsFunction(const XmlNode& node) {
  static constexpr std::array kFunctions = {"Constant",   "LinearFunction",     "PolynomialFunction",
                                            "SimmSpline", "natCubicSpline",     "NaturalCubicSpline",
                                            "GCVSpline",  "MultiplierFunction", "PiecewiseLinearFunction"};
  return std::find(kFunctions.begin(), kFunctions.end(), node.tag) != kFunctions.end();
}

void RefuseFunction(Context& context, const XmlNode& node) {
  context.problems.Add(node, "'" + node.tag + "' is no function that a model has",
                       "use Constant, LinearFunction, PolynomialFunction, SimmSpline, NaturalCubicSpline or "
                       "PiecewiseLinearFunction");
}

FunctionValues ReadFunction(Context& context, const XmlNode& holder) {
  return IsFunction(holder) ? ReadObject(context, holder, 0) : ReadIn(context, holder, 0);
}

void ScaleFunction(double factor, FunctionValues* f) {
  const auto first = f->kind == FunctionKind::kPolynomial ? 0 : f->numbers.size() / 2;
  for (std::size_t i = first; i < f->numbers.size(); ++i) f->numbers[i] *= factor;
}

FunctionValues ConstantFunction(double value) { return {FunctionKind::kPolynomial, {value}}; }

// Splines through points of one height are constant, too.
std::optional<Line> AsLine(const FunctionValues& f) {
  if (f.kind != FunctionKind::kPolynomial) {
    if (f.numbers.empty()) return std::nullopt;
    const auto y = f.numbers.begin() + static_cast<std::ptrdiff_t>(f.numbers.size() / 2);
    const bool is_flat = std::all_of(y, f.numbers.end(), [&](double value) { return value == *y; });
    return is_flat ? std::optional(Line{*y, 0}) : std::nullopt;
  }
  const auto is_zero = [](double c) { return c == 0; };
  if (f.numbers.size() > 2 && !std::all_of(f.numbers.begin() + 2, f.numbers.end(), is_zero)) return std::nullopt;
  return Line{f.numbers.empty() ? 0 : f.numbers[0], f.numbers.size() > 1 ? f.numbers[1] : 0};
}

double ValueOf(const FunctionValues& f, double x) {
  const std::vector<double> numbers = FunctionNumbers(f);
  return Evaluate(PiecewiseAt(numbers, 0), x).value;
}

}  // namespace sinew::osim
