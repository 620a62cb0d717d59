#include "assets/isosurface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/error.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

Vec VertexOf(const MeshData& mesh, int i) {
  const float* v = mesh.vertex.data() + 3 * static_cast<size_t>(i);
  return {v[0], v[1], v[2]};
}

// Every edge of a closed, oriented surface is used once in each direction.
void ExpectClosed(const MeshData& mesh) {
  std::map<std::pair<int, int>, int> uses;
  for (size_t i = 0; i < mesh.face.size(); i += 3) {
    for (size_t k = 0; k < 3; ++k) ++uses[{mesh.face[i + k], mesh.face[i + (k + 1) % 3]}];
  }
  for (const auto& [edge, count] : uses) {
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(uses.contains({edge.second, edge.first}));
  }
}

// V - E + F.
int EulerNumber(const MeshData& mesh) {
  return static_cast<int>(mesh.vertex_count()) - static_cast<int>(mesh.face_count()) / 2;
}

double Volume(const MeshData& mesh) {
  double volume = 0;
  for (size_t i = 0; i < mesh.face.size(); i += 3) {
    const Vec a = VertexOf(mesh, mesh.face[i]), b = VertexOf(mesh, mesh.face[i + 1]),
              c = VertexOf(mesh, mesh.face[i + 2]);
    volume += Dot(a, Cross(b, c)) / 6;
  }
  return volume;
}

TEST(Isosurface, OfABallIsClosedAndRound) {
  const auto ball = [](const Vec& p) { return Norm(p) - .4; };
  const MeshData mesh = Isosurface(ball, {0, 0, 0}, {.5, .5, .5});
  ExpectClosed(mesh);
  EXPECT_EQ(EulerNumber(mesh), 2);
  EXPECT_NEAR(Volume(mesh), 4 * M_PI * .064 / 3, 1e-4);  // cells of 1 cm
  for (size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Vec v = VertexOf(mesh, static_cast<int>(i));
    const Vec normal = {mesh.normal[3 * i], mesh.normal[3 * i + 1], mesh.normal[3 * i + 2]};
    ASSERT_NEAR(Norm(v), .4, 5e-5);  // curvature within a cell
    ASSERT_GT(Dot(normal, v) / Norm(v), .999);
  }
}

// All 254 cases of cells with corners on both sides, as noise has them: still closed.
TEST(Isosurface, OfNoiseIsClosed) {
  const auto noise = [](const Vec& p) {
    if (std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) > .2) return 1.0;
    const auto lattice = [](double x) { return static_cast<unsigned>(std::lround(100 * (x + .5))); };
    unsigned hash = lattice(p.x) + 1000 * lattice(p.y) + 1000000 * lattice(p.z);
    for (const unsigned factor : {0x7feb352dU, 0x846ca68bU}) hash = (hash ^ (hash >> 15)) * factor;
    return hash & 0x10000 ? 1.0 : -1.0;
  };
  const MeshData mesh = Isosurface(noise, {0, 0, 0}, {.5, .5, .5});
  EXPECT_GT(mesh.face_count(), 100000U);
  std::map<std::pair<int, int>, int> uses;  // of directed edges: as often as of the reverse ones
  for (size_t i = 0; i < mesh.face.size(); i += 3) {
    for (size_t k = 0; k < 3; ++k) {
      const int a = mesh.face[i + k], b = mesh.face[i + (k + 1) % 3];
      uses[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  for (const auto& [edge, balance] : uses) ASSERT_EQ(balance, 0);
}

TEST(Isosurface, EndsAtItsBox) {
  const auto below = [](const Vec& p) { return p.z; };
  const MeshData mesh = Isosurface(below, {0, 0, .1}, {1, 1, .25});
  const auto [lowest, highest] = std::minmax_element(mesh.vertex.begin(), mesh.vertex.end());
  EXPECT_EQ(*lowest, -1);
  EXPECT_EQ(*highest, 1);
  for (size_t i = 0; i < mesh.vertex_count(); ++i) ASSERT_NEAR(mesh.vertex[3 * i + 2], 0, 1e-6);  // floats
}

TEST(Isosurface, RefusesABoxWithoutExtentOrSurface) {
  const auto ball = [](const Vec& p) { return Norm(p) - 3; };
  EXPECT_THROW(Isosurface(ball, {0, 0, 0}, {1, 0, 1}), Error);
  EXPECT_THROW(Isosurface(ball, {0, 0, 0}, {1, HUGE_VAL, 1}), Error);
  EXPECT_THROW(Isosurface(ball, {0, NAN, 0}, {1, 1, 1}), Error);
  EXPECT_THROW(Isosurface(ball, {0, 0, 0}, {1, 1, 1}), Error);
}

}  // namespace
}  // namespace sinew
