// Affine placements of the nodes of a scene.
#ifndef SINEW_ASSETS_SCENE_PLACEMENT_H_
#define SINEW_ASSETS_SCENE_PLACEMENT_H_

#include <bit>
#include <span>

#include "assets/mesh_builder.h"
#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline assets {

// x -> A x + b, from the frame of a node to that of its parent.
struct ScenePlacement {
  Mat3<double> A = Identity3<double>();
  Vec3<double> b = {0, 0, 0};

  // The rows of a matrix of 3 x 4 numbers.
  static ScenePlacement FromRows(std::span<const double, 12> m) {
    return {{{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}}, {m[3], m[7], m[11]}};
  }

  // First `inner`, then this one.
  ScenePlacement operator*(const ScenePlacement& inner) const { return {A * inner.A, A * inner.b + b}; }

  // Adds triangles, three corners each, where they are placed. A mirrored triangle is turned, so that its outside stays
  // outside.
  void Add(std::span<const CornerBits> triangles, MeshBuilder& to) const {
    const bool mirrors = Dot(A.Row(0), Cross(A.Row(1), A.Row(2))) < 0;
    for (size_t first = 0; first + 2 < triangles.size(); first += 3) {
      for (const size_t k : {size_t{0}, size_t{mirrors ? 2u : 1u}, size_t{mirrors ? 1u : 2u}}) {
        const CornerBits& bits = triangles[first + k];
        const Vec3<double> p = A * Vec3<double>{std::bit_cast<float>(bits[0]), std::bit_cast<float>(bits[1]),
                                                std::bit_cast<float>(bits[2])} +
                               b;
        to.AddCorner({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      }
    }
  }
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_SCENE_PLACEMENT_H_
