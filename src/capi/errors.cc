// Errors, warnings, their handlers, and the log. A handler may end the program, throw, or leave by longjmp; without one
// an error writes to the log and exits, as MuJoCo 3.8.0 documents.
#include <mujoco/mujoco.h>

#include <cstdarg>
#include <cstdio>

#include "capi/arguments.h"
#include "core/handlers.h"
#include "core/warning.h"

namespace {

constexpr int kMaxText = 1024;

// Formats into thread-local memory: a handler may leave this thread's functions by longjmp, so nothing may own the
// text.
const char* Format(const char* format, va_list arguments) {
  thread_local char text[kMaxText];
  std::vsnprintf(text, sizeof(text), format ? format : "", arguments);
  return text;
}

}  // namespace

void mju_error(const char* msg, ...) {
  va_list arguments;
  va_start(arguments, msg);
  const char* text = Format(msg, arguments);
  va_end(arguments);
  sinew::ReportError(text);
}

void mju_warning(const char* msg, ...) {
  va_list arguments;
  va_start(arguments, msg);
  const char* text = Format(msg, arguments);
  va_end(arguments);
  sinew::ReportWarning(text);
}

// The format comes from the caller, who promises that it has one conversion of the argument's type.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
void mju_error_i(const char* msg, int i) { mju_error(msg, i); }
void mju_error_s(const char* msg, const char* text) { mju_error(msg, text); }
void mju_warning_i(const char* msg, int i) { mju_warning(msg, i); }
void mju_warning_s(const char* msg, const char* text) { mju_warning(msg, text); }
#pragma GCC diagnostic pop

void mju_clearHandlers() { sinew::ClearHandlers(); }
void mju_writeLog(const char* type, const char* msg) { sinew::WriteLog(type, msg); }

// Counts a warning of a world and reports its first occurrence.
void mj_warning(mjData* d, int warning, int info) {
  SINEW_CHECK(mj_warning);
  sinew::RaiseWarning(d, static_cast<mjtWarning>(warning), info);
}
const char* mju_warningText(int warning, size_t info) { return sinew::WarningText(warning, info); }

// Language bindings set these around every call, to turn errors into exceptions.
extern "C" {
MJAPI sinew::MessageHandler _mjPRIVATE__get_tls_error_fn() { return sinew::ThreadErrorHandler(); }
MJAPI void _mjPRIVATE__set_tls_error_fn(sinew::MessageHandler handler) { sinew::SetThreadErrorHandler(handler); }
MJAPI sinew::MessageHandler _mjPRIVATE__get_tls_warning_fn() { return sinew::ThreadWarningHandler(); }
MJAPI void _mjPRIVATE__set_tls_warning_fn(sinew::MessageHandler handler) { sinew::SetThreadWarningHandler(handler); }
}
