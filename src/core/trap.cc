// Catches errors of callbacks by a handler that jumps back into the frame of the trap.
#include "core/trap.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>

#include "core/handlers.h"

namespace sinew::inline core {
namespace {

thread_local std::jmp_buf* innermost = nullptr;
thread_local char trapped[1024];

thread_local char heard[1024];
thread_local MessageHandler passed_to = nullptr;

void OnWarning(const char* text) {
  std::strncpy(heard, text, sizeof(heard) - 1);
  SetThreadWarningHandler(passed_to);
  ReportWarning(text);
  SetThreadWarningHandler(OnWarning);
}

thread_local std::vector<std::string>* collected = nullptr;

void Collect(const char* text) {
  if (std::find(collected->begin(), collected->end(), text) == collected->end()) collected->emplace_back(text);
}

void OnError(const char* text) {
  std::strncpy(trapped, text, sizeof(trapped) - 1);
  std::longjmp(*innermost, 1);
}

}  // namespace

bool Trap(void (*function)(void* context), void* context) {
  std::jmp_buf here;
  std::jmp_buf* const outer = innermost;
  const MessageHandler handler = ThreadErrorHandler();
  innermost = &here;
  SetThreadErrorHandler(OnError);
  volatile bool raised = true;
  if (setjmp(here) == 0) {
    function(context);
    raised = false;
  }
  innermost = outer;
  SetThreadErrorHandler(handler);
  return raised;
}

const char* TrappedText() { return trapped; }

WarningListener::WarningListener() : previous_(ThreadWarningHandler()) {
  heard[0] = '\0';
  if (previous_ != OnWarning) passed_to = previous_;  // one inside of another passes on to where the outer one does
  SetThreadWarningHandler(OnWarning);
}
WarningListener::~WarningListener() { SetThreadWarningHandler(previous_); }
const char* WarningListener::text() const { return heard; }

WarningCollector::WarningCollector(std::vector<std::string>* texts)
    : previous_(ThreadWarningHandler()), outer_(collected) {
  collected = texts;
  SetThreadWarningHandler(Collect);
}
WarningCollector::~WarningCollector() {
  collected = outer_;
  SetThreadWarningHandler(previous_);
}

}  // namespace sinew::inline core
