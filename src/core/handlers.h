// Where errors and warnings go: to a handler of the calling thread, else to the process-wide mju_user_error and
// mju_user_warning, else to standard output and the log file.
//
// An error handler may return, exit or longjmp. So no caller may hold an object with a destructor: src/capi calls these
// at the very end, with a text that lives in thread-local memory (capi/boundary.h).
#ifndef SINEW_CORE_HANDLERS_H_
#define SINEW_CORE_HANDLERS_H_

namespace sinew::inline core {

using MessageHandler = void (*)(const char* text);

// Handlers of the calling thread, nullptr for none. Language bindings use them to turn errors into exceptions.
MessageHandler ThreadErrorHandler();
MessageHandler ThreadWarningHandler();
void SetThreadErrorHandler(MessageHandler handler);
void SetThreadWarningHandler(MessageHandler handler);

// Whether warnings of the calling thread go to a handler.
bool HasWarningHandler();

// Without any handler, the first ends the process and the second goes on.
void ReportError(const char* text);
void ReportWarning(const char* text);

// Appends the time and "type: text" to MUJOCO_LOG.TXT in the working folder; silently nothing where that is read-only.
void WriteLog(const char* type, const char* text);

// Resets the process-wide handlers and memory functions to the library's own.
void ClearHandlers();

}  // namespace sinew::inline core

#endif  // SINEW_CORE_HANDLERS_H_
