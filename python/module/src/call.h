// Calls of C functions with values that come from Python, by one piece of code for each signature.
#ifndef SINEW_MODULE_CALL_H_
#define SINEW_MODULE_CALL_H_

#include <cstring>
#include <type_traits>
#include <utility>

#include "object.h"

namespace sinew::module {

// How a parameter is taken. kind: 's' struct, 'e' element of a specification, 'a' array, 'd' number, 'i' integer, 't'
// text, 'c' asset cache, 'x' a number that Python does not give but the shape of an array.
struct Parameter {
  const char* name;
  char kind;
  bool nullable = false;
  bool optional = false;
  const char* of = nullptr;
  char element = 0;
  bool writable = false;
  int rank = 0;
  const char* shape = nullptr;
  Extent rows = {};
  Extent columns = {};
  bool has_default = false;
  int fallback = 0;
  const char* problem = nullptr;  // what is said of an array of another shape
};

// What is returned. kind: 'v' nothing, 'n' number, 's' text, 'p' pointer of a struct, 'e' element, 'c' asset cache, 'o'
// a struct.
struct Result {
  char kind;
  const char* of = nullptr;
  bool floating = false;
};

struct Function {
  const char* name;
  void (*call)(const Value* values, Value* result);
  const Parameter* parameters;
  int count;
  Result result;
  bool held;  // Python waits
  const char* doc;
};

template <class T>
T As(const Value& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.number);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<T>(value.integer);
  } else if constexpr (std::is_pointer_v<T>) {
    return static_cast<T>(value.pointer);
  } else {
    return *static_cast<const T*>(value.pointer);
  }
}

template <class R>
void Put(R result, Value* into) {
  if constexpr (std::is_floating_point_v<R>) {
    into->number = static_cast<double>(result);
  } else if constexpr (std::is_integral_v<R> || std::is_enum_v<R>) {
    into->integer = static_cast<int64_t>(result);
  } else if constexpr (std::is_pointer_v<R>) {
    into->pointer = const_cast<void*>(static_cast<const void*>(result));
  } else {
    into->pointer = std::malloc(sizeof(R));
    if (into->pointer) std::memcpy(into->pointer, &result, sizeof(R));
  }
}

template <auto function>
struct Caller;

template <class R, class... A, R (*function)(A...)>
struct Caller<function> {
  static void Call(const Value* values, Value* result) { Run(values, result, std::index_sequence_for<A...>()); }

 private:
  template <size_t... i>
  static void Run([[maybe_unused]] const Value* values, [[maybe_unused]] Value* result, std::index_sequence<i...>) {
    if constexpr (std::is_void_v<R>) {
      function(As<A>(values[i])...);
    } else {
      Put(function(As<A>(values[i])...), result);
    }
  }
};

}  // namespace sinew::module

#endif  // SINEW_MODULE_CALL_H_
