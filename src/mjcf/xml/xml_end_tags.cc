// Finds the tag that was opened and never closed. The parser stops at the first end tag that does not match, which may
// be hundreds of lines behind the mistake.
#include "mjcf/xml/xml_end_tags.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinew::mjcf {
namespace {

constexpr auto kEnd = std::string_view::npos;

// The end of a construct that is no element, such as a comment, if one begins at a place; else the place.
std::size_t SkipOther(std::string_view text, std::size_t at) {
  static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  for (const auto& [begin, end] : kOthers) {
    if (!text.substr(at).starts_with(begin)) continue;
    const std::size_t found = text.find(end, at + begin.size());
    return found == kEnd ? text.size() : found + end.size();
  }
  return at;
}

// The ">" of a tag; those in quotes do not count.
std::size_t EndOfTag(std::string_view text, std::size_t at) {
  for (char quote = 0; at < text.size(); ++at) {
    if (quote != 0) {
      if (text[at] == quote) quote = 0;
    } else if (text[at] == '"' || text[at] == '\'') {
      quote = text[at];
    } else if (text[at] == '>') {
      return at;
    }
  }
  return text.size();
}

std::string Tag(std::string_view start, std::string_view name) {
  std::string tag(start);
  return tag.append(name).append(">");
}

struct Open {
  std::string_view name;
  std::size_t at;
};

}  // namespace

std::optional<Imbalance> FindImbalance(std::string_view text) {
  std::vector<Open> stack;
  for (std::size_t at = text.find('<'); at != kEnd; at = text.find('<', at)) {
    if (const std::size_t other = SkipOther(text, at); other != at) {
      at = other;
      continue;
    }
    const std::size_t end = EndOfTag(text, at);
    const bool closes = text.substr(at + 1).starts_with('/');
    const std::size_t name_at = at + (closes ? 2 : 1);
    const std::size_t name_end = std::min(text.find_first_of(" \t\r\n/>", name_at), text.size());
    const std::string_view name = text.substr(name_at, name_end - name_at);
    if (!closes) {
      if (end == 0 || text[end - 1] != '/') stack.push_back({name, at});
    } else if (stack.empty()) {
      return Imbalance{at, Tag("</", name) + " closes nothing"};
    } else if (stack.back().name != name) {
      return Imbalance{stack.back().at,
                       Tag("<", stack.back().name) + " is opened here and not closed before " + Tag("</", name)};
    } else {
      stack.pop_back();
    }
    at = end;
  }
  if (stack.empty()) return std::nullopt;
  return Imbalance{stack.back().at, Tag("<", stack.back().name) + " is opened here and never closed"};
}

}  // namespace sinew::mjcf
