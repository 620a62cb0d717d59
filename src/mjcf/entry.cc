// Finds the attribute that the words of an error speak of: the compiler knows fields of the specification, and says in
// words which of them is wrong.
#include "mjcf/entry.h"

#include <algorithm>
#include <cctype>

namespace sinew::mjcf {
namespace {

constexpr std::string_view kSee = "see: sinew schema ";

bool IsOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text without what stands in quotes: names of elements may be words of the schema.
std::string WithoutNames(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    out += quoted ? ' ' : c;
  }
  return out;
}

// The first word that is an attribute of the element; empty: none. Every message may speak of names and classes.
std::string_view AttributeIn(const ElementRow& row, std::string_view text) {
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), IsOfWord);
    const auto end = std::find_if_not(begin, text.end(), IsOfWord);
    const std::string_view word(begin, end);
    const Attribute* attribute = FindAttribute(row, word);
    if (attribute && word != "name" && word != "class") return attribute->name;
    begin = end;
  }
  return {};
}

Error WithEntry(const Error& error) {
  const ElementRow* row = FindPath(error.where().entry);
  if (!row || error.remedy().find(kSee) != std::string::npos)
    return Error(error.problem(), error.remedy(), error.where());
  const std::string words = WithoutNames(error.problem() + " " + error.remedy());
  const std::string see = SeeEntry(*row, AttributeIn(*row, words));
  return Error(error.problem(), error.remedy().empty() ? see : error.remedy() + "; " + see, error.where());
}

}  // namespace

std::string SeeEntry(const ElementRow& row, std::string_view attribute) {
  std::string text = std::string(kSee) + row.path;
  if (attribute.empty()) return text;
  text += ' ';  // appended: GCC 12 takes the sum for overlapping texts
  text += attribute;
  return text;
}

Error WithEntries(const Error& error) {
  Error::List all = {WithEntry(error)};
  for (const Error& other : error.others()) all.push_back(WithEntry(other));
  return Error::Join(std::move(all));
}

}  // namespace sinew::mjcf
