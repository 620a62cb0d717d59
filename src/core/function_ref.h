// FunctionRef: a callable that somebody else holds, as an argument. It allocates nothing; what it refers to must live
// as long as the call.
#ifndef SINEW_CORE_FUNCTION_REF_H_
#define SINEW_CORE_FUNCTION_REF_H_

#include <type_traits>

namespace sinew::inline core {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;
  template <class Function, class = std::enable_if_t<!std::is_same_v<Function, FunctionRef>>>
  FunctionRef(const Function& function)  // NOLINT: callables convert
      : context_(&function), call_([](const void* context, Arguments... arguments) -> Result {
          return (*static_cast<const Function*>(context))(arguments...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(context_, arguments...); }

 private:
  const void* context_ = nullptr;
  Result (*call_)(const void* context, Arguments...) = nullptr;
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_FUNCTION_REF_H_
