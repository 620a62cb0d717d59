// What an exported function does on misuse: the text of its error, from a handler that returns.
#ifndef SINEW_TESTS_UNIT_CAPI_ERROR_TRAP_H_
#define SINEW_TESTS_UNIT_CAPI_ERROR_TRAP_H_

#include <mujoco/mujoco.h>

#include <string>

namespace sinew {

// Keeps the text of the last error while it lives.
class ErrorTrap {
 public:
  ErrorTrap() {
    text().clear();
    mju_user_error = [](const char* message) { text() = message; };
  }
  ~ErrorTrap() { mju_user_error = nullptr; }
  ErrorTrap(const ErrorTrap&) = delete;
  ErrorTrap& operator=(const ErrorTrap&) = delete;

  static std::string& text() {
    static std::string last;
    return last;
  }
};

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_CAPI_ERROR_TRAP_H_
