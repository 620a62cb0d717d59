// Text to numbers and back. std::from_chars and to_chars do not depend on the locale of the program; hexadecimal
// numbers and the words inf and nan go through core/real_text.
#include "mjcf/numbers.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "core/real_text.h"

namespace sinew::mjcf {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\v\f";

}  // namespace

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t begin = text.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = text.find_first_of(kBlanks, begin);
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

bool IsBlank(std::string_view text) { return text.find_first_not_of(kBlanks) == std::string_view::npos; }

// Numbers too small for a double become zero without an error, those too large do not become infinite.
NumberError ParseReal(const std::string& word, double* value) {
  char* end = nullptr;
  errno = 0;
  *value = RealOfText(word.c_str(), &end);
  if (word.empty() || end != word.c_str() + word.size()) return NumberError::kFormat;
  return errno == ERANGE && std::fabs(*value) > 1 ? NumberError::kRange : NumberError::kNone;
}

// A plus sign is allowed, which std::from_chars alone would refuse.
NumberError ParseInt(const std::string& word, int* value) {
  const char* begin = word.c_str() + (word.starts_with('+') ? 1 : 0);
  const char* last = word.c_str() + word.size();
  if (word.starts_with("+-")) return NumberError::kFormat;
  const auto [end, error] = std::from_chars(begin, last, *value);
  if (error == std::errc::result_out_of_range) return NumberError::kRange;
  return error == std::errc() && end == last ? NumberError::kNone : NumberError::kFormat;
}

// Units are powers of 1024, and a number that shifting would overflow is refused.
bool ParseBytes(const std::string& text, long long* bytes) {
  const auto words = Words(text);
  if (words.size() != 1) return false;
  const std::string& word = words[0];
  if (word == "-1") {
    *bytes = -1;
    return true;
  }
  unsigned long long number = 0;
  const char* last = word.c_str() + word.size();
  const auto [end, error] = std::from_chars(word.c_str(), last, number);
  if (error != std::errc() || last - end > 1) return false;
  int shift = 0;
  if (end != last) {
    const std::size_t unit = std::string_view("KMGTPEkmgtpe").find(*end);
    if (unit == std::string_view::npos) return false;
    shift = 10 * (static_cast<int>(unit % 6) + 1);
  }
  if (number > (static_cast<unsigned long long>(std::numeric_limits<long long>::max()) >> shift)) return false;
  *bytes = static_cast<long long>(number << shift);
  return true;
}

// ---- numbers to text

namespace {

constexpr int kExactDigits = std::numeric_limits<double>::max_digits10;

// Whole numbers are written without an exponent up to 2^31, so that ids and counts stay readable.
std::string PlainText(double value, int digits) {
  constexpr double kLargestWhole = 2147483648.0;
  const double whole = std::nearbyint(value);
  if (value == whole && std::fabs(whole) < kLargestWhole) return std::to_string(static_cast<long long>(whole));
  char text[64];
  return std::string(text, std::to_chars(text, std::end(text), value, std::chars_format::general, digits).ptr);
}

double ValueOf(const std::string& text) {
  double value = 0;
  ParseReal(text, &value);
  return value;
}

// Whether a text says a round number, which has three digits at most.
bool IsRound(std::string_view text) {
  constexpr std::ptrdiff_t kRound = 3;
  const std::string_view mantissa = text.substr(0, text.find('e'));
  const auto is_digit = [](char c) { return c > '0' && c <= '9'; };
  const auto first = std::find_if(mantissa.begin(), mantissa.end(), is_digit);
  const auto last = std::find_if(mantissa.rbegin(), mantissa.rend(), is_digit).base();
  return std::count_if(first, std::max(first, last), [](char c) { return c >= '0' && c <= '9'; }) <= kRound;
}

// By more than arithmetic leaves.
bool Differ(double a, double b) {
  constexpr double kNoise = 1e-12;
  return std::fabs(a - b) > kNoise * std::fabs(a);
}

// Whether rounding makes a number a round one that it is not, such as a bound.
bool IsMadeRound(double value, const std::string& text) { return IsRound(text) && Differ(value, ValueOf(text)); }

// Six digits where they say the number, up to a unit in the last place that arithmetic has left (0.1 + 0.2); else the
// shortest text that is read as it.
std::string NeededText(double value) {
  constexpr int kUsualDigits = 6;
  std::string text = PlainText(value, kUsualDigits);
  const double difference = std::fabs(ValueOf(text) - value);
  if (!(difference > std::numeric_limits<double>::epsilon() * std::fabs(value))) return text;
  char shortest[64];
  return std::string(shortest, std::to_chars(shortest, std::end(shortest), value).ptr);
}

std::string TextOf(double value, int digits) {
  if (digits == kAsNeeded) return NeededText(value);
  std::string text = PlainText(value, digits);
  while (digits < kExactDigits && IsMadeRound(value, text)) text = PlainText(value, ++digits);
  return text;
}

}  // namespace

std::vector<std::string> RealTexts(std::span<const double> values, int precision) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(TextOf(value, precision));
  const bool is_range = values.size() == 2 && Differ(values[0], values[1]);
  if (!is_range || ValueOf(texts[0]) != ValueOf(texts[1])) return texts;
  return {PlainText(values[0], kExactDigits), PlainText(values[1], kExactDigits)};
}

std::string RealText(double value, int precision) { return TextOf(value, precision); }

std::vector<double> DecimalsOf(std::span<const float> values) {
  std::vector<double> decimals;
  for (const float value : values) {
    char text[64];
    decimals.push_back(ValueOf(std::string(text, std::to_chars(text, std::end(text), value).ptr)));
  }
  return decimals;
}

std::string BytesText(long long bytes) {
  std::size_t unit = 0;
  constexpr std::string_view kUnits = " KMGTPE";
  for (; bytes > 0 && bytes % 1024 == 0 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return std::to_string(bytes) + (unit > 0 ? std::string(1, kUnits[unit]) : "");
}

}  // namespace sinew::mjcf
