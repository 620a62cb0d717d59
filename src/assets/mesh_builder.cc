// Cuts polygons, and finds equal corners by a hash table.
#include "assets/mesh_builder.h"

#include <algorithm>
#include <bit>
#include <random>
#include <string>

#include "assets/polygon_cut.h"
#include "core/error.h"
#include "core/load_limits.h"

namespace sinew::inline assets {
namespace {

// Cutting takes up to the third power of the number of corners. Longer polygons are the caps of cylinders.
constexpr size_t kLongestCut = 255;

// Vertices found so far: a hash table with open addressing, never more than half full.
class VertexTable {
 public:
  explicit VertexTable(size_t corners) : slots_(std::bit_ceil(2 * corners + 1), -1) {}

  // The number of a corner's vertex; a new one is appended to `vertices`.
  int Number(const CornerBits& corner, std::vector<CornerBits>& vertices) {
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
  // Multiplicative hashing (Knuth, The Art of Computer Programming, 6.4), one odd factor a word. It begins elsewhere in
  // every process, so that no file can be made whose corners all collide; numbers of vertices do not depend on it.
  static size_t Hash(const CornerBits& c) {
    static const uint64_t seed = uint64_t{std::random_device()()} << 32 | std::random_device()();
    uint64_t mixed =
        (c[0] + seed) * 0x9E3779B97F4A7C15u ^ (c[1] + seed) * 0xC2B2AE3D27D4EB4Fu ^ (c[2] + seed) * 0x165667B19E3779F9u;
    mixed = (mixed ^ (mixed >> 32)) * 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(mixed ^ (mixed >> 29));
  }

  std::vector<int> slots_;
};

int CheckedVertex(int64_t index, std::span<const float> vertices) {
  const auto count = static_cast<int64_t>(vertices.size() / 3);
  if (index >= 0 && index < count) return static_cast<int>(index);
  throw Error("a face names the vertex " + std::to_string(index) + ", and there are " + std::to_string(count),
              "vertices are counted from 0 here; save the file again");
}

}  // namespace

MeshData JoinCorners(std::span<const CornerBits> corners) {
  MeshData mesh;
  mesh.face.reserve(corners.size());
  std::vector<CornerBits> vertices;
  VertexTable table(corners.size());
  for (const CornerBits& corner : corners) mesh.face.push_back(table.Number(corner, vertices));
  mesh.vertex.reserve(3 * vertices.size());
  for (const CornerBits& corner : vertices) {
    for (const uint32_t bits : corner) mesh.vertex.push_back(std::bit_cast<float>(bits));
  }
  return mesh;
}

// The two zeros are one place.
void MeshBuilder::AddCorner(const float (&point)[3]) {
  CornerBits& bits = corners_.emplace_back();
  for (size_t i = 0; i < 3; ++i) bits[i] = std::bit_cast<uint32_t>(point[i] + 0.0f);
}

void MeshBuilder::AddTriangle(int64_t a, int64_t b, int64_t c, std::span<const float> vertices) {
  for (const int64_t index : {a, b, c}) {
    const float* v = vertices.data() + 3 * static_cast<size_t>(CheckedVertex(index, vertices));
    AddCorner({v[0], v[1], v[2]});
  }
}

void MeshBuilder::AddPolygon(std::span<const int64_t> polygon, std::span<const float> vertices) {
  if (polygon.size() < 4 || polygon.size() > kLongestCut) return AddFan(polygon, vertices);
  polygon_.clear();
  for (const int64_t index : polygon) polygon_.push_back(CheckedVertex(index, vertices));
  CheckLoadTime("cutting the polygons of a mesh into triangles");
  for (const int place : CutPolygon(polygon_, vertices)) {
    const float* v = vertices.data() + 3 * static_cast<size_t>(polygon_[static_cast<size_t>(place)]);
    AddCorner({v[0], v[1], v[2]});
  }
}

void MeshBuilder::AddFan(std::span<const int64_t> fan, std::span<const float> vertices) {
  for (size_t k = 2; k < fan.size(); ++k) AddTriangle(fan[0], fan[k - 1], fan[k], vertices);
}

void MeshBuilder::AddStrip(std::span<const int64_t> strip, std::span<const float> vertices) {
  constexpr int64_t kRestart = -1;
  size_t first = 0;
  for (size_t k = 0; k < strip.size(); ++k) {
    if (strip[k] == kRestart) {
      first = k + 1;
    } else if (k >= first + 2) {
      const bool turned = (k - first) % 2 == 1;
      AddTriangle(strip[k - (turned ? 1 : 2)], strip[k - (turned ? 2 : 1)], strip[k], vertices);
    }
  }
}

MeshData MeshBuilder::Finish(std::vector<float> points) const {
  if (!corners_.empty()) return JoinCorners(corners_);
  MeshData mesh;
  mesh.vertex = std::move(points);
  return mesh;
}

}  // namespace sinew::inline assets
