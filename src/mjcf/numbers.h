// Text to numbers and back, the same under every locale.
#ifndef SINEW_MJCF_NUMBERS_H_
#define SINEW_MJCF_NUMBERS_H_

#include <string>
#include <string_view>
#include <vector>

namespace sinew::mjcf {

// The words between blanks.
std::vector<std::string> Words(std::string_view text);

// Whether it has no words.
bool IsBlank(std::string_view text);

enum class NumberError { kNone, kFormat, kRange };

// One word to a number. Reals: decimal or hexadecimal, inf and nan in any case; too small numbers become 0. Integers:
// decimal, within int.
NumberError ParseReal(const std::string& word, double* value);
NumberError ParseInt(const std::string& word, int* value);

// Bytes: digits with an optional suffix K, M, G, T, P or E (any case, powers of 1024), or -1. False: not of that form,
// or too large.
bool ParseBytes(const std::string& text, long long* bytes);

// A number as text: without point and exponent when it is whole, else with at most `precision` significant digits.
// Below 13 digits, a number within 1e-12 of a whole one is whole.
std::string RealText(double value, int precision);

// Bytes with the largest suffix K, M, G, T, P or E that leaves a whole number.
std::string BytesText(long long bytes);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_NUMBERS_H_
