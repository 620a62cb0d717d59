// Which tag has no end: what the parser, which only sees that two do not match, cannot say.
#ifndef SINEW_MJCF_XML_XML_END_TAGS_H_
#define SINEW_MJCF_XML_XML_END_TAGS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::mjcf {

struct Imbalance {
  std::size_t opened;   // offset of the tag that is not closed; of the end tag, if nothing was opened
  std::string problem;  // "<body> is closed by </worldbody>", ...
};

// The first imbalance of a text; none if each tag has its end.
std::optional<Imbalance> FindImbalance(std::string_view text);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_XML_XML_END_TAGS_H_
