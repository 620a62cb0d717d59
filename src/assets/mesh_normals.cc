// Normals at vertices are means over the faces there, so that surfaces look smooth unless an edge is sharp.
#include "assets/mesh_normals.h"

#include <cmath>

namespace sinew::inline assets {
namespace {

// Twice the area [m^2] below which a face, or the sum of the faces around a vertex, has no direction: the limit with
// which MuJoCo 3.8.0 makes models. Faces that stand back to back leave a sum of rounding errors.
constexpr double kSliver = 1e-7;

constexpr double kSharp = 0.8;  // cosine of the angle between a face and the mean beyond which an edge is sharp

// A unit vector; e_z when there is no direction.
Vec3<double> UnitOrUp(const Vec3<double>& v) {
  const double norm = Norm(v);
  if (!(norm >= kMinVal)) return {0, 0, 1};
  return v * (1 / norm);
}

// Adds in single precision, as models on file were made: where large faces cancel, it shows.
void Accumulate(const Vec3<double>& v, Vec3<float>& sum) {
  for (int i = 0; i < 3; ++i) sum[i] = static_cast<float>(sum[i] + v[i]);
}

Vec3<double> ToDouble(const Vec3<float>& v) { return {v.x, v.y, v.z}; }

}  // namespace

std::vector<float> VertexNormals(std::span<const Vec3<double>> vertices, std::span<const int> faces, bool smooth) {
  // Calls visit(vertex, twice the area vector of the face) for every corner of every face that has a direction.
  const auto for_each_corner = [&](auto&& visit) {
    for (size_t i = 0; i + 2 < faces.size(); i += 3) {
      const auto a = static_cast<size_t>(faces[i]), b = static_cast<size_t>(faces[i + 1]),
                 c = static_cast<size_t>(faces[i + 2]);
      const Vec3<double> cross = Cross(vertices[b] - vertices[a], vertices[c] - vertices[a]);
      if (!(Norm(cross) >= kSliver)) continue;
      for (const size_t vertex : {a, b, c}) visit(vertex, cross);
    }
  };

  // The sum over all faces at a vertex, then without those that are far from it; all are far from a sum without
  // direction.
  std::vector<Vec3<float>> sums(vertices.size(), Vec3<float>{0, 0, 0});
  for_each_corner([&](size_t vertex, const Vec3<double>& area) { Accumulate(area, sums[vertex]); });
  if (!smooth) {
    std::vector<Vec3<double>> means;
    means.reserve(sums.size());
    for (const Vec3<float>& sum : sums) {
      const double norm = Norm(ToDouble(sum));
      means.push_back(norm >= kSliver ? ToDouble(sum) * (1 / norm) : Vec3<double>{0, 0, 0});
    }
    std::vector<Vec3<float>> excluded(vertices.size(), Vec3<float>{0, 0, 0});
    for_each_corner([&](size_t vertex, const Vec3<double>& area) {
      if (Dot(area, means[vertex]) < kSharp * Norm(area)) Accumulate(area, excluded[vertex]);
    });
    for (size_t i = 0; i < sums.size(); ++i) sums[i] -= excluded[i];
  }

  std::vector<float> normals;
  normals.reserve(3 * sums.size());
  for (const Vec3<float>& sum : sums) {
    const Vec3<double> unit = UnitOrUp(ToDouble(sum));
    for (int i = 0; i < 3; ++i) normals.push_back(static_cast<float>(unit[i]));
  }
  return normals;
}

}  // namespace sinew::inline assets
