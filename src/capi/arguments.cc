// The slow side of the argument checks: finds the name of the argument that is wrong and raises the error. The macros
// of arguments.h come here only when something is wrong, so that a correct call pays for comparisons alone.
#include "capi/arguments.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "capi/boundary.h"
#include "core/error.h"
#include "model/storage/data.h"

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

// Models are known by their address, and by what tells another one that stands there by now, as after mj_recompile: its
// signature and its size.
bool HasOtherSizes(const mjModel& m, const mjData& d) {
  struct Known {
    const mjModel* m;
    uint64_t signature;
    mjtSize model_bytes, data_bytes;
  };
  constexpr size_t kKnown = 16;
  thread_local Known models[kKnown] = {};
  Known& known = models[reinterpret_cast<uintptr_t>(&m) / 64 % kKnown];
  const bool is_known = known.m == &m && known.signature == m.signature && known.model_bytes == m.nbuffer;
  if (is_known && known.data_bytes == d.nbuffer) return false;
  const size_t bytes = DataSize(m) - sizeof(mjData) - static_cast<size_t>(m.narena);
  known = {&m, m.signature, m.nbuffer, static_cast<mjtSize>(bytes)};
  return known.data_bytes != d.nbuffer;
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
  RaisePendingError();
}

void RaiseOfAnotherModel(const char* function, const char* arguments) {
  char text[128];
  const char* second = NextName(arguments);
  const int length = static_cast<int>(std::strcspn(second, ", "));
  std::snprintf(text, sizeof(text), "argument '%.*s' was made for another model; make one with mj_makeData", length,
                second);
  KeepError(function, text);
  RaisePendingError();
}

void RaiseOutOfRange(const char* function, const char* argument, long long value, long long end) {
  char text[160], range[40] = "zero or more";
  if (end == kPositive) std::snprintf(range, sizeof(range), "one or more");
  if (end == 0) std::snprintf(range, sizeof(range), "nothing: there is none");
  if (end > 0) std::snprintf(range, sizeof(range), "0 to %lld", end - 1);
  const int length = static_cast<int>(std::strcspn(argument, ", "));
  std::snprintf(text, sizeof(text), "argument '%.*s' is %lld; pass %s", length, argument, value, range);
  KeepError(function, text);
  RaisePendingError();
}

}  // namespace sinew::capi
