// Octrees of meshes in compiled models.
#include "compile/geometry/octree_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "math/scalar.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

const char* const kBlock = "vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1'";
const char* const kNeedle = "vertex='0 0 0 1 0 0 0 1.3 0 .2 .1 .7'";  // with edges below 90 degrees

ModelPtr CompileField(const std::string& mesh) {
  return CompileXml("<asset><mesh name='m' " + mesh + "/></asset><worldbody><geom type='sdf' mesh='m'/></worldbody>");
}

Vec CornerOf(const mjModel* m, int cell, int c) {
  const double* box = m->oct_aabb + 6 * cell;
  return {box[0] + (c & 1 ? box[3] : -box[3]), box[1] + (c & 2 ? box[4] : -box[4]),
          box[2] + (c & 4 ? box[5] : -box[5])};
}

bool IsLeaf(const mjModel* m, int cell) { return m->oct_child[8 * cell] < 0; }

std::vector<int> LevelCounts(const mjModel* m) {
  std::vector<int> counts(7);
  for (int i = 0; i < m->noct; ++i) ++counts.at(static_cast<size_t>(m->oct_depth[i]));
  return counts;
}

TEST(Octree, OfASphereEqualsTheRecordedOne) {
  const ModelPtr m = CompileField("builtin='sphere' params='1'");
  ASSERT_EQ(m->noct, 44873);
  EXPECT_EQ(m->mesh_octadr[0], 0);
  EXPECT_EQ(m->mesh_octnum[0], 44873);
  EXPECT_EQ(LevelCounts(m.get()), (std::vector<int>{1, 8, 64, 512, 3008, 11840, 29440}));
  EXPECT_NEAR(m->oct_aabb[3], 1.1, 1e-15);
}

TEST(Octree, IsBuiltWhereItIsUsed) {
  const std::string two = std::string("<asset><mesh name='a' ") + kBlock + "/><mesh name='b' " + kBlock + "/></asset>";
  const ModelPtr m = CompileXml(two + "<worldbody><geom type='mesh' mesh='a'/><geom type='sdf' mesh='b'/></worldbody>");
  EXPECT_EQ(m->mesh_octadr[0], -1);
  EXPECT_EQ(m->mesh_octnum[0], 0);
  EXPECT_EQ(m->mesh_octadr[1], 0);
  EXPECT_EQ(m->mesh_octnum[1], m->noct);
}

TEST(Octree, ChildrenFillTheirParent) {
  const ModelPtr m = CompileField(kBlock);
  for (int i = 0; i < m->noct; ++i) {
    if (IsLeaf(m.get(), i)) continue;
    for (int c = 0; c < 8; ++c) {
      const int child = m->oct_child[8 * i + c];
      EXPECT_EQ(m->oct_depth[child], m->oct_depth[i] + 1);
      EXPECT_NEAR(Norm(CornerOf(m.get(), child, c) - CornerOf(m.get(), i, c)), 0, 1e-15);
      EXPECT_EQ(m->oct_coeff[8 * child + c], m->oct_coeff[8 * i + c]);
    }
  }
}

// Corners of the smallest cells next to the surface hang on nothing. The block's rounding to floats moves it by 1e-7.
TEST(Octree, CornersHaveTheDistanceOfTheMesh) {
  const ModelPtr m = CompileField(kBlock);
  int checked = 0;
  for (int i = 0; i < m->noct; ++i) {
    for (int c = 0; c < 8; ++c) {
      const Vec p = CornerOf(m.get(), i, c);
      const Vec out = {std::fabs(p.x) - 1, std::fabs(p.y) - 1, std::fabs(p.z) - 1};
      const double inner = std::max({out.x, out.y, out.z});
      if (m->oct_depth[i] != 6 || std::fabs(inner) > .02) continue;
      const Vec beyond = {std::max(out.x, 0.0), std::max(out.y, 0.0), std::max(out.z, 0.0)};
      EXPECT_NEAR(m->oct_coeff[8 * i + c], inner > 0 ? Norm(beyond) : inner, 1e-7);
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000);
}

// Outside of a sharp edge, points are behind one of its two faces.
TEST(Octree, SharpEdgesHaveAnOutside) {
  const ModelPtr m = CompileField(kNeedle);
  for (int c = 0; c < 8; ++c) EXPECT_GT(m->oct_coeff[c], 0) << c;
  for (int i = 0; i < m->noct; ++i) {
    const Vec& box = CornerOf(m.get(), 0, 7);
    for (int c = 0; c < 8; ++c) {
      const Vec p = CornerOf(m.get(), i, c) - CornerOf(m.get(), 0, 0);
      const Vec size = box - CornerOf(m.get(), 0, 0);
      bool on_border = false;
      for (int k = 0; k < 3; ++k) on_border |= p[k] < 1e-9 || p[k] > size[k] - 1e-9;
      if (on_border) {
        EXPECT_GT(m->oct_coeff[8 * i + c], 0) << i;
      }
    }
  }
}

TEST(Octree, MeshesWithoutFacesUseTheirHull) {
  const ModelPtr m = CompileField(kBlock);
  EXPECT_EQ(m->mesh_facenum[0], 12);
  EXPECT_LT(*std::min_element(m->oct_coeff, m->oct_coeff + 8 * m->noct), -.9);
}

TEST(Octree, GeomsWithoutMeshAreRefused) {
  EXPECT_NE(ErrorOf("<worldbody><geom type='sdf'/></worldbody>").find("mesh"), std::string::npos);
  EXPECT_NE(ErrorOf(std::string("<asset><mesh name='m' ") + kBlock +
                    "/></asset><worldbody><geom type='sdf' mesh='m' shellinertia='true'/></worldbody>")
                .find("shellinertia"),
            std::string::npos);
}

TEST(Octree, ASpecificationMayAskForIt) {
  mjSpec* spec = mj_makeSpec();
  mjsMesh* mesh = mjs_addMesh(spec, nullptr);
  mjs_setName(mesh->element, "m");
  mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, std::vector<double>{1}.data(), 1);
  mesh->needsdf = 1;
  const ModelPtr m(mj_compile(spec, nullptr));
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->noct, 44873);
  mj_deleteSpec(spec);
}

}  // namespace
}  // namespace sinew
