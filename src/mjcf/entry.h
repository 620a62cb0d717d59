// The entry of the reference that says what an element or attribute means: `sinew schema body/geom size` prints it.
#ifndef SINEW_MJCF_ENTRY_H_
#define SINEW_MJCF_ENTRY_H_

#include <string>
#include <string_view>

#include "core/error.h"
#include "mjcf/schema/schema.h"

namespace sinew::mjcf {

// "see: sinew schema body/geom size"; without an attribute, the entry of the element.
std::string SeeEntry(const ElementRow& row, std::string_view attribute);

// The same error, in whose remedies stands what to look up, for elements that came from a file of MJCF: the attribute
// that problem or remedy names first, else the element. What names an entry already stays as it is.
Error WithEntries(const Error& error);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_ENTRY_H_
