#include "assets/mesh_normals.h"

#include <cmath>

namespace sinew {
namespace {

constexpr double kSharp = 0.8;  // cosine of the angle between a face and the mean beyond which an edge is sharp

// A unit vector; e_z when there is no direction.
Vec3<double> UnitOrUp(const Vec3<double>& v) {
  const double norm = Norm(v);
  if (!(norm >= kMinVal)) return {0, 0, 1};
  return v * (1 / norm);
}

}  // namespace

std::vector<Vec3<double>> VertexNormals(std::span<const Vec3<double>> vertices, std::span<const int> faces,
                                        bool smooth) {
  // The mean over the faces around each vertex that `counts` lets in.
  const auto means = [&](auto&& counts) {
    std::vector<Vec3<double>> sums(vertices.size(), Vec3<double>{0, 0, 0});
    for (size_t i = 0; i + 2 < faces.size(); i += 3) {
      const auto a = static_cast<size_t>(faces[i]), b = static_cast<size_t>(faces[i + 1]),
                 c = static_cast<size_t>(faces[i + 2]);
      const Vec3<double> normal = Cross(vertices[b] - vertices[a], vertices[c] - vertices[a]);
      for (const size_t vertex : {a, b, c}) {
        if (counts(vertex, normal)) sums[vertex] += normal;
      }
    }
    for (Vec3<double>& sum : sums) sum = UnitOrUp(sum);
    return sums;
  };
  const std::vector<Vec3<double>> all = means([](size_t, const Vec3<double>&) { return true; });
  if (smooth) return all;
  return means([&](size_t vertex, const Vec3<double>& normal) { return Dot(UnitOrUp(normal), all[vertex]) >= kSharp; });
}

}  // namespace sinew
