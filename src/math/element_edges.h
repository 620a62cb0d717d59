// Segments, triangles and tetrahedra, the elements of flexes, by their dimension.
#ifndef SINEW_MATH_ELEMENT_EDGES_H_
#define SINEW_MATH_ELEMENT_EDGES_H_

namespace sinew::inline math {

// Edges of an element, as places of their vertices in it; in a triangle, an edge has the place of the opposite vertex.
inline constexpr int kElementEdges[4] = {0, 1, 3, 6};
inline constexpr int kLocalEdges[4][6][2] = {
    {}, {{0, 1}}, {{1, 2}, {2, 0}, {0, 1}}, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}}};

}  // namespace sinew::inline math

#endif  // SINEW_MATH_ELEMENT_EDGES_H_
