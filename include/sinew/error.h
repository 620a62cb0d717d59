// Exceptions of the C++ face.
#ifndef SINEW_ERROR_H_
#define SINEW_ERROR_H_

#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>
#include <type_traits>

// Handler of errors of the calling thread, in front of mju_user_error.
extern "C" {
MJAPI void (*_mjPRIVATE__get_tls_error_fn(void))(const char*);
MJAPI void _mjPRIVATE__set_tls_error_fn(void (*handler)(const char*));
}

namespace sinew {
inline namespace face {

// A model or file that cannot be used. what() names the file, the line, the element, and what would be right.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A name that the model does not have.
class NameError : public std::out_of_range {
 public:
  using std::out_of_range::out_of_range;
};

// What the engine reports by mju_error: a full stack, an argument that is out of range.
class EngineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Calls a function of the C interface and returns its value; an error that it reports is thrown. The engine holds
// nothing when it calls its handler, so that an exception may leave through it.
template <class Function>
auto Checked(Function&& function) -> std::invoke_result_t<Function> {
  class Handler {
   public:
    Handler() : previous_(_mjPRIVATE__get_tls_error_fn()) { _mjPRIVATE__set_tls_error_fn(Throw); }
    ~Handler() { _mjPRIVATE__set_tls_error_fn(previous_); }
    Handler(const Handler&) = delete;
    Handler& operator=(const Handler&) = delete;

   private:
    static void Throw(const char* text) { throw EngineError(text); }
    void (*previous_)(const char*);
  };
  const Handler handler;
  return function();
}

}  // namespace face
}  // namespace sinew

#endif  // SINEW_ERROR_H_
