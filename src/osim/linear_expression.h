// Expressions of numbers and variables that are linear in the variables, as "-3.5*theta_x + 2*(theta_y - delta_x)/4".
#ifndef SINEW_OSIM_LINEAR_EXPRESSION_H_
#define SINEW_OSIM_LINEAR_EXPRESSION_H_

#include <optional>
#include <string>
#include <vector>

namespace sinew::osim {

// The coefficient of each variable; nothing for expressions that are not linear, have a constant term, or are none.
std::optional<std::vector<double>> LinearCoefficients(const std::string& text,
                                                      const std::vector<std::string>& variables);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_LINEAR_EXPRESSION_H_
