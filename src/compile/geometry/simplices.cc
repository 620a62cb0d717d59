// Elements of flexes as simplices: the edges that they share, the border of a solid, and the distance of each element
// from it. Numbers of edges are in the order of their first use, which models of MuJoCo 3.8.0 share.
#include "compile/geometry/simplices.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

namespace sinew::inline compile {
namespace {

// Facets of an element: dim + 1 of them with dim vertices each. Those of a tetrahedron turn outward.
constexpr int kFacets[4][4][3] = {
    {}, {{0}, {1}}, {{0, 1}, {1, 2}, {2, 0}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};

struct Facet {
  std::array<int, 3> key;       // sorted vertices; the same for all elements that share the facet
  std::array<int, 3> vertices;  // as the element turns
  int element, opposite;        // the vertex of the element that is not in the facet
};

bool SameVertices(const Facet& a, const Facet& b) { return a.key == b.key; }

// All facets of all elements, those of the same vertices side by side.
std::vector<Facet> CollectFacets(const Simplices& s) {
  std::vector<Facet> facets;
  for (int e = 0; e < s.count(); ++e) {
    const int* v = s.element(e);
    for (int f = 0; f <= s.dim; ++f) {
      Facet facet = {{-1, -1, -1}, {-1, -1, -1}, e, 0};
      for (int k = 0; k <= s.dim; ++k) facet.opposite += v[k];
      for (int k = 0; k < s.dim; ++k) {
        const int vertex = v[kFacets[s.dim][f][k]];
        facet.vertices[static_cast<size_t>(k)] = vertex;
        facet.opposite -= vertex;
      }
      facet.key = facet.vertices;
      std::sort(facet.key.begin(), facet.key.end());
      facets.push_back(facet);
    }
  }
  std::stable_sort(facets.begin(), facets.end(), [](const Facet& a, const Facet& b) { return a.key < b.key; });
  return facets;
}

// Numbers edges at their first use; the second and last element of an edge gives the second flap.
void FindEdges(Simplices& s) {
  std::map<std::array<int, 2>, int> ids;
  for (int e = 0; e < s.count(); ++e) {
    const int* v = s.element(e);
    for (int k = 0; k < kElementEdges[s.dim]; ++k) {
      const int a = v[kLocalEdges[s.dim][k][0]], b = v[kLocalEdges[s.dim][k][1]];
      const std::array<int, 2> edge = {std::min(a, b), std::max(a, b)};
      const auto [found, is_new] = ids.try_emplace(edge, static_cast<int>(s.edges.size()));
      if (is_new) {
        s.edges.push_back(edge);
        s.flaps.push_back({-1, -1});
      }
      s.element_edges.push_back(found->second);
      if (s.dim == 2) s.flaps[static_cast<size_t>(found->second)][is_new ? 0 : 1] = v[k];
    }
  }
}

// The distance of each element from the border: a breadth-first walk through shared facets.
std::vector<int> FindLayers(const Simplices& s, const std::vector<Facet>& facets, const std::vector<bool>& at_border) {
  const auto count = static_cast<size_t>(s.count());
  std::vector<std::vector<size_t>> neighbors(count);
  for (size_t i = 0; i + 1 < facets.size(); ++i) {
    if (!SameVertices(facets[i], facets[i + 1])) continue;
    const auto a = static_cast<size_t>(facets[i].element), b = static_cast<size_t>(facets[i + 1].element);
    neighbors[a].push_back(b);
    neighbors[b].push_back(a);
  }
  std::vector<int> layers(count, -1);
  std::queue<size_t> front;
  const auto visit = [&](size_t element, int layer) {
    if (layers[element] >= 0) return;
    layers[element] = layer;
    front.push(element);
  };
  for (size_t e = 0; e < count; ++e) {
    if (at_border[e]) visit(e, 0);
  }
  for (; !front.empty(); front.pop()) {
    for (const size_t next : neighbors[front.front()]) visit(next, layers[front.front()] + 1);
  }
  // A closed piece has no border.
  std::replace(layers.begin(), layers.end(), -1, 0);
  return layers;
}

}  // namespace

Simplices FindSimplices(int dim, std::vector<int> vertices) {
  Simplices s;
  s.dim = dim;
  s.vertices = std::move(vertices);
  FindEdges(s);

  // The border: facets of one element only.
  const std::vector<Facet> facets = CollectFacets(s);
  std::vector<bool> at_border(static_cast<size_t>(s.count()));
  for (size_t i = 0; i < facets.size(); ++i) {
    const bool shared = (i > 0 && SameVertices(facets[i - 1], facets[i])) ||
                        (i + 1 < facets.size() && SameVertices(facets[i], facets[i + 1]));
    if (shared) continue;
    at_border[static_cast<size_t>(facets[i].element)] = true;
    s.shell.insert(s.shell.end(), facets[i].vertices.begin(), facets[i].vertices.begin() + dim);
  }

  s.layers.resize(static_cast<size_t>(s.count()));
  if (dim == 3) {
    s.layers = FindLayers(s, facets, at_border);
    return s;
  }
  // Neighbors of which one is at the border can fold onto each other.
  for (size_t i = 0; i + 1 < facets.size(); ++i) {
    const Facet &a = facets[i], &b = facets[i + 1];
    if (!SameVertices(a, b)) continue;
    if (!at_border[static_cast<size_t>(a.element)] && !at_border[static_cast<size_t>(b.element)]) continue;
    s.evpairs.push_back({b.element, a.opposite});
    s.evpairs.push_back({a.element, b.opposite});
  }
  return s;
}

}  // namespace sinew::inline compile
