// Functions of one coordinate: those of a joint's rotations and translations, of points that move, and of coupled
// coordinates.
#ifndef SINEW_OSIM_FUNCTION_H_
#define SINEW_OSIM_FUNCTION_H_

#include <optional>

#include "mjcf/xml/xml_node.h"
#include "spec/elements.h"

namespace sinew::osim {

struct Context;

// The function in an element: its only object, or the element itself where its tag is that of a function. What is no
// function that a model has becomes a problem, and the function zero.
FunctionValues ReadFunction(Context& context, const mjcf::XmlNode& holder);

// Reports an element that stands where a function is expected, and is none.
void RefuseFunction(Context& context, const mjcf::XmlNode& node);

// Whether the tag of an element is that of a function.
bool IsFunction(const mjcf::XmlNode& node);

// A line by its value at 0 and its slope; nothing for functions that are none.
struct Line {
  double offset, slope;
};
std::optional<Line> AsLine(const FunctionValues& function);

// Multiplies the values of a function.
void ScaleFunction(double factor, FunctionValues* function);
FunctionValues ConstantFunction(double value);
double ValueOf(const FunctionValues& function, double x);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_FUNCTION_H_
