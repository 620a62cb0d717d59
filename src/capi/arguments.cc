// The slow side of the argument checks: finds the name of the argument that is wrong and raises the error. The macros
// of arguments.h come here only when something is wrong, so that a correct call pays for comparisons alone.
#include "capi/arguments.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "capi/boundary.h"
#include "core/error.h"

namespace sinew::capi {
namespace {

// Names come as the preprocessor made them of a list of arguments: separated by a comma and a blank.
const char* NextName(const char* names) {
  while (*names && *names != ',') ++names;
  while (*names == ',' || *names == ' ') ++names;
  return names;
}

}  // namespace

const char* NameOfNull(const char* names, std::initializer_list<const void*> pointers) {
  for (const void* pointer : pointers) {
    if (!pointer) return names;
    names = NextName(names);
  }
  return nullptr;
}

const char* NameOfNegative(const char* names, std::initializer_list<long long> numbers, long long* negative) {
  for (long long number : numbers) {
    *negative = number;
    if (number < 0) return names;
    names = NextName(names);
  }
  return nullptr;
}

const char* Given(const char* argument, const char* text) {
  if (!text) throw Error(std::string("argument '") + argument + "' is null", "pass a text");
  return text;
}

// Texts are formatted into arrays on the stack, since a handler may leave by longjmp.
void RaiseNull(const char* function, const char* argument) {
  char text[128];
  const int length = static_cast<int>(std::strcspn(argument, ", "));
  std::snprintf(text, sizeof(text), "argument '%.*s' is null; pass a valid pointer", length, argument);
  KeepError(function, text);
  RaiseKeptError();
}

void RaiseOutOfRange(const char* function, const char* argument, long long value, long long end) {
  char text[160], range[40] = "zero or more";
  if (end == kPositive) std::snprintf(range, sizeof(range), "one or more");
  if (end == 0) std::snprintf(range, sizeof(range), "nothing: there is none");
  if (end > 0) std::snprintf(range, sizeof(range), "0 to %lld", end - 1);
  const int length = static_cast<int>(std::strcspn(argument, ", "));
  std::snprintf(text, sizeof(text), "argument '%.*s' is %lld; pass %s", length, argument, value, range);
  KeepError(function, text);
  RaiseKeptError();
}

}  // namespace sinew::capi
