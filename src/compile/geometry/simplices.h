// Edges, flaps, borders and layers of a mesh of segments, triangles or tetrahedra, which follow from its adjacency.
#ifndef SINEW_COMPILE_GEOMETRY_SIMPLICES_H_
#define SINEW_COMPILE_GEOMETRY_SIMPLICES_H_

#include <array>
#include <cstddef>
#include <vector>

#include "math/element_edges.h"

namespace sinew::inline compile {

struct Simplices {
  int dim = 0;
  std::vector<int> vertices;                // dim + 1 for each element
  std::vector<std::array<int, 2>> edges;    // smaller vertex first, in order of first use
  std::vector<int> element_edges;           // kElementEdges[dim] for each element
  std::vector<std::array<int, 2>> flaps;    // for each edge, the opposite vertices in its two triangles, -1: none
  std::vector<int> shell;                   // border facets, dim vertices each, as their elements turn
  std::vector<int> layers;                  // of each tetrahedron: elements between it and the border
  std::vector<std::array<int, 2>> evpairs;  // element, and the vertex of a neighbor that does not belong to it

  int count() const { return static_cast<int>(vertices.size()) / (dim + 1); }
  const int* element(int i) const { return vertices.data() + static_cast<size_t>(i * (dim + 1)); }
};

Simplices FindSimplices(int dim, std::vector<int> vertices);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_GEOMETRY_SIMPLICES_H_
