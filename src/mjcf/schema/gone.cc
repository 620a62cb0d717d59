#include "mjcf/schema/gone.h"

#include <algorithm>

namespace sinew::mjcf {

std::string GoneWord::Problem() const {
  const std::string what = *value       ? std::string(attribute) + "=\"" + value + "\""
                           : *attribute ? std::string("attribute '") + attribute + "'"
                                        : std::string("element '") + tag + "'";
  return what + " is gone since MuJoCo " + since;
}

std::string GoneWord::Remedy() const {
  return std::string(advice) + (action == GoneAction::kTell ? "" : " ('sinew convert --migrate' does it)");
}

const GoneWord* FindGone(std::string_view tag, std::string_view attribute, std::string_view value) {
  const auto words = GoneWords();
  const auto found = std::find_if(words.begin(), words.end(), [&](const GoneWord& word) {
    return tag == word.tag && attribute == word.attribute && (!*word.value || value == word.value);
  });
  return found == words.end() ? nullptr : &*found;
}

}  // namespace sinew::mjcf
