// Words and numbers of text files, one after the other.
#ifndef SINEW_ASSETS_TEXT_READER_H_
#define SINEW_ASSETS_TEXT_READER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sinew::inline assets {

class TextReader {
 public:
  explicit TextReader(std::string text) : text_(std::move(text)) {}
  explicit TextReader(std::span<const std::byte> bytes)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

  // Bytes that are left.
  size_t left() const { return text_.size() - at_; }

  // The next line without its end, which is a newline, a carriage return or both; nothing behind the last.
  std::optional<std::string_view> Line();

  // The next word, which ends at a blank; empty behind the last.
  std::string_view Word();

  // Whether there is another word.
  bool HasWord();

  // The next word as a number. Throws Error when it is not a number, or there is no more.
  double Real();
  int64_t Int();

 private:
  std::string text_;  // its terminating zero ends the last number
  size_t at_ = 0;
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_TEXT_READER_H_
