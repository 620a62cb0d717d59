// PNG files for tests, without compression.
#ifndef SINEW_TESTS_UNIT_ASSETS_PNG_FILE_H_
#define SINEW_TESTS_UNIT_ASSETS_PNG_FILE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

using PngBytes = std::vector<uint8_t>;
using PngChunk = std::pair<std::string_view, PngBytes>;

inline void PutBigEndian(uint32_t value, PngBytes* to) {
  for (int shift = 24; shift >= 0; shift -= 8) to->push_back(static_cast<uint8_t>(value >> shift));
}

// CRC-32 of ISO 3309, bit by bit.
inline uint32_t Crc(const PngBytes& bytes, size_t from) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = from; i < bytes.size(); ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

inline void PutChunk(std::string_view kind, const PngBytes& data, PngBytes* to) {
  PutBigEndian(static_cast<uint32_t>(data.size()), to);
  const size_t start = to->size();
  to->insert(to->end(), kind.begin(), kind.end());
  to->insert(to->end(), data.begin(), data.end());
  PutBigEndian(Crc(*to, start), to);
}

// A zlib stream of one stored block.
inline PngBytes Stored(const PngBytes& data) {
  const auto size = static_cast<uint16_t>(data.size());
  const auto low = [](unsigned x) { return static_cast<uint8_t>(x & 255); };
  PngBytes stream = {0x78, 1, 1, low(size), low(size >> 8), low(~unsigned{size}), low(~unsigned{size} >> 8)};
  stream.insert(stream.end(), data.begin(), data.end());
  uint32_t a = 1, b = 0;  // Adler-32
  for (const uint8_t byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  PutBigEndian(b << 16 | a, &stream);
  return stream;
}

// `rows`: the bytes of all rows, one behind the other.
inline std::vector<std::byte> PngFile(uint32_t width, uint32_t height, int color_type, int depth, const PngBytes& rows,
                                      const std::vector<PngChunk>& chunks = {}) {
  PngBytes header;
  PutBigEndian(width, &header);
  PutBigEndian(height, &header);
  for (const int byte : {depth, color_type, 0, 0, 0}) header.push_back(static_cast<uint8_t>(byte));
  PngBytes filtered;
  const size_t stride = height > 0 ? rows.size() / height : 0;
  for (size_t row = 0; stride > 0 && row < height; ++row) {
    filtered.push_back(0);  // no filter
    filtered.insert(filtered.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * stride),
                    rows.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride));
  }

  PngBytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  PutChunk("IHDR", header, &file);
  for (const auto& [kind, data] : chunks) PutChunk(kind, data, &file);
  PutChunk("IDAT", Stored(filtered), &file);
  PutChunk("IEND", {}, &file);
  std::vector<std::byte> bytes(file.size());
  std::transform(file.begin(), file.end(), bytes.begin(), [](uint8_t byte) { return std::byte{byte}; });
  return bytes;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_ASSETS_PNG_FILE_H_
