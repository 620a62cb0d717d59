// Common part of the mesh readers: polygons become triangles, and corners at the same place become one vertex.
#ifndef SINEW_ASSETS_MESH_BUILDER_H_
#define SINEW_ASSETS_MESH_BUILDER_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "assets/mesh_data.h"

namespace sinew::inline assets {

// The coordinates of a corner of a triangle, bit by bit.
using CornerBits = std::array<uint32_t, 3>;

// Triangles, three corners each, as a mesh: corners with the same bits are one vertex, numbered in the order of first
// use. Takes time in proportion to the number of corners.
MeshData JoinCorners(std::span<const CornerBits> corners);

// Collects the faces of a file.
class MeshBuilder {
 public:
  // A polygon, cut into triangles. `polygon` are indices into `vertices`, which has three coordinates for each. Throws
  // Error on an index that has no vertex. Polygons of more than 255 corners are taken for convex.
  void AddPolygon(std::span<const int64_t> polygon, std::span<const float> vertices);

  // A strip, in which each vertex makes a triangle with the two before it, turned in alternation; an index of -1 begins
  // a new strip. A fan, in which all triangles share the first vertex.
  void AddStrip(std::span<const int64_t> strip, std::span<const float> vertices);
  void AddFan(std::span<const int64_t> fan, std::span<const float> vertices);

  size_t corner_count() const { return corners_.size(); }
  std::span<const CornerBits> corners() const { return corners_; }
  void AddCorner(const float (&point)[3]);

  // The mesh of all triangles; where there are none, the points alone, which are those of a hull.
  MeshData Finish(std::vector<float> points = {}) const;

 private:
  void AddTriangle(int64_t a, int64_t b, int64_t c, std::span<const float> vertices);

  std::vector<CornerBits> corners_;
  std::vector<int> polygon_;  // of the present face
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_BUILDER_H_
