// Binary STL (3D Systems, 1989): a header of 80 bytes, a count, and for each triangle a normal, three corners and two
// bytes for the user. Triangles do not share corners; which are the same is found by their bits.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "assets/bytes.h"
#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"

namespace sinew::inline assets {
namespace {

constexpr size_t kHeader = 80, kNormal = 12, kCorner = 12, kAttribute = 2;
constexpr size_t kTriangle = kNormal + 3 * kCorner + kAttribute;
constexpr uint32_t kMaxFaces = 200000;
constexpr float kMaxCoordinate = 1 << 30;  // m

constexpr const char* kRemedy = "save it as binary STL";

// ASCII STL begins with "solid", as the headers of some binary files do, and goes on with "facet" in words.
bool IsAscii(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 1000));
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || !text.substr(first).starts_with("solid")) return false;
  return text.find("facet") != std::string_view::npos || text.find("endsolid") != std::string_view::npos;
}

// Whether the file is as long as its count of triangles says.
bool HasBinaryLength(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeader + sizeof(uint32_t)) return false;
  ByteReader reader(bytes);
  reader.Skip(kHeader);
  const auto count = reader.Take<uint32_t>();
  return reader.left() == count * kTriangle;
}

// The count of triangles, after the length of the file has been checked against it.
uint32_t TakeCount(ByteReader& reader) {
  reader.Skip(kHeader);
  const auto count = reader.Take<uint32_t>();
  if (count < 1 || count > kMaxFaces) {
    throw Error(
        "the STL file declares " + std::to_string(count) + " faces, 1 to " + std::to_string(kMaxFaces) + " are allowed",
        kRemedy);
  }
  if (reader.left() != count * kTriangle) {
    throw Error("the STL file declares " + std::to_string(count) + " faces and has " + std::to_string(reader.left()) +
                    " bytes of them, not " + std::to_string(count * kTriangle),
                kRemedy);
  }
  return count;
}

}  // namespace

MeshData LoadStl(std::span<const std::byte> bytes) {
  if (!HasBinaryLength(bytes) && IsAscii(bytes))
    throw Error("the file is ASCII STL, a text file, which is not read", kRemedy);
  if (bytes.size() < kHeader + sizeof(uint32_t)) throw Error("the STL file has no complete header", kRemedy);
  ByteReader reader(bytes);
  const uint32_t count = TakeCount(reader);

  std::vector<CornerBits> corners;
  corners.reserve(3 * size_t{count});
  for (uint32_t i = 0; i < count; ++i) {
    reader.Skip(kNormal);
    for (int k = 0; k < 3; ++k) corners.push_back(reader.Take<CornerBits>());
    reader.Skip(kAttribute);
  }
  MeshData mesh = JoinCorners(corners);
  for (const float coordinate : mesh.vertex) {
    if (std::fabs(coordinate) > kMaxCoordinate) {
      throw Error("a coordinate in the STL file is " + std::to_string(coordinate), "check the units of the file");
    }
  }
  return mesh;
}

}  // namespace sinew::inline assets
