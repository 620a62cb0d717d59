// The compiler of meshes: inertia, hulls, polygons, normals, and what it refuses.
#include "assets/mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace sinew {
namespace {

constexpr double kRounding = 1e-12;

// Corners of a box of half sizes (1, 2, 3), without faces.
MeshData BoxCorners() {
  MeshData data;
  for (const float x : {-1.0f, 1.0f}) {
    for (const float y : {-2.0f, 2.0f}) {
      for (const float z : {-3.0f, 3.0f}) data.vertex.insert(data.vertex.end(), {x, y, z});
    }
  }
  return data;
}

// A tetrahedron with unit legs along the axes.
MeshData Tetrahedron() {
  MeshData data;
  data.vertex = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  data.face = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return data;
}

MeshOptions With(mjtMeshInertia inertia) {
  MeshOptions options;
  options.inertia = inertia;
  options.needs_hull = inertia == mjMESH_INERTIA_CONVEX;
  return options;
}

std::string Message(const MeshData& data, const MeshOptions& options = {}) {
  try {
    CompileMesh(data, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Worked numbers of the documents for the tetrahedron.
TEST(Mesh, InertiaOfTetrahedron) {
  for (const mjtMeshInertia mode : {mjMESH_INERTIA_LEGACY, mjMESH_INERTIA_EXACT, mjMESH_INERTIA_CONVEX}) {
    const CompiledMesh mesh = CompileMesh(Tetrahedron(), With(mode));
    EXPECT_NEAR(mesh.measure, 1.0 / 6, kRounding);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mesh.pos[i], 0.25, kRounding);
    // Moments of a mass m: m/3 (b_y^2 + b_z^2), ...; at density 1000 they are 16.67, 10.42, 10.42.
    const double mass = 1000 * mesh.measure;
    const Vec3<double> b = {mesh.half.x * mesh.half.x, mesh.half.y * mesh.half.y, mesh.half.z * mesh.half.z};
    EXPECT_NEAR(mass / 3 * (b.y + b.z), 50.0 / 3, 1e-9);
    EXPECT_NEAR(mass / 3 * (b.x + b.z), 125.0 / 12, 1e-9);
    EXPECT_NEAR(mass / 3 * (b.x + b.y), 125.0 / 12, 1e-9);
  }
}

TEST(Mesh, InertiaOfBoxAndOfItsShell) {
  const CompiledMesh solid = CompileMesh(BoxCorners(), {});
  EXPECT_NEAR(solid.measure, 48, kRounding * 48);
  EXPECT_NEAR(std::fabs(solid.half.x * solid.half.y * solid.half.z), 6, 1e-9);  // the box itself
  const CompiledMesh shell = CompileMesh(BoxCorners(), With(mjMESH_INERTIA_SHELL));
  EXPECT_NEAR(shell.measure, 88, kRounding * 88);
}

// Worked numbers: a face beside the tetrahedron counts when twice its area is at least 1e-15 m^2. Lengths are 1e-4, so
// that it shows.
TEST(Mesh, SliversHaveNoWeight) {
  const auto center = [](float height) {
    MeshData data = Tetrahedron();
    data.vertex.insert(data.vertex.end(), {0, 0, 2, 1, 0, 2, 1, height, 2});
    data.face.insert(data.face.end(), {4, 5, 6});
    MeshOptions options;
    options.scale = {1e-4, 1e-4, 1e-4};
    return CompileMesh(data, options).pos.z;
  };
  EXPECT_EQ(center(0.9e-7f), center(0));
  EXPECT_GT(center(1.1e-7f), center(0) + 1e-12);
}

TEST(Mesh, VerticesStandInTheFrameOfTheInertia) {
  MeshOptions options;
  options.refpos = {1, -2, 0.5};
  options.scale = {2, 1, 1};
  const CompiledMesh mesh = CompileMesh(Tetrahedron(), options);
  // Back to the frame of the data.
  const float* v = mesh.data.vertex.data() + 3;
  const Vec3<double> corner = mesh.pos + Rotate(mesh.quat, Vec3<double>{v[0], v[1], v[2]});
  EXPECT_NEAR(corner.x, 0, 1e-6);  // (1 - 1) * 2; vertices are floats
  EXPECT_NEAR(corner.y, 2, 1e-6);
  EXPECT_NEAR(corner.z, -0.5, 1e-6);
}

TEST(Mesh, MirroredMeshKeepsItsInside) {
  MeshOptions options = With(mjMESH_INERTIA_EXACT);
  options.scale = {-1, 1, 1};
  EXPECT_NEAR(CompileMesh(Tetrahedron(), options).measure, 1.0 / 6, kRounding);
  options.inertia = mjMESH_INERTIA_CONVEX;
  options.needs_hull = true;
  EXPECT_NEAR(CompileMesh(Tetrahedron(), options).measure, 1.0 / 6, kRounding);
}

TEST(Mesh, HullOfBoxHasSixPolygons) {
  MeshOptions options;
  options.needs_hull = true;
  const CompiledMesh mesh = CompileMesh(BoxCorners(), options);
  ASSERT_EQ(mesh.graph.size(), 98u);
  EXPECT_EQ(mesh.graph[0], 8);
  EXPECT_EQ(mesh.graph[1], 12);
  ASSERT_EQ(mesh.polygons.size(), 6u);
  for (const MeshPolygon& polygon : mesh.polygons) {
    EXPECT_EQ(polygon.vertices.size(), 4u);
    // Outward: every corner is on the side to which the normal points.
    for (const int vertex : polygon.vertices) {
      const float* v = mesh.data.vertex.data() + 3 * vertex;
      EXPECT_GT(Dot(polygon.normal, Vec3<double>{v[0], v[1], v[2]}), 0.9);
    }
  }
}

// Where the cross product of two edges is below 1e-14 m^2, as of this box's sides, models of MuJoCo 3.8.0 hold e_x over
// its length.
TEST(Mesh, NormalsWithoutDirectionAreMarked) {
  MeshOptions options = With(mjMESH_INERTIA_SHELL);
  options.needs_hull = true;
  options.scale = {4e-8, 2e-8, 4e-8 / 3};  // a cube
  const CompiledMesh mesh = CompileMesh(BoxCorners(), options);
  ASSERT_EQ(mesh.polygons.size(), 6u);
  for (const MeshPolygon& polygon : mesh.polygons) {
    EXPECT_NEAR(polygon.normal.x * 6.4e-15, 1, 1e-9);
    EXPECT_EQ(polygon.normal.y, 0);
    EXPECT_EQ(polygon.normal.z, 0);
  }
}

TEST(Mesh, HullIsBounded) {
  MeshData sphere;
  for (int i = 0; i < 200; ++i) {  // a spiral over the unit sphere
    const double z = -0.995 + 0.01 * i, r = std::sqrt(1 - z * z), angle = 2.4 * i;
    for (const double x : {r * std::cos(angle), r * std::sin(angle), z}) sphere.vertex.push_back(static_cast<float>(x));
  }
  MeshOptions options;
  options.needs_hull = true;
  options.max_hull_vertices = 20;
  EXPECT_LE(CompileMesh(sphere, options).graph[0], 20);
}

// A normal of a mesh in the frame of the data.
Vec3<double> NormalInData(const CompiledMesh& mesh, size_t i) {
  const float* n = mesh.data.normal.data() + 3 * i;
  return Rotate(mesh.quat, Vec3<double>{n[0], n[1], n[2]});
}

TEST(Mesh, SharpEdgesSplitNormalsUnlessSmooth) {
  MeshOptions options;
  const CompiledMesh sharp = CompileMesh(Tetrahedron(), options);
  options.smooth_normals = true;
  const CompiledMesh smooth = CompileMesh(Tetrahedron(), options);
  // At the right-angled corner all faces count or none: without a mean, the normal is e_z of the data.
  EXPECT_NEAR(NormalInData(sharp, 0).z, 1, 1e-6);
  EXPECT_NEAR(NormalInData(smooth, 0).z, -1 / std::sqrt(3.0), 1e-6);
}

// The sum of two faces back to back is rounding, of single precision here; e_z stands for it. Where it exceeds the
// limit, one of the faces remains.
TEST(Mesh, FacesBackToBackHaveNoMean) {
  MeshData data = Tetrahedron();
  data.vertex.insert(data.vertex.end(), {0, 0, 0, 0.1f, 0.3f, 0.7f, 0.9f, 0.2f, 0.3f});
  data.face.insert(data.face.end(), {4, 5, 6, 5, 4, 6});
  const CompiledMesh mesh = CompileMesh(data, With(mjMESH_INERTIA_SHELL));
  for (size_t i = 4; i < 7; ++i) EXPECT_NEAR(NormalInData(mesh, i).z, 1, 1e-6);
}

// Exporters write zeros where there is no normal. The limit is that of the scaled normal: a square of 1e-15.
TEST(Mesh, GivenNormalsWithoutLengthPointUp) {
  MeshData data = Tetrahedron();
  data.normal = {0, 0, 0, 0, 3.1e-8f, 0, 0, 3.2e-8f, 0, 1, 0, 0};
  MeshOptions options;
  options.refquat = {0.5, 0.5, 0.5, 0.5};  // the data's x, y, z become z, x, y
  const CompiledMesh mesh = CompileMesh(data, options);
  EXPECT_NEAR(NormalInData(mesh, 0).z, 1, 1e-6);
  EXPECT_NEAR(NormalInData(mesh, 1).z, 1, 1e-6);
  EXPECT_NEAR(NormalInData(mesh, 2).x, 1, 1e-6);
  options.scale = {10, 10, 10};
  EXPECT_NEAR(NormalInData(CompileMesh(data, options), 1).x, 1, 1e-6);
}

TEST(Mesh, ErrorsNameTheRemedy) {
  MeshData flat;
  flat.vertex = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  EXPECT_NE(Message(flat).find("qhull"), std::string::npos);
  flat.face = {0, 1, 2};
  EXPECT_NE(Message(flat).find("inertia=\"shell\""), std::string::npos);
  MeshData inverted = Tetrahedron();
  inverted.face = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
  EXPECT_NE(Message(inverted, With(mjMESH_INERTIA_EXACT)).find("inward"), std::string::npos);
  MeshData mixed = Tetrahedron();
  mixed.face = {0, 2, 1, 0, 3, 1, 0, 3, 2, 1, 2, 3};
  EXPECT_NE(Message(mixed, With(mjMESH_INERTIA_EXACT)).find("orientations"), std::string::npos);
}

TEST(Mesh, RefusesBadData) {
  MeshData data = Tetrahedron();
  data.vertex[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(Message(data), "");
  for (const int index : {-1, 4, std::numeric_limits<int>::max()}) {
    data = Tetrahedron();
    data.face[5] = index;
    EXPECT_NE(Message(data), "") << index;
  }
  data = Tetrahedron();
  data.normal = {0, 0, 1, 0, 0, 1};
  EXPECT_NE(Message(data), "");
  data = Tetrahedron();
  data.facetexcoord = data.face;
  EXPECT_NE(Message(data), "");
  EXPECT_NE(Message({}), "");
}

}  // namespace
}  // namespace sinew
