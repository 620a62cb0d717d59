// Binary STL (3D Systems, 1989): a header of 80 bytes, a count, and for each triangle a normal, three corners and two
// bytes for the user. Triangles do not share corners; the loader finds out which are the same.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "assets/bytes.h"
#include "assets/mesh_files.h"

namespace sinew {
namespace {

constexpr size_t kHeader = 80, kNormal = 12, kCorner = 12, kAttribute = 2;
constexpr size_t kTriangle = kNormal + 3 * kCorner + kAttribute;
constexpr uint32_t kMaxFaces = 200000;
constexpr float kMaxCoordinate = 1 << 30;  // m

constexpr const char* kRemedy = "save it as binary STL; text is not read";

// The coordinates of a corner, bit by bit.
using Corner = std::array<uint32_t, 3>;

// Vertices found so far: a hash table with open addressing, never more than half full.
class VertexTable {
 public:
  explicit VertexTable(size_t corners) : slots_(std::bit_ceil(2 * corners + 1), -1) {}

  // The number of a corner's vertex; a new one is appended to `vertices`.
  int Number(const Corner& corner, std::vector<Corner>& vertices) {
    const size_t mask = slots_.size() - 1;
    for (size_t slot = Hash(corner) & mask;; slot = (slot + 1) & mask) {
      int& entry = slots_[slot];
      if (entry < 0) {
        entry = static_cast<int>(vertices.size());
        vertices.push_back(corner);
      }
      if (vertices[static_cast<size_t>(entry)] == corner) return entry;
    }
  }

 private:
  // Multiplicative hashing (Knuth, The Art of Computer Programming, 6.4), one odd factor a word.
  static size_t Hash(const Corner& c) {
    const uint64_t mixed = c[0] * 0x9E3779B97F4A7C15u ^ c[1] * 0xC2B2AE3D27D4EB4Fu ^ c[2] * 0x165667B19E3779F9u;
    return static_cast<size_t>(mixed ^ (mixed >> 32));
  }

  std::vector<int> slots_;
};

// The count of triangles, after the length of the file has been checked against it.
uint32_t TakeCount(ByteReader& reader) {
  reader.Skip(kHeader);
  const auto count = reader.Take<uint32_t>();
  if (count < 1 || count > kMaxFaces) {
    throw Error("the STL file declares " + std::to_string(count) + " faces, 1 to " + std::to_string(kMaxFaces) +
                    " are allowed; perhaps it is a text file",
                kRemedy);
  }
  if (reader.left() != count * kTriangle) {
    throw Error("the STL file declares " + std::to_string(count) + " faces and has " + std::to_string(reader.left()) +
                    " bytes of them, not " + std::to_string(count * kTriangle) + "; perhaps it is a text file",
                kRemedy);
  }
  return count;
}

}  // namespace

MeshData LoadStl(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeader + sizeof(uint32_t)) throw Error("the STL file has no complete header", kRemedy);
  ByteReader reader(bytes);
  const uint32_t count = TakeCount(reader);

  MeshData mesh;
  mesh.face.reserve(3 * size_t{count});
  std::vector<Corner> vertices;
  VertexTable table(3 * size_t{count});
  for (uint32_t i = 0; i < count; ++i) {
    reader.Skip(kNormal);
    for (int k = 0; k < 3; ++k) mesh.face.push_back(table.Number(reader.Take<Corner>(), vertices));
    reader.Skip(kAttribute);
  }

  mesh.vertex.reserve(3 * vertices.size());
  for (const Corner& corner : vertices) {
    for (const uint32_t bits : corner) {
      const auto coordinate = std::bit_cast<float>(bits);
      if (std::fabs(coordinate) > kMaxCoordinate) {
        throw Error("a coordinate in the STL file is " + std::to_string(coordinate), "check the units of the file");
      }
      mesh.vertex.push_back(coordinate);
    }
  }
  return mesh;
}

}  // namespace sinew
