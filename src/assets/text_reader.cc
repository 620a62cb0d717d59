#include "assets/text_reader.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/real_text.h"

namespace sinew::inline assets {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\v\f";

// A word as messages show it: files may be binary by mistake.
std::string Excerpt(std::string_view word) {
  constexpr size_t kLongest = 20;
  return "'" + std::string(word.substr(0, kLongest)) + (word.size() > kLongest ? "..." : "") + "'";
}

[[noreturn]] void Refuse(std::string_view word, const char* what) {
  if (word.empty()) throw Error("the file ends too early", "save it again");
  throw Error("the file has " + Excerpt(word) + ", where " + what + " should be", "save it again");
}

}  // namespace

std::optional<std::string_view> TextReader::Line() {
  if (left() == 0) return std::nullopt;
  const size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
  const std::string_view line = std::string_view(text_).substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  if (end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n') ++at_;
  return line;
}

std::string_view TextReader::Word() {
  const size_t begin = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  at_ = std::min(text_.find_first_of(kBlanks, begin), text_.size());
  return std::string_view(text_).substr(begin, at_ - begin);
}

bool TextReader::HasWord() {
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  return left() > 0;
}

double TextReader::Real() {
  const std::string_view word = Word();
  char* end = nullptr;
  const double value = RealOfText(word.data(), &end);
  if (word.empty() || end != word.data() + word.size()) Refuse(word, "a number");
  return value;
}

int64_t TextReader::Int() {
  const std::string_view word = Word();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) Refuse(word, "a whole number");
  return value;
}

}  // namespace sinew::inline assets
