// Colours on terminals that have them, unless NO_COLOR is set (https://no-color.org).
#ifndef SINEW_APPS_TERMINAL_H_
#define SINEW_APPS_TERMINAL_H_

#include <cstdio>
#include <string>

namespace sinew {

enum class Color { kRed = 31, kYellow = 33 };

// The text in a colour if the stream shows colours, else as it is.
std::string Paint(const std::string& text, Color color, std::FILE* stream);

}  // namespace sinew

#endif  // SINEW_APPS_TERMINAL_H_
