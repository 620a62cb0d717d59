// Problems of a model file. A reader goes on after a problem, so that one run shows all of them; then they are thrown
// as one error, in the order of the document.
#ifndef SINEW_MJCF_XML_PROBLEMS_H_
#define SINEW_MJCF_XML_PROBLEMS_H_

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/suggest.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

class Problems {
 public:
  // Throws at once when the list is full.
  void Add(const XmlNode& node, std::string problem, std::string remedy = "");

  // Remarks that are no problem, but worth a warning.
  bool IgnoresMore() const;  // whether there is room for another one
  void Ignore(const XmlNode& node, std::string what, std::string remedy);
  std::vector<std::string> TakeWarnings() { return std::move(warnings_); }

  bool empty() const { return found_.empty(); }

  // Remembers the first attribute that is not a number. Where that means "undefined", it is as good as absent;
  // elsewhere it reaches the model. So it is no problem, but worth a warning.
  void NoteNaN(const XmlNode& node, const std::string& attribute);
  void WarnOfNaN() const;

  // Throws unless there are none.
  void Throw();

 private:
  struct Problem {
    int order;  // of the element in the document
    Error error;
  };
  std::vector<Problem> found_;
  SourceLocation first_nan_;
  std::vector<std::string> warnings_;
};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_XML_PROBLEMS_H_
