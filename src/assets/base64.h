// Bytes in text files.
#ifndef SINEW_ASSETS_BASE64_H_
#define SINEW_ASSETS_BASE64_H_

#include <optional>
#include <string_view>

#include "core/vfs.h"

namespace sinew::inline assets {

// The bytes of base64 (RFC 4648), of one block or of several that end with their padding one behind the other; nothing
// where a character is no letter of it.
std::optional<Bytes> FromBase64(std::string_view text);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_BASE64_H_
