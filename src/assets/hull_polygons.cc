// Merges coplanar triangles of a hull to polygons, whose vertices go around in order.
#include "assets/hull_polygons.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "simd/functions.h"

namespace sinew::inline assets {
namespace {

// ---- directions, in cells of azimuth and polar angle

constexpr double kCell = 0.01;      // rad
constexpr double kPole = 1 - 1e-7;  // |z| above which azimuth means nothing

struct Cell {
  double azimuth, polar;  // whole numbers of steps
  bool operator==(const Cell&) const = default;
};

Cell CellOf(const Vec3<double>& normal) {
  // Adding zero turns -0 into 0: the azimuth is pi then, not -pi, and zeros have the same bits.
  const double azimuth = std::fabs(normal.z) > kPole ? 0 : Atan2(normal.y + 0.0, normal.x);
  const double polar = Acos(std::clamp(normal.z, -1.0, 1.0));
  return {std::round(azimuth / kCell) + 0.0, std::round(polar / kCell) + 0.0};
}

// The faces of each cell. The order of cells is that of a hash table with chaining, in which new chains go in front of
// the others, new members in front of their chain, and whose size runs through primes: models on file number their
// polygons so, and it costs nothing to agree with them.
class CellTable {
 public:
  CellTable() : entries_(1) {}

  // The faces of a cell, which is added if it is new.
  std::vector<int>& operator[](const Cell& cell) {
    const uint64_t hash = std::bit_cast<uint64_t>(cell.azimuth) ^ std::bit_cast<uint64_t>(cell.polar);
    if (!before_.empty() && before_[Bucket(hash)] != kNone) {
      for (size_t i = Next(before_[Bucket(hash)]); i != kNone && Bucket(entries_[i].hash) == Bucket(hash);
           i = Next(i)) {
        if (entries_[i].cell == cell) return entries_[i].faces;
      }
    }
    if (entries_.size() > before_.size()) Grow();
    entries_.push_back({cell, hash, kNone, {}});
    LinkToChain(entries_.size() - 1);
    return entries_.back().faces;
  }

  // Calls visit(faces) for every cell.
  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (size_t i = Next(kHead); i != kNone; i = Next(i)) visit(entries_[i].faces);
  }

 private:
  static constexpr size_t kHead = 0, kNone = SIZE_MAX;

  // A member of the list of all cells, in which every chain is a run; the head holds no cell.
  struct Entry {
    Cell cell = {};
    uint64_t hash = 0;
    size_t next = kNone;
    std::vector<int> faces;
  };

  size_t Next(size_t entry) const { return entries_[entry].next; }
  size_t Bucket(uint64_t hash) const { return hash % before_.size(); }

  // Puts an entry in front of its chain, or starts a chain in front of the list.
  void LinkToChain(size_t entry) {
    size_t& before = before_[Bucket(entries_[entry].hash)];
    if (before == kNone) {
      before = kHead;
      if (Next(kHead) != kNone) before_[Bucket(entries_[Next(kHead)].hash)] = entry;
    }
    entries_[entry].next = Next(before);
    entries_[before].next = entry;
  }

  // More buckets. Chains keep their order in the list; a member that is not next to its chain moves in front of it.
  void Grow() {
    size_t size = std::max<size_t>(2, 2 * before_.size() + 1);
    while (!IsPrime(size)) ++size;
    before_.assign(size, kNone);
    for (size_t last = kHead; Next(last) != kNone;) {
      const size_t entry = Next(last);
      size_t& before = before_[Bucket(entries_[entry].hash)];
      if (before == kNone) before = last;
      if (before == last || Bucket(entries_[last].hash) == Bucket(entries_[entry].hash)) {
        last = entry;
      } else {
        entries_[last].next = Next(entry);
        entries_[entry].next = Next(before);
        entries_[before].next = entry;
      }
    }
  }

  static bool IsPrime(size_t n) {
    for (size_t i = 2; i * i <= n; ++i) {
      if (n % i == 0) return false;
    }
    return true;
  }

  std::vector<Entry> entries_;
  std::vector<size_t> before_;  // by bucket: the entry in front of the chain
};

// ---- polygons

using Edge = std::pair<int, int>;

// Parts that hang together by edges, of faces in one cell; each part in the order of its faces.
std::vector<std::vector<int>> ConnectedParts(const std::vector<int>& cell, std::span<const int> faces) {
  std::map<Edge, size_t> owner;  // of an edge, the first face of the cell that has it
  std::vector<size_t> root(cell.size());
  std::iota(root.begin(), root.end(), size_t{0});
  const auto find = [&](size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (size_t i = 0; i < cell.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const auto adr = 3 * static_cast<size_t>(cell[i]);
      const auto [from, to] = std::minmax(faces[adr + k], faces[adr + (k + 1) % 3]);
      const auto [known, is_new] = owner.emplace(Edge{from, to}, i);
      if (is_new) continue;
      // The smaller number stays root: parts are listed by their first face.
      const size_t a = find(known->second), b = find(i);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> parts;
  std::vector<size_t> part_of(cell.size());
  for (size_t i = 0; i < cell.size(); ++i) {
    const size_t first = find(i);
    if (first == i) {
      part_of[i] = parts.size();
      parts.emplace_back();
    }
    parts[part_of[first]].push_back(cell[i]);
  }
  return parts;
}

// The boundary of a part, from the first edge of its first face that no other face shares. Three edges are left in the
// order of their faces when the part is `alone` in its cell: around a vertex with three faces this turns the triangle
// over, but models on file have it so.
std::vector<int> Boundary(const std::vector<int>& part, bool alone, std::span<const int> faces) {
  std::vector<Edge> edges;
  for (const int face : part) {
    const auto adr = 3 * static_cast<size_t>(face);
    for (size_t k = 0; k < 3; ++k) edges.emplace_back(faces[adr + k], faces[adr + (k + 1) % 3]);
  }
  // Inner edges are passed in both directions.
  std::vector<Edge> sorted = edges;
  std::sort(sorted.begin(), sorted.end());
  std::erase_if(edges, [&](const Edge& e) {
    return std::binary_search(sorted.begin(), sorted.end(), Edge{e.second, e.first});
  });
  if (edges.empty()) return {};
  if (alone && edges.size() == 3) return {edges[0].first, edges[1].first, edges[2].first};
  std::map<int, int> next(edges.begin(), edges.end());
  std::vector<int> loop = {edges.front().first};
  for (auto edge = next.find(loop.front()); edge != next.end(); edge = next.find(loop.back())) {
    const int to = edge->second;
    next.erase(edge);
    if (to == loop.front()) break;
    loop.push_back(to);
  }
  return loop;
}

}  // namespace

std::vector<std::vector<int>> MergeFaces(std::span<const Vec3<double>> vertices, std::span<const int> faces) {
  CellTable cells;
  for (size_t i = 0; 3 * i + 2 < faces.size(); ++i) {
    const auto corner = [&](size_t k) { return vertices[static_cast<size_t>(faces[3 * i + k])]; };
    Vec3<double> normal = Cross(corner(1) - corner(0), corner(2) - corner(0));
    if (Normalize(normal) < kMinVal) continue;  // a sliver between collinear points
    cells[CellOf(normal)].push_back(static_cast<int>(i));
  }

  std::vector<std::vector<int>> polygons;
  cells.ForEach([&](const std::vector<int>& cell) {
    const std::vector<std::vector<int>> parts = ConnectedParts(cell, faces);
    for (const std::vector<int>& part : parts) polygons.push_back(Boundary(part, parts.size() == 1, faces));
  });
  return polygons;
}

}  // namespace sinew::inline assets
