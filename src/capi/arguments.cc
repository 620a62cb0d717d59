#include "capi/arguments.h"

#include <cstdio>
#include <cstring>

#include "capi/boundary.h"

namespace sinew::capi {

void RaiseNull(const char* function, const char* argument) {
  char text[128];
  const int length = static_cast<int>(std::strcspn(argument, ", "));
  std::snprintf(text, sizeof(text), "argument '%.*s' is null; pass a valid pointer", length, argument);
  KeepError(function, text);
  RaiseKeptError();
}

void RaiseOutOfRange(const char* function, const char* argument, long long value, long long end) {
  char text[160], range[40] = "zero or more";
  if (end == 0) std::snprintf(range, sizeof(range), "nothing: there is none");
  if (end > 0) std::snprintf(range, sizeof(range), "0 to %lld", end - 1);
  const int length = static_cast<int>(std::strcspn(argument, ", "));
  std::snprintf(text, sizeof(text), "argument '%.*s' is %lld; pass %s", length, argument, value, range);
  KeepError(function, text);
  RaiseKeptError();
}

}  // namespace sinew::capi
