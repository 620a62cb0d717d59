// Collects what a file says and the model cannot hold, and makes one warning of each kind.
#include "mjcf/xml/dropped.h"

#include <algorithm>
#include <utility>

namespace sinew::mjcf {
namespace {

// So many further lines are listed by number.
constexpr std::size_t kMost = 10;

std::string ListLines(const std::vector<int>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) {
    text += (i ? ", " : "") + std::to_string(lines[i]);
  }
  if (lines.size() > kMost) text += " and " + std::to_string(lines.size() - kMost) + " more";
  return text;
}

}  // namespace

std::string Dropped::ReasonFor(std::string_view tag) const {
  const auto found =
      std::find_if(reasons_.begin(), reasons_.end(), [&](const DropReason& reason) { return reason.tag == tag; });
  return found == reasons_.end() ? "unknown" : std::string(found->text);
}

void Dropped::AddElement(const XmlNode& node, const std::string& why) {
  const std::string parent = node.parent ? node.parent->tag : "";
  Add(parent + "/" + node.tag, "element '" + node.tag + "' is not used", why.empty() ? ReasonFor(node.tag) : why, node);
}

void Dropped::AddAttribute(const XmlNode& node, const std::string& attribute, const std::string& why) {
  Add(node.tag + "@" + attribute, "attribute '" + attribute + "' is not used", why.empty() ? ReasonFor(attribute) : why,
      node);
}

void Dropped::Note(const XmlNode& node, const std::string& what, const std::string& remedy) {
  Add(what, what, remedy, node);
}

// A kind is known by the element and its parent, or by the attribute.
void Dropped::Add(std::string key, std::string what, std::string why, const XmlNode& node) {
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.key == key; });
  if (kind == kinds_.end()) {
    kinds_.push_back({std::move(key), std::move(what), std::move(why), node.Location(), {}});
  } else if (node.line != (kind->lines.empty() ? kind->first.line : kind->lines.back())) {
    kind->lines.push_back(node.line);
  }
}

std::vector<std::string> Dropped::Texts() const {
  std::vector<std::string> texts;
  for (const Kind& kind : kinds_) {
    std::string remedy = kind.why;
    if (!kind.lines.empty()) remedy += "; also in lines " + ListLines(kind.lines);
    texts.emplace_back(Error(kind.what, remedy, kind.first).what());
  }
  return texts;
}

}  // namespace sinew::mjcf
