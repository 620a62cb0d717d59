#include "collision/convex/hull_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "collision/convex/normal_cones.h"

namespace sinew::inline collision {
namespace {

// Cells along an edge of the cube: the root of the vertices over this, so that a cell has a vertex or two of its own.
constexpr double kVerticesOfEdge = 4;
constexpr int kLeastCells = 4, kMostCells = 64;

int CellsFor(int vertices) {
  const int cells = static_cast<int>(std::lround(std::sqrt(static_cast<double>(vertices)) / kVerticesOfEdge));
  return std::clamp(cells, kLeastCells, kMostCells);
}

uint32_t BlocksOf(uint32_t vertices) { return (vertices + PointBlock::kPoints - 1) / PointBlock::kPoints; }

// The vertices of each cell, in ascending order.
struct CellLists {
  std::vector<uint32_t> end;  // of each cell in `vertex`
  std::vector<int> vertex;
  size_t blocks = 0;
};

CellLists MakeLists(const Hull& hull, int cells) {
  NormalCones cones(hull, cells);
  std::vector<int> met;                 // cells, vertex by vertex
  std::vector<uint32_t> end_of_vertex;  // in `met`
  for (int v = 0; v < hull.Count(); ++v) {
    cones.AppendCells(v, met);
    end_of_vertex.push_back(static_cast<uint32_t>(met.size()));
  }
  CellLists lists;
  const auto count = static_cast<size_t>(6 * cells * cells);
  std::vector<uint32_t> size(count, 0);
  for (const int cell : met) ++size[static_cast<size_t>(cell)];
  for (const uint32_t n : size) lists.blocks += BlocksOf(n);
  lists.end.resize(count);
  std::exclusive_scan(size.begin(), size.end(), lists.end.begin(), uint32_t{0});
  lists.vertex.resize(met.size());
  size_t next = 0;
  for (int v = 0; v < hull.Count(); ++v) {
    for (; next < end_of_vertex[static_cast<size_t>(v)]; ++next) {
      lists.vertex[lists.end[static_cast<size_t>(met[next])]++] = v;
    }
  }
  return lists;
}

}  // namespace

HullTable::HullTable(const Hull& hull) : whole_(hull), signature_(SignatureOf(hull)) {
  if (hull.HasGraph() && hull.Count() > kSearchedWhole) {
    ListByCells(hull);
  } else {
    ListAll(hull);
  }
  first_.push_back(static_cast<uint32_t>(block_.size()));
  lists_.first = first_.data();
  lists_.block = block_.data();
  lists_.whole = &whole_;
}

// In the order in which equal vertices count: that of the mesh in a small one.
void HullTable::ListAll(const Hull& hull) {
  std::vector<int> vertices(static_cast<size_t>(hull.Count()));
  std::iota(vertices.begin(), vertices.end(), 0);
  if (hull.IsOfSmallMesh()) {
    std::sort(vertices.begin(), vertices.end(),
              [&hull](int a, int b) { return hull.MeshVertex(a) < hull.MeshVertex(b); });
  }
  AddList(hull, vertices.data(), hull.Count());
}

void HullTable::ListByCells(const Hull& hull) {
  const size_t most = std::max(kMaxBytes, size_t{32} * static_cast<size_t>(hull.Count())) / sizeof(PointBlock);
  lists_.cells = CellsFor(hull.Count());
  CellLists lists = MakeLists(hull, lists_.cells);
  while (lists.blocks > most && lists_.cells > 1) {
    lists_.cells -= (lists_.cells + 3) / 4;
    lists = MakeLists(hull, lists_.cells);
  }
  block_.reserve(lists.blocks);
  uint32_t begin = 0;
  for (const uint32_t end : lists.end) {
    AddList(hull, lists.vertex.data() + begin, static_cast<int>(end - begin));
    begin = end;
  }
}

// The last block is filled with its first vertex, which never comes before itself.
void HullTable::AddList(const Hull& hull, const int* vertices, int count) {
  first_.push_back(static_cast<uint32_t>(block_.size()));
  for (int i = 0; i < count; i += PointBlock::kPoints) {
    PointBlock& block = block_.emplace_back();
    for (int k = 0; k < PointBlock::kPoints; ++k) {
      const int vertex = vertices[i + k < count ? i + k : i];
      const Vec3<double> v = hull.Vertex(vertex);
      block.x[k] = v.x;
      block.y[k] = v.y;
      block.z[k] = v.z;
      block.name[k] = vertex;
    }
  }
}

// The hash of Fowler, Noll and Vo (FNV-1a), a coordinate at a time.
uint64_t HullTable::SignatureOf(const Hull& hull) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < hull.Count(); ++i) {
    for (int k = 0; k < 3; ++k) hash = (hash ^ std::bit_cast<uint32_t>(hull.Coordinates(i)[k])) * 0x100000001b3;
  }
  return hash;
}

}  // namespace sinew::inline collision
