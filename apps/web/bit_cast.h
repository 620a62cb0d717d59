// std::bit_cast for C++ libraries that do not have it yet, as that of emscripten 3.1.6; read before all else.
#ifndef SINEW_APPS_WEB_BIT_CAST_H_
#define SINEW_APPS_WEB_BIT_CAST_H_

#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#endif  // SINEW_APPS_WEB_BIT_CAST_H_
