// Convex pieces cover the shape, stay near it, and are few; bad meshes end in errors or in bounded time.
#include "assets/decompose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assets/mesh_hull.h"
#include "core/error.h"
#include "simd/functions.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;
using Pieces = std::vector<std::vector<Vec>>;

void AddBox(const Vec& low, const Vec& high, MeshData& mesh) {
  const int first = static_cast<int>(mesh.vertex_count());
  for (int i = 0; i < 8; ++i) {
    mesh.vertex.push_back(static_cast<float>(i & 1 ? high.x : low.x));
    mesh.vertex.push_back(static_cast<float>(i & 2 ? high.y : low.y));
    mesh.vertex.push_back(static_cast<float>(i & 4 ? high.z : low.z));
  }
  for (const int i :
       {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5}) {
    mesh.face.push_back(first + i);
  }
}
MeshData Box() {
  MeshData mesh;
  AddBox({-1, -1, -1}, {1, 1, 1}, mesh);
  return mesh;
}
// Two boxes in the form of an L, which overlap in their corner: the surface crosses itself.
MeshData Ell() {
  MeshData mesh;
  AddBox({0, 0, 0}, {1, .25, .25}, mesh);
  AddBox({0, 0, 0}, {.25, 1, .25}, mesh);
  return mesh;
}
// A ring around z: radius 1 in its middle, tube of 0.25.
MeshData Ring(int around = 48, int tube = 16) {
  MeshData mesh;
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < tube; ++k) {
      const double a = 2 * M_PI * i / around, b = 2 * M_PI * k / tube, r = 1 + .25 * std::cos(b);
      for (const double x : {r * std::cos(a), r * std::sin(a), .25 * std::sin(b)})
        mesh.vertex.push_back(static_cast<float>(x));
      const int p[4] = {i * tube + k, (i + 1) % around * tube + k, (i + 1) % around * tube + (k + 1) % tube,
                        i * tube + (k + 1) % tube};
      for (const int v : {p[0], p[1], p[2], p[0], p[2], p[3]}) mesh.face.push_back(v);
    }
  }
  return mesh;
}

// How deep a point is in any of the pieces, negative outside of all.
class Depths {
 public:
  explicit Depths(const Pieces& pieces) {
    for (const auto& piece : pieces) {
      const MeshHull hull = ConvexHull(piece, -1);
      auto& planes = planes_.emplace_back();
      for (size_t f = 0; f < hull.faces.size(); f += 3) {
        const auto corner = [&](size_t k) { return piece[static_cast<size_t>(hull.faces[f + k])]; };
        const Vec n = Normalized(Cross(corner(1) - corner(0), corner(2) - corner(0)));
        planes.emplace_back(n, Dot(n, corner(0)));
      }
    }
  }
  double operator()(const Vec& p) const {
    double deepest = -kInfinity;
    for (const auto& planes : planes_) {
      double depth = kInfinity;
      for (const auto& [n, level] : planes) depth = std::min(depth, level - Dot(n, p));
      deepest = std::max(deepest, depth);
    }
    return deepest;
  }

 private:
  std::vector<std::vector<std::pair<Vec, double>>> planes_;
};

TEST(DecomposeTest, ConvexShapesStayWhole) {
  const Pieces pieces = Decompose(Box(), {});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].size(), 8u);
}

TEST(DecomposeTest, AnAngleIsTwoBoxes) {
  const Pieces pieces = Decompose(Ell(), {});
  EXPECT_EQ(pieces.size(), 2u);
  const Depths depth(pieces);
  EXPECT_LT(depth({.5, .5, .125}), 0);
  EXPECT_GT(depth({.9, .1, .125}), 0);
  EXPECT_GT(depth({.1, .9, .125}), 0);
}

TEST(DecomposeTest, ARingKeepsItsHole) {
  for (const double error : {.02, .05}) {
    DecomposeOptions options;
    options.error = error;
    const MeshData ring = Ring();
    const Pieces pieces = Decompose(ring, options);
    EXPECT_GT(pieces.size(), 3u);
    EXPECT_LE(pieces.size(), 32u);
    const Depths depth(pieces);
    // all of the surface is covered, and the hole is free: a piece reaches into it by the error and a cell and a half,
    // within which the grid does not see
    for (size_t i = 0; i < ring.vertex_count(); i += 7) {
      EXPECT_GT(depth({ring.vertex[3 * i], ring.vertex[3 * i + 1], ring.vertex[3 * i + 2]}), -.01);
    }
    const double side = 2.5, reach = error * side + 1.5 * side / 64;
    for (double angle = 0; angle < 6.28; angle += .1) {
      EXPECT_LT(depth({.74 * std::cos(angle), .74 * std::sin(angle), 0}), reach) << angle;
      EXPECT_LT(depth({(.75 - 2 * reach) * std::cos(angle), (.75 - 2 * reach) * std::sin(angle), 0}), 0) << angle;
    }
  }
}

TEST(DecomposeTest, CountBoundsThePieces) {
  DecomposeOptions options;
  options.count = 5;
  EXPECT_EQ(Decompose(Ring(), options).size(), 5u);
}

TEST(DecomposeTest, TheSameMeshHasTheSamePieces) {
  const Pieces a = Decompose(Ring(), {}), b = Decompose(Ring(), {});
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].size(), b[i].size());
    for (size_t k = 0; k < a[i].size(); ++k) EXPECT_EQ(Norm(a[i][k] - b[i][k]), 0);
  }
}

// ---- bad input

// Without its lid a box counts as a sheet: pieces are walls.
TEST(DecomposeTest, OpenMeshesAreSheets) {
  MeshData open = Box();
  open.face.resize(open.face.size() - 6);
  const Pieces pieces = Decompose(open, {});
  EXPECT_GE(pieces.size(), 5u);
  EXPECT_LT(Depths(pieces)({0, 0, 0}), 0);
}

TEST(DecomposeTest, BadMeshesAreErrors) {
  const auto expect_error = [](const MeshData& mesh, const DecomposeOptions& options = {}) {
    EXPECT_THROW(Decompose(mesh, options), Error);
  };
  MeshData mesh = Box();
  mesh.face.clear();
  expect_error(mesh);
  mesh = Box();
  mesh.vertex[4] = NAN;
  expect_error(mesh);
  mesh = Box();
  mesh.face[5] = 8;
  expect_error(mesh);
  mesh = Box();
  std::fill(mesh.vertex.begin(), mesh.vertex.end(), 1.f);
  expect_error(mesh);
  for (const DecomposeOptions& options :
       {DecomposeOptions{0, 32, 64}, DecomposeOptions{NAN, 32, 64}, DecomposeOptions{.02, 0, 64},
        DecomposeOptions{.02, 5000, 64}, DecomposeOptions{.02, 32, 2}, DecomposeOptions{.02, 32, 1000}}) {
    expect_error(Box(), options);
  }
}

TEST(DecomposeTest, FacesWithoutAreaAreIgnored) {
  MeshData mesh = Ell();
  for (int i = 0; i < 30; ++i) mesh.face.push_back(i % 2);
  EXPECT_EQ(Decompose(mesh, {}).size(), 2u);
}

// A million triangles, small ones and ones across the whole: an error or some seconds.
TEST(DecomposeTest, ManyTrianglesAreBounded) {
  EXPECT_LE(Decompose(Ring(600, 100), {}).size(), 32u);
  MeshData mesh = Ring();
  const auto count = static_cast<int>(mesh.vertex_count());
  for (int i = 0; i < 1000000; ++i) {
    for (const int v : {i % count, (7 * i + 300) % count, (13 * i + 500) % count}) mesh.face.push_back(v);
  }
  EXPECT_THROW(Decompose(mesh, {}), Error);
}

// ---- models

std::string RingModel(const std::string& convex, const std::string& more = "") {
  const MeshData ring = Ring(24, 8);
  std::string vertices, faces;
  for (const float x : ring.vertex) vertices += std::to_string(x) + " ";
  for (const int v : ring.face) faces += std::to_string(v) + " ";
  return "<mujoco><asset><mesh name='ring' scale='.1 .1 .1' inertia='exact' vertex='" + vertices + "' face='" + faces +
         "' " + convex +
         "/></asset><worldbody><geom type='capsule' size='.02 .2' pos='0 0 .2'/><geom type='plane' size='1 1 1'/>"
         "<body name='ring' pos='0 0 .45'><freejoint/><geom name='ring' type='mesh' mesh='ring' "
         "friction='.3'/></body>" +
         more + "</worldbody></mujoco>";
}

// A ring falls over a post: as a hull it stays on top.
TEST(DecomposeTest, ARingFallsOverAPost) {
  const auto height = [](const std::string& convex) {
    World w(ModelFromText(RingModel(convex)));
    while (w.d->time < 1) mj_step(w.m.get(), w.d.get());
    return w.d->qpos[2];
  };
  EXPECT_NEAR(height("convex='decompose'"), .025, .01);
  EXPECT_GT(height("convex='hull'"), .3);
}

TEST(DecomposeTest, PiecesShareWhatTheWholeHas) {
  const ModelPtr whole = ModelFromText(RingModel("")), pieces = ModelFromText(RingModel("convex='decompose'"));
  const auto count = static_cast<int>(pieces->ngeom - whole->ngeom);
  EXPECT_EQ(pieces->nmesh - whole->nmesh, count);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(pieces->body_inertia[3 + k], whole->body_inertia[3 + k], 1e-9);
  EXPECT_NEAR(pieces->body_mass[1], whole->body_mass[1], 1e-9);
  const int first = mj_name2id(pieces.get(), mjOBJ_GEOM, "ring_piece0"),
            ring = mj_name2id(pieces.get(), mjOBJ_GEOM, "ring");
  ASSERT_GE(first, 0);
  EXPECT_EQ(pieces->geom_contype[ring], 0);
  EXPECT_EQ(pieces->geom_contype[first], 1);
  EXPECT_EQ(pieces->geom_friction[3 * first], .3);
}

TEST(DecomposeTest, WrongAttributesAreErrors) {
  for (const char* wrong : {"convex='maybe'", "convex='decompose' convexerror='-1'",
                            "convex='decompose' convexcount='0'", "convex='decompose' convexresolution='1'"}) {
    EXPECT_THROW(ModelFromText(RingModel(wrong)), std::runtime_error) << wrong;
  }
}

}  // namespace
}  // namespace sinew
