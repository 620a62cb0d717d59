// Pictures in KTX files, as they begin (Khronos Texture File Format, versions 1 and 2, section 3.1): models hold such
// files as they are, for renderers that read them.
#ifndef SINEW_CORE_KTX_H_
#define SINEW_CORE_KTX_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew::inline core {

inline constexpr size_t kKtxIdentifierSize = 12;

// Bytes 5 and 6 are the version, "11" or "20".
inline bool IsKtx(const uint8_t* bytes, size_t count) {
  constexpr std::array<uint8_t, kKtxIdentifierSize> kVersion1 = {0xAB, 'K',  'T',  'X',  ' ',  '1',
                                                                 '1',  0xBB, '\r', '\n', 0x1A, '\n'},
                                                    kVersion2 = {0xAB, 'K',  'T',  'X',  ' ',  '2',
                                                                 '0',  0xBB, '\r', '\n', 0x1A, '\n'};
  return count >= kKtxIdentifierSize && (std::equal(kVersion1.begin(), kVersion1.end(), bytes) ||
                                         std::equal(kVersion2.begin(), kVersion2.end(), bytes));
}

}  // namespace sinew::inline core

#endif  // SINEW_CORE_KTX_H_
