// Puts blanks between attributes that touch each other, which XML forbids and files of users have.
#include "mjcf/xml/xml_spacing.h"

#include <cstddef>

namespace sinew::mjcf {
namespace {

// Markup that holds no attributes, from its first characters to its last.
struct Opaque {
  std::string_view begin, end;
};
constexpr Opaque kOpaque[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};

// Where a comment, or the like, ends that begins at `at`; the next character if none does.
std::size_t MarkupEnd(std::string_view xml, std::size_t at) {
  for (const Opaque& markup : kOpaque) {
    if (!xml.substr(at).starts_with(markup.begin)) continue;
    const std::size_t end = xml.find(markup.end, at + markup.begin.size());
    return end == std::string_view::npos ? xml.size() : end + markup.end.size();
  }
  return at + 1;
}

// Behind the quote that closes the one at `at`.
std::size_t QuoteEnd(std::string_view xml, std::size_t at) {
  const std::size_t end = xml.find(xml[at], at + 1);
  return end == std::string_view::npos ? xml.size() : end + 1;
}

bool MayFollowValue(char c) { return std::string_view(" \t\r\n/>").find(c) != std::string_view::npos; }

}  // namespace

std::string SeparateAttributes(std::string_view xml) {
  std::string result;
  result.reserve(xml.size());
  bool in_tag = false;
  for (std::size_t at = 0, end; at < xml.size(); at = end) {
    const char c = xml[at];
    const bool quoted = in_tag && (c == '"' || c == '\'');
    end = quoted ? QuoteEnd(xml, at) : MarkupEnd(xml, at);
    result.append(xml.substr(at, end - at));
    if (quoted && end < xml.size() && !MayFollowValue(xml[end])) result += ' ';

    if (c == '<') in_tag = end == at + 1;
    if (c == '>') in_tag = false;
  }
  return result;
}

}  // namespace sinew::mjcf
