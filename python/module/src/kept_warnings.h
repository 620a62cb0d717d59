// Warnings of the compiler stay with the specification while this exists: MjSpec.compile says them at the line that
// calls it, and the library none (capi/resources/python_warnings.h). Handlers of the program have them as before.
#ifndef SINEW_MODULE_KEPT_WARNINGS_H_
#define SINEW_MODULE_KEPT_WARNINGS_H_

#include <mujoco/mujoco.h>

extern "C" {
void (*_mjPRIVATE__get_tls_warning_fn())(const char*);
void _mjPRIVATE__set_tls_warning_fn(void (*handler)(const char*));
}

namespace sinew::module {

class KeptWarnings {
 public:
  KeptWarnings() : previous_(_mjPRIVATE__get_tls_warning_fn()) {
    if (!previous_ && !mju_user_warning) _mjPRIVATE__set_tls_warning_fn([](const char*) {});
  }
  ~KeptWarnings() { _mjPRIVATE__set_tls_warning_fn(previous_); }
  KeptWarnings(const KeptWarnings&) = delete;
  KeptWarnings& operator=(const KeptWarnings&) = delete;

 private:
  void (*previous_)(const char*);
};

}  // namespace sinew::module

#endif  // SINEW_MODULE_KEPT_WARNINGS_H_
