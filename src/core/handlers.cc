// Calls handlers of the thread or of the process, and writes the log file.
#include "core/handlers.h"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <sinew/text.h>

namespace sinew::inline core {
namespace {

thread_local MessageHandler thread_error_handler = nullptr;
thread_local MessageHandler thread_warning_handler = nullptr;

void Print(const char* type, const char* text) {
  WriteLog(type, text);
  std::printf("%s: %s\n\n", type, Printable(text).c_str());
  std::fflush(stdout);
}

// Hands a text to the handler of the thread, or else to that of the process; false where there is neither.
bool IsHandled(MessageHandler of_thread, MessageHandler of_process, const char* text) {
  const MessageHandler handler = of_thread ? of_thread : of_process;
  if (handler) handler(text);
  return handler != nullptr;
}

}  // namespace

MessageHandler ThreadErrorHandler() { return thread_error_handler; }
MessageHandler ThreadWarningHandler() { return thread_warning_handler; }
void SetThreadErrorHandler(MessageHandler handler) { thread_error_handler = handler; }
void SetThreadWarningHandler(MessageHandler handler) { thread_warning_handler = handler; }

void ReportError(const char* text) {
  if (IsHandled(thread_error_handler, mju_user_error, text)) return;
  Print("ERROR", text);
  std::exit(EXIT_FAILURE);
}

bool HasWarningHandler() { return thread_warning_handler || mju_user_warning; }

void ReportWarning(const char* text) {
  if (!IsHandled(thread_warning_handler, mju_user_warning, text)) Print("WARNING", text);
}

void WriteLog(const char* type, const char* text) {
  if (!type) type = "";
  if (!text) text = "";
  std::FILE* file = std::fopen("MUJOCO_LOG.TXT", "a");
  if (!file) return;
  const std::time_t now = std::time(nullptr);
  std::tm local;
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%a %b %e %H:%M:%S %Y", localtime_r(&now, &local));
  std::fprintf(file, "%s\n%s: %s\n\n", stamp, type, Printable(text).c_str());
  std::fclose(file);
}

void ClearHandlers() {
  mju_user_error = nullptr;
  mju_user_warning = nullptr;
  mju_user_malloc = nullptr;
  mju_user_free = nullptr;
}

}  // namespace sinew::inline core
