#include "assets/base64.h"

#include <cstdint>

namespace sinew::inline assets {

std::optional<Bytes> FromBase64(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes bytes;
  bytes.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    if (letter == '=') {  // padding: the bits that are left are none of a byte
      count = 0;
      continue;
    }
    const size_t value = kLetters.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<unsigned char>(bits >> count & 0xff));
  }
  return bytes;
}

}  // namespace sinew::inline assets
