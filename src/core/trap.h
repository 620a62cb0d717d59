// Errors that callbacks of others raise by mju_error, as exceptions. A handler that longjmps is the only way out of
// such a callback, so a frame that catches must hold nothing with a destructor: Trap keeps to that.
#ifndef SINEW_CORE_TRAP_H_
#define SINEW_CORE_TRAP_H_

#include <string>
#include <vector>

#include "core/error.h"

namespace sinew::inline core {

// Runs function(context). True when it raised an error; then TrappedText() is its text, until the thread's next error.
bool Trap(void (*function)(void* context), void* context);
const char* TrappedText();

// Runs a callback of a plugin; an error that it raises by mju_error is thrown. The callback must own nothing that has
// to be destroyed.
template <class Callback>
void CallTrapped(Callback callback) {
  const auto run = [](void* context) { (*static_cast<Callback*>(context))(); };
  if (Trap(run, &callback)) throw Error(TrappedText());
}

// Listens to the warnings of the calling thread while it lives: keeps the text of the latest one, and passes all on. A
// callback that fails by its result says why in a warning.
class WarningListener {
 public:
  WarningListener();
  ~WarningListener();
  WarningListener(const WarningListener&) = delete;
  WarningListener& operator=(const WarningListener&) = delete;

  // Empty when there was none.
  const char* text() const;

 private:
  void (*previous_)(const char*);
};

// Keeps the warnings of the calling thread while it lives, each text once, instead of reporting them.
class WarningCollector {
 public:
  explicit WarningCollector(std::vector<std::string>* texts);
  ~WarningCollector();
  WarningCollector(const WarningCollector&) = delete;
  WarningCollector& operator=(const WarningCollector&) = delete;

 private:
  void (*previous_)(const char*);
  std::vector<std::string>* outer_;
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_TRAP_H_
