// Functions of a coordinate: what joints and sites move by, in the document.
#include <optional>
#include <string>

#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {
// Points without a kind are those of a natural spline; where nothing is given, the function is the coordinate itself.
FunctionValues FunctionOf(ElementReader& reader) {
  FunctionValues function;
  const auto kind = reader.Keyword("function");
  const auto coefficients = reader.Reals("coef"), x = reader.Reals("x"), y = reader.Reals("y");
  const bool has_points = x || y;
  function.kind = has_points ? FunctionKind::kSpline : FunctionKind::kPolynomial;
  if (kind) function.kind = static_cast<FunctionKind>(*kind);
  if (coefficients && has_points) {
    reader.Fail("attributes 'coef' and 'x', 'y' exclude each other", "give a polynomial or points");
  } else if (function.kind == FunctionKind::kPolynomial) {
    if (has_points) reader.Fail("a polynomial has points", "give coef, or another function than polynomial");
    function.numbers = coefficients.value_or(std::vector<double>());
  } else if (coefficients) {
    reader.Fail("a function through points has coefficients", "give x and y, or function=\"polynomial\"");
  } else if (!x || !y || x->size() != y->size()) {
    reader.Fail("x and y of a function have " + std::to_string(x ? x->size() : 0) + " and " +
                    std::to_string(y ? y->size() : 0) + " numbers",
                "give as many y as x");
  } else {
    function.numbers = *x;
    function.numbers.insert(function.numbers.end(), y->begin(), y->end());
  }
  return function;
}

void WriteFunction(const FunctionValues& function, ElementWriter& writer) {
  const std::span<const double> numbers = function.numbers;
  if (function.kind == FunctionKind::kPolynomial) {
    if (!numbers.empty()) writer.Reals("coef", numbers);
    return;
  }
  writer.Keyword("function", static_cast<int>(function.kind));
  writer.Reals("x", numbers.first(numbers.size() / 2));
  writer.Reals("y", numbers.last(numbers.size() / 2));
}

void ReadCoupling(ElementReader& reader, std::optional<FunctionValues>* coupling) {
  const bool given = reader.Has("function") || reader.Has("coef") || reader.Has("x") || reader.Has("y");
  if (!given) return;
  if (reader.Has("polycoef"))
    reader.Fail("attributes 'polycoef' and 'function' exclude each other", "give one of them");
  *coupling = FunctionOf(reader);
}

void WriteCoupling(const FunctionValues& function, ElementWriter& writer) {
  // without any numbers the element says that there is a function by its kind
  if (function.numbers.empty()) writer.Keyword("function", static_cast<int>(function.kind));
  WriteFunction(function, writer);
}

void ReadMotion(Context& context, const ElementReader& reader, std::vector<MotionTerm>* motion) {
  ForEachChild(context, reader.node(), reader.row(), [&](ElementReader& child, const XmlNode& node) {
    if (node.tag != "rotation" && node.tag != "translation") return;
    MotionTerm term;
    term.rotates = node.tag == "rotation";
    term.where = child.Location();
    child.RealsInto("axis", term.axis.data());
    term.function = FunctionOf(child);
    if (FindAttribute(child.row(), "joint")) term.joint = child.String("joint").value_or("");
    child.Finish();
    motion->push_back(std::move(term));
  });
}

void WriteMotion(const WriteContext& context, const std::vector<MotionTerm>& motion,
                 const std::vector<Vec3<double>>& axes, ElementWriter& writer) {
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const MotionTerm& term = motion[i];
    ElementWriter child(*FindChild(writer.row(), term.rotates ? "rotation" : "translation"), context.precision);
    child.Reals("axis", {&axes[i].x, 3});
    child.NonEmpty("joint", term.joint);
    WriteFunction(term.function, child);
    writer.Append(child.Take());
  }
}

}  // namespace sinew::mjcf
