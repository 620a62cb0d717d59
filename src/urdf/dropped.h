// What a file says and the model does not: one warning for each kind of element or attribute, at its first place, with
// the lines of the others. A robot repeats a tag for each of its joints; one line a joint would bury the rest.
#ifndef SINEW_URDF_DROPPED_H_
#define SINEW_URDF_DROPPED_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::urdf {

class Dropped {
 public:
  // `why` completes "element 'x' is not used: ..."; without it the reason is looked up by the tag.
  void AddElement(const mjcf::XmlNode& node, const std::string& why = "");
  void AddAttribute(const mjcf::XmlNode& node, const std::string& attribute, const std::string& why = "");

  // A remark of another kind, at a place.
  void Note(const mjcf::XmlNode& node, const std::string& what, const std::string& remedy);

  // "file:line: element: what is dropped: why; also in lines 12, 40", in the order of the first places.
  std::vector<std::string> Texts() const;

 private:
  struct Kind {
    std::string key, what, why;
    SourceLocation first;
    std::vector<int> lines;  // of the others
  };
  void Add(std::string key, std::string what, std::string why, const mjcf::XmlNode& node);

  std::vector<Kind> kinds_;
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_DROPPED_H_
