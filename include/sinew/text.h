// Texts for people: names in files may hold characters that steer a terminal.
#ifndef SINEW_TEXT_H_
#define SINEW_TEXT_H_

#include <string>
#include <string_view>

namespace sinew {
inline namespace face {

enum class Lines { kKept, kEscaped };

// The text with its control characters (C0, DEL, and C1 in UTF-8) as "\x1b", so that a terminal shows them. Newlines
// and tabs stay, unless lines are escaped too: then a name cannot look like several lines of output.
inline std::string Printable(std::string_view text, Lines lines = Lines::kKept) {
  constexpr unsigned char kDelete = 0x7f, kLeadOfC1 = 0xc2, kFirstC1 = 0x80, kLastC1 = 0x9f;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string printable;
  printable.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_blank = lines == Lines::kKept && (byte == '\n' || byte == '\t');
    const bool is_c1 = byte == kLeadOfC1 && next >= kFirstC1 && next <= kLastC1;
    if (is_blank || (byte >= ' ' && byte != kDelete && !is_c1)) {
      printable += text[i];
      continue;
    }
    if (is_c1) {
      byte = next;
      ++i;
    }
    printable.append({'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return printable;
}

}  // namespace face
}  // namespace sinew

#endif  // SINEW_TEXT_H_
