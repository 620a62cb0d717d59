#include "assets/builtin_mesh.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace sinew {
namespace {

using Params = std::vector<double>;

struct Solid {
  mjtMeshBuiltin builtin;
  Params params;
  size_t vertices, faces;
};

// Counts follow from how the shapes are subdivided.
const Solid kSolids[] = {
    {mjMESH_BUILTIN_SPHERE, {0}, 12, 20},
    {mjMESH_BUILTIN_SPHERE, {4}, 2562, 5120},
    {mjMESH_BUILTIN_HEMISPHERE, {0}, 6, 8},
    {mjMESH_BUILTIN_HEMISPHERE, {10}, 266, 528},
    {mjMESH_BUILTIN_SUPERSPHERE, {8, 1, 1}, 58, 112},
    {mjMESH_BUILTIN_SUPERTORUS, {7, 0.5, 1, 1}, 49, 98},
};

// Every edge is passed once in each direction, so inside and outside are defined everywhere.
TEST(BuiltinMesh, SolidsAreClosedAndOriented) {
  for (const Solid& solid : kSolids) {
    const MeshData mesh = MakeBuiltinMesh(solid.builtin, solid.params);
    EXPECT_EQ(mesh.vertex_count(), solid.vertices);
    EXPECT_EQ(mesh.face_count(), solid.faces);
    std::map<std::pair<int, int>, int> edges;
    for (size_t i = 0; i < mesh.face.size(); i += 3) {
      for (size_t k = 0; k < 3; ++k) ++edges[{mesh.face[i + k], mesh.face[i + (k + 1) % 3]}];
    }
    for (const auto& [edge, count] : edges) {
      EXPECT_EQ(count, 1);
      EXPECT_TRUE(edges.contains({edge.second, edge.first}));
    }
  }
}

TEST(BuiltinMesh, SphereIsRound) {
  const MeshData mesh = MakeBuiltinMesh(mjMESH_BUILTIN_SPHERE, Params{3});
  for (size_t i = 0; i < mesh.vertex.size(); i += 3) {
    EXPECT_NEAR(std::hypot(mesh.vertex[i], mesh.vertex[i + 1], mesh.vertex[i + 2]), 1, 1e-6);  // floats
  }
}

// The vertices of MuJoCo 3.8.0, found by compiling a mesh: last bits decide about the hull.
TEST(BuiltinMesh, MiddlesOfArcsAreRoundedInSinglePrecision) {
  const MeshData mesh = MakeBuiltinMesh(mjMESH_BUILTIN_SPHERE, Params{1});
  const std::vector<float> middle(mesh.vertex.begin() + 36, mesh.vertex.begin() + 39);
  EXPECT_EQ(middle, (std::vector<float>{-0.80901700258255F, 0.5F, 0.30901697278022766F}));
}

TEST(BuiltinMesh, ConeHasAnApexOrATop) {
  EXPECT_EQ(MakeBuiltinMesh(mjMESH_BUILTIN_CONE, Params{6, 0}).vertex_count(), 7u);
  EXPECT_EQ(MakeBuiltinMesh(mjMESH_BUILTIN_CONE, Params{6, 0.5}).vertex_count(), 12u);
}

// Points of a wedge are the centres of bins whose ends were moved towards the middle.
TEST(BuiltinMesh, WedgeCrowdsInTheMiddle) {
  const MeshData mesh = MakeBuiltinMesh(mjMESH_BUILTIN_WEDGE, Params{1, 4, 180, 90, 1});
  const double elevation = std::asin(mesh.vertex[3 * 2 + 1]) * 180 / mjPI;
  EXPECT_NEAR(elevation, 90 * 0.5 * std::pow(0.5, 5), 1e-4);  // floats
  EXPECT_EQ(mesh.normal.size(), 3 * mesh.vertex.size());
}

TEST(BuiltinMesh, PlateHasItsMassOnTheSurface) {
  const MeshData mesh = MakeBuiltinMesh(mjMESH_BUILTIN_PLATE, Params{3, 2});
  EXPECT_EQ(mesh.vertex_count(), 6u);
  EXPECT_EQ(mesh.face_count(), 4u);
  for (size_t i = 0; i < mesh.vertex.size(); i += 3) EXPECT_EQ(mesh.vertex[i + 2], -1);
}

TEST(BuiltinMesh, RefusesWrongParameters) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<mjtMeshBuiltin, Params> cases[] = {
      {mjMESH_BUILTIN_NONE, {}},
      {mjMESH_BUILTIN_SPHERE, {}},
      {mjMESH_BUILTIN_SPHERE, {5}},
      {mjMESH_BUILTIN_SPHERE, {-1}},
      {mjMESH_BUILTIN_SPHERE, {nan}},
      {mjMESH_BUILTIN_SPHERE, {1e30}},
      {mjMESH_BUILTIN_HEMISPHERE, {11}},
      {mjMESH_BUILTIN_CONE, {1e9, 0}},
      {mjMESH_BUILTIN_CONE, {-1, 0}},
      {mjMESH_BUILTIN_SUPERSPHERE, {2, 1, 1}},
      {mjMESH_BUILTIN_SUPERSPHERE, {1e9, 1, 1}},
      {mjMESH_BUILTIN_SUPERSPHERE, {3, -1, 1}},
      {mjMESH_BUILTIN_SUPERTORUS, {3, 0, 1, 1}},
      {mjMESH_BUILTIN_SUPERTORUS, {3, 1, 0, 1}},
      {mjMESH_BUILTIN_WEDGE, {0, 1, 90, 45, 0}},
      {mjMESH_BUILTIN_WEDGE, {1, 1, 181, 45, 0}},
      {mjMESH_BUILTIN_WEDGE, {1, 1, 90, 45, 2}},
      {mjMESH_BUILTIN_PLATE, {0, 1}},
      {mjMESH_BUILTIN_PLATE, {1e6, 1e6}},
  };
  for (const auto& [builtin, params] : cases) EXPECT_THROW(MakeBuiltinMesh(builtin, params), Error) << builtin;
}

}  // namespace
}  // namespace sinew
