// Checks formats that a user gives for printing numbers. They go to printf, where a format with another conversion
// would read what was not passed.
#include "model/text/print.h"

#include <cctype>
#include <cstring>

namespace sinew::inline model {

bool IsNumberFormat(const std::string& format) {
  constexpr std::size_t kLongest = 20;
  if (format.size() < 2 || format.size() > kLongest || format[0] != '%') return false;
  std::size_t at = 1;
  const auto skip_digits = [&] {
    const std::size_t begin = at;
    while (at < format.size() && std::isdigit(static_cast<unsigned char>(format[at]))) ++at;
    return at - begin <= 2;  // wider columns overflow lines and buffers
  };
  for (std::string flags; at < format.size() && std::strchr("-+ #0", format[at]); ++at) {
    if (flags.find(format[at]) != flags.npos) return false;
    flags += format[at];
  }
  if (!skip_digits()) return false;
  if (at < format.size() && format[at] == '.') {
    ++at;
    if (!skip_digits()) return false;
  }
  return at + 1 == format.size() && std::strchr("fFgGeE", format[at]);
}

}  // namespace sinew::inline model
