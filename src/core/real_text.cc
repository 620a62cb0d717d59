// Reads numbers as C does in its own locale, whatever locale the program has set.
#include "core/real_text.h"

#include <locale.h>
#include <cstdio>
#include <cstdlib>

namespace sinew::inline core {

double RealOfText(const char* text, char** end) {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, end, locale);
}

std::string TextOfReal(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", number);
  return text;
}

}  // namespace sinew::inline core
