// Words of MJCF that older releases had: attributes, values of attributes and elements, from tables/mjcf_gone.json.
// They are refused with what to do, and migrate.h does it where it can be done.
#ifndef SINEW_MJCF_SCHEMA_GONE_H_
#define SINEW_MJCF_SCHEMA_GONE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew::mjcf {

enum class GoneAction : std::uint8_t {
  kDelete,   // the attribute has no effect
  kRename,   // to another attribute, with the values in pairs where they have new words too
  kSpecial,  // more than the attribute changes (migrate.cc)
  kTell,     // a person must decide
};

struct GoneWord {
  const char* tag;        // of the element
  const char* attribute;  // "": the element itself
  const char* value;      // "": any
  const char* since;      // the release that does not have it any more
  GoneAction action;
  const char* to;
  const char* values;  // "old new old new"
  const char* advice;

  std::string Problem() const;  // "attribute 'apirate' is gone since MuJoCo 3.3.7"
  std::string Remedy() const;
};

std::span<const GoneWord> GoneWords();

// The row for an attribute with its value, or for an element where the attribute is empty; null: there is none.
// An attribute that is an error only in some places (class of default) is found by its reader.
const GoneWord* FindGone(std::string_view tag, std::string_view attribute, std::string_view value);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_SCHEMA_GONE_H_
