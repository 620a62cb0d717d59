// Content of a file of another format that the model cannot hold: one warning for each kind of element or attribute, at
// its first place, with the lines of the others. Robots and skeletons repeat a tag for each of their joints; one line a
// joint would bury the rest.
#ifndef SINEW_MJCF_XML_DROPPED_H_
#define SINEW_MJCF_XML_DROPPED_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

// Why a known element or attribute has no place in a model.
struct DropReason {
  std::string_view tag, text;
};

class Dropped {
 public:
  explicit Dropped(std::span<const DropReason> reasons) : reasons_(reasons) {}

  // `why` completes "element 'x' is not used: ..."; without it the reason is looked up by the tag.
  void AddElement(const XmlNode& node, const std::string& why = "");
  void AddAttribute(const XmlNode& node, const std::string& attribute, const std::string& why = "");

  // Adds a warning about something else than one element or attribute, at the place of an element.
  void Note(const XmlNode& node, const std::string& what, const std::string& remedy);

  // "file:line: element: what is dropped: why; also in lines 12, 40", in the order of the first places.
  std::vector<std::string> Texts() const;

 private:
  struct Kind {
    std::string key, what, why;
    SourceLocation first;
    std::vector<int> lines;  // of the others
  };
  std::string ReasonFor(std::string_view tag) const;
  void Add(std::string key, std::string what, std::string why, const XmlNode& node);

  std::span<const DropReason> reasons_;
  std::vector<Kind> kinds_;
};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_XML_DROPPED_H_
