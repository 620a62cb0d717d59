// Suggestions for a misspelled word.
#ifndef SINEW_CORE_SUGGEST_H_
#define SINEW_CORE_SUGGEST_H_

#include <span>
#include <string>
#include <string_view>

namespace sinew::inline core {

// The known word that differs least, the first of several; empty: none is near.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> known);

// "did you mean 'x'?" when an allowed word is near, else "allowed: ..." with all of them; empty when none is allowed.
std::string Suggest(std::string_view word, std::span<const std::string_view> allowed);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_SUGGEST_H_
