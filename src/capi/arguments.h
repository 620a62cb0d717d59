// Arguments that the interface forbids: an error that names the function and the argument.
//
//   void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
//     SINEW_CHECK(mj_solveM);
//
// What is forbidden stands in tables/functions.json, from which capi/checks_generated.h has for this function
//
//     SINEW_NOT_NULL(mj_solveM, m, d);
//     SINEW_NOT_NEGATIVE(mj_solveM, n);
//     SINEW_NOT_NULL_IF(n > 0, mj_solveM, x, y);     // arrays without elements may be null
//
// and SINEW_IN_RANGE(mj_jacBody, body, m->nbody) for others. Functions that are not of the tables, mjb_* and sinew_*,
// name their checks themselves. Where the first two arguments are a model and a world, SINEW_NOT_NULL asks besides
// whether the world fits the model. If the error handler returns, so does the function, with zero.
// tests/capi/misuse_test.py calls every function of the interface tables.
#ifndef SINEW_CAPI_ARGUMENTS_H_
#define SINEW_CAPI_ARGUMENTS_H_

#include <mujoco/mujoco.h>

#include <initializer_list>
#include <type_traits>

#include "capi/checks_generated.h"

namespace sinew::capi {

// Finds, in a text of names with commas between them, the name of the first pointer that is null, or of the first
// number that is negative, which is stored.
const char* NameOfNull(const char* names, std::initializer_list<const void*> pointers);
const char* NameOfNegative(const char* names, std::initializer_list<long long> numbers, long long* negative);

// The same where there may be none: nullptr then. That is decided without looking at the names.
template <class... Pointers>
const char* FirstNull(const char* names, Pointers... pointers) {
  if ((... && (pointers != nullptr))) return nullptr;
  return NameOfNull(names, {pointers...});
}
template <class... Numbers>
const char* FirstNegative(const char* names, long long* negative, Numbers... numbers) {
  if ((... && (static_cast<long long>(numbers) >= 0))) return nullptr;
  return NameOfNegative(names, {static_cast<long long>(numbers)...}, negative);
}

// Whether a world was made for a model of other sizes; what models need is remembered, so that this costs some
// nanoseconds.
bool HasOtherSizes(const mjModel& m, const mjData& d);
template <class First>
bool IsOfAnotherModel(First) {
  return false;
}
template <class First, class Second, class... Others>
bool IsOfAnotherModel(First m, Second d, Others...) {
  if constexpr (std::is_convertible_v<First, const mjModel*> && std::is_convertible_v<Second, const mjData*>) {
    return HasOtherSizes(*m, *d);
  } else {
    return false;
  }
}

// A text that must be given: throws sinew::Error that names the argument when it is null. For functions that report
// errors in the caller's buffer or as a warning; standard strings must never see the null.
const char* Given(const char* argument, const char* text);

// Raises the error; `argument` ends at a comma or with the text.
void RaiseNull(const char* function, const char* argument);

// The same for a number that must be from 0 to end - 1; without an end, `end` is -1, and kPositive where 0 is none
// either.
inline constexpr long long kPositive = -2;
void RaiseOutOfRange(const char* function, const char* argument, long long value, long long end);

// Raises the error for the second argument of a list of names.
void RaiseOfAnotherModel(const char* function, const char* arguments);

// The same, and returns zero of the function's type.
template <class Result, class... Arguments>
Result ReturnNull(Result (*)(Arguments...), const char* function, const char* argument) {
  RaiseNull(function, argument);
  return Result();
}

template <class Result, class... Arguments>
Result ReturnOfAnotherModel(Result (*)(Arguments...), const char* function, const char* arguments) {
  RaiseOfAnotherModel(function, arguments);
  return Result();
}

template <class Result, class... Arguments>
Result ReturnOutOfRange(Result (*)(Arguments...), const char* function, const char* argument, long long value,
                        long long end) {
  RaiseOutOfRange(function, argument, value, end);
  return Result();
}

}  // namespace sinew::capi

#define SINEW_CHECK(function) SINEW_CHECK_##function

#define SINEW_NOT_NULL_IF(condition, function, ...)                                                      \
  if (const char* null_name = (condition) ? sinew::capi::FirstNull(#__VA_ARGS__, __VA_ARGS__) : nullptr) \
  return sinew::capi::ReturnNull(&function, #function, null_name)

// Where one of both may be null, or stands elsewhere among the arguments.
#define SINEW_SAME_MODEL(function, m, d)            \
  if (m && d && sinew::capi::HasOtherSizes(*m, *d)) \
  return sinew::capi::ReturnOfAnotherModel(&function, #function, #m ", " #d)

#define SINEW_NOT_NULL(function, ...)             \
  SINEW_NOT_NULL_IF(true, function, __VA_ARGS__); \
  if (sinew::capi::IsOfAnotherModel(__VA_ARGS__)) \
  return sinew::capi::ReturnOfAnotherModel(&function, #function, #__VA_ARGS__)

#define SINEW_NOT_NEGATIVE(function, ...)                                                           \
  if (long long negative = 0;                                                                       \
      const char* negative_name = sinew::capi::FirstNegative(#__VA_ARGS__, &negative, __VA_ARGS__)) \
  return sinew::capi::ReturnOutOfRange(&function, #function, negative_name, negative, -1)

#define SINEW_AT_LEAST_ONE(function, argument) \
  if ((argument) < 1)                          \
  return sinew::capi::ReturnOutOfRange(&function, #function, #argument, argument, sinew::capi::kPositive)

#define SINEW_IN_RANGE(function, argument, end) \
  if ((argument) < 0 || (argument) >= (end))    \
  return sinew::capi::ReturnOutOfRange(&function, #function, #argument, argument, end)

#endif  // SINEW_CAPI_ARGUMENTS_H_
