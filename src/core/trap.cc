#include "core/trap.h"

#include <csetjmp>
#include <cstring>

#include "core/handlers.h"

namespace sinew {
namespace {

thread_local std::jmp_buf* innermost = nullptr;
thread_local char trapped[1024];

void Jump(const char* text) {
  std::strncpy(trapped, text, sizeof(trapped) - 1);
  std::longjmp(*innermost, 1);
}

}  // namespace

bool Trap(void (*function)(void* context), void* context) {
  std::jmp_buf here;
  std::jmp_buf* const outer = innermost;
  const MessageHandler handler = ThreadErrorHandler();
  innermost = &here;
  SetThreadErrorHandler(Jump);
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

}  // namespace sinew
