// Text to numbers and back, the same under every locale.
#ifndef SINEW_MJCF_NUMBERS_H_
#define SINEW_MJCF_NUMBERS_H_

#include <span>
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

// A number as text: without point and exponent when it is whole, else with at most `precision` significant digits. Only
// where rounding would say something else are there more, up to 17: when it makes a number a round one that it is not
// (0.4999999 would be 0.5), or makes the two numbers of a range equal. With kAsNeeded it has as many as are needed to
// read the same number again, and those that six digits write so have no more than these.
inline constexpr int kAsNeeded = 0;
std::string RealText(double value, int precision);
std::vector<std::string> RealTexts(std::span<const double> values, int precision);

// Floats as the shortest decimals that are read as them: 0.1 for 0.1f, and not 0.10000000149.
std::vector<double> DecimalsOf(std::span<const float> values);

// Bytes with the largest suffix K, M, G, T, P or E that leaves a whole number.
std::string BytesText(long long bytes);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_NUMBERS_H_
