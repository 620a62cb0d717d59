#include "terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace sinew {

std::string Paint(const std::string& text, Color color, std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool plain =
      (no_color && *no_color) || !terminal || std::string_view(terminal) == "dumb" || !isatty(fileno(stream));
  if (plain) return text;
  return "\033[" + std::to_string(static_cast<int>(color)) + "m" + text + "\033[0m";
}

}  // namespace sinew
