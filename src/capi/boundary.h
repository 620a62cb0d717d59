// The boundary between C++ and C: no exception leaves, and an error handler that longjmps destroys nothing.
//
//   int mj_stateSize(const mjModel* m, int sig) {
//     return capi::Guard("mj_stateSize", [&] { return StateSize(*m, sig); });
//   }
//
// An exception's text is copied to thread-local memory and the exception destroyed; only then is the handler called,
// when no object with a destructor is alive. The exported functions themselves must hold none either.
#ifndef SINEW_CAPI_BOUNDARY_H_
#define SINEW_CAPI_BOUNDARY_H_

#include <mujoco/mujoco.h>

#include <exception>
#include <string>
#include <type_traits>

#include "core/stack.h"
#include "core/stage_error.h"

namespace sinew::capi {

// The text of an error, with the entries of the reference to look up. Where it begins with file and line, "(line 12)"
// ends its first line as well: programs find the line by that word.
std::string TextWithLine(const Error& error);

// Keeps "function: text" for the calling thread.
void KeepError(const char* function, const char* text);

// Raises the kept text as mju_error, or as mju_warning.
void RaisePendingError();
void RaisePendingWarning();

// Copies the kept text without the function's name to `error`, of `capacity` bytes; nothing when it is null.
void CopyPendingError(char* error, int capacity);

// Runs `body`; returns whether it ended without an exception. Otherwise the text is kept. Exceptions that are not
// derived from std::exception come from callbacks of the program, and are not caught.
template <class Body>
bool Succeeds(const char* function, Body&& body) {
  try {
    body();
    return true;
  } catch (const StackOverflow& overflow) {
    KeepError("mj_stackAlloc", overflow.what());
  } catch (const StageError& error) {
    KeepError(error.stage(), error.what());
  } catch (const Error& error) {
    KeepError(function, TextWithLine(error).c_str());
  } catch (const std::exception& exception) {
    KeepError(function, exception.what());
  }
  return false;
}

// Runs `body` and returns its value. An exception becomes mju_error; if its handler returns, the value is zero.
template <class Body>
auto Guard(const char* function, Body&& body) -> std::invoke_result_t<Body> {
  using Result = std::invoke_result_t<Body>;
  if constexpr (std::is_void_v<Result>) {
    if (!Succeeds(function, body)) RaisePendingError();
  } else {
    static_assert(std::is_trivially_destructible_v<Result>, "what a C function returns has no destructor");
    Result result{};
    if (!Succeeds(function, [&] { result = body(); })) RaisePendingError();
    return result;
  }
}

// The same for functions that report failure by a warning and the value `failure`.
template <class Result, class Body>
Result GuardWithWarning(const char* function, Result failure, Body&& body) {
  Result result = failure;
  if (!Succeeds(function, [&] { result = body(); })) RaisePendingWarning();
  return result;
}

// The same for functions that report failure by a text in the caller's buffer and the value `failure`.
template <class Result, class Body>
Result GuardWithText(const char* function, char* error, int capacity, Result failure, Body&& body) {
  Result result = failure;
  if (error && capacity > 0) error[0] = '\0';
  if (!Succeeds(function, [&] { result = body(); })) CopyPendingError(error, capacity);
  return result;
}

}  // namespace sinew::capi

#endif  // SINEW_CAPI_BOUNDARY_H_
