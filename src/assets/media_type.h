// Formats of files.
#ifndef SINEW_ASSETS_MEDIA_TYPE_H_
#define SINEW_ASSETS_MEDIA_TYPE_H_

#include <string>
#include <string_view>

namespace sinew::inline assets {

// "type/subtype" in lower case: what the user declares ("image/png; key=value"), or else what the extension of the file
// tells. Empty when the declaration is not well-formed or the extension is unknown.
std::string MediaType(std::string_view declared, std::string_view file);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MEDIA_TYPE_H_
