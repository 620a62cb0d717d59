// Contacts of compiled meshes: their facets and their trees of boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "model/kinds/bvh.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::vector<double> Distances(const World& w) {
  std::vector<double> distances;
  for (int i = 0; i < w.d->ncon; ++i) distances.push_back(w.d->contact[i].dist);
  return distances;
}

// A cube on a cube, both meshes.
constexpr const char* kCubes =
    "<mujoco><asset><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1'/></asset>"
    "<worldbody><geom type='mesh' mesh='cube'/><body pos='.1 .2 1.99'><freejoint/><geom type='mesh' "
    "mesh='cube'/></body>"
    "</worldbody></mujoco>";

// What a facet without direction has for a normal is no part of any contact.
TEST(FaceContacts, FacetsWithoutDirectionAreLeftOut) {
  World w(ModelFromText(kCubes));
  mj_fwdPosition(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 4);  // the corners of the face
  for (int i = 0; i < w.m->nmeshpoly; ++i) w.m->mesh_polynormal[3 * i + 2] *= 1e14;
  mj_fwdPosition(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 1);  // without the facets at z = -1 and 1, the deepest point
  EXPECT_NEAR(w.d->contact[0].dist, -.01, 1e-9);
  for (const double x : w.d->contact[0].pos) EXPECT_LT(std::fabs(x), 2);
  EXPECT_NEAR(std::fabs(w.d->contact[0].frame[2]), 1, 1e-9);
}

// Cubes that are equally deep in each other along two axes: which of two equal vertices comes first decides.
TEST(ConvexMeshes, TiesOfSmallMeshesAreBrokenInTheirOrder) {
  World w(
      ModelFromText("<mujoco><asset><mesh name='m' vertex='.1 .1 .1 -.1 -.1 -.1 .1 -.1 .1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 "
                    ".1 -.1 .1 .1 .1 -.1 -.1'/></asset><worldbody><geom type='mesh' mesh='m'/>"
                    "<body pos='0 .05 .05'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"));
  mj_fwdPosition(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 4);
  EXPECT_NEAR(w.d->contact[0].dist, -.15, 1e-7);   // vertices of meshes are in single precision
  EXPECT_NEAR(w.d->contact[0].frame[1], 1, 1e-7);  // as recorded; along z they are as deep
}

// Tilted about x, the lowest vertex of a tetrahedron is (0 .2 0). All of its neighbours are far enough away; recorded
// contacts are with (0 0 0) alone, since those of the hull's vertex 2, which is another one, are tried. The third
// corner of the face completes the support polygon.
TEST(PlaneMesh, SmallMeshesStandOnTheCornersOfRecordedContacts) {
  World w(
      ModelFromText("<mujoco><asset><mesh name='m' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2'/></asset><worldbody>"
                    "<geom type='plane' size='3 3 .1'/><body pos='0 0 -.02' euler='-2 0 0'><freejoint/>"
                    "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>"));
  mj_fwdPosition(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 3);
  const double corners[3][3] = {{0, .2, 0}, {0, 0, 0}, {.2, 0, 0}}, tilt = 2 * M_PI / 180;
  for (int i = 0; i < 3; ++i) {
    const mjContact& c = w.d->contact[i];
    EXPECT_NEAR(c.pos[0], corners[i][0], 1e-7);  // vertices of meshes are in single precision
    EXPECT_NEAR(c.pos[1], corners[i][1] * std::cos(tilt), 1e-7);
    EXPECT_NEAR(c.dist, -.02 - corners[i][1] * std::sin(tilt), 1e-7);
  }
}

// Three spheres and a cube in a body over another such body.
World TwoBodies() {
  const std::string geoms =
      "<geom size='.1' pos='-.3 0 0'/><geom size='.1'/><geom size='.1' pos='.3 0 0'/>"
      "<geom type='mesh' mesh='cube' pos='0 .6 0'/>";
  return World(ModelFromText(
      "<mujoco><asset><mesh name='cube' scale='.2 .2 .2' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 "
      "1 1 1'/></asset><worldbody><body><freejoint/>" +
      geoms + "</body><body pos='0 0 .15'><freejoint/>" + geoms + "</body></worldbody></mujoco>"));
}

// Inner nodes may keep the ids of an earlier tree, as those of fused bodies do in recorded models.
TEST(BoxTrees, LeavesAreNodesWithoutChildren) {
  World fresh = TwoBodies(), stale = TwoBodies();
  int inner = 0;
  for (int node = 0; node < stale.m->nbvh; ++node) {
    if (IsBvhLeaf(stale.m.get(), node)) continue;
    EXPECT_EQ(stale.m->bvh_nodeid[node], -1);
    stale.m->bvh_nodeid[node] = 0;
    ++inner;
  }
  ASSERT_GT(inner, 4);
  mj_fwdPosition(fresh.m.get(), fresh.d.get());
  mj_fwdPosition(stale.m.get(), stale.d.get());
  ASSERT_EQ(fresh.d->ncon, 3 + 4);
  EXPECT_EQ(Distances(stale), Distances(fresh));
  EXPECT_TRUE(std::equal(fresh.d->bvh_active, fresh.d->bvh_active + fresh.m->nbvh, stale.d->bvh_active));

  // rays through the trees of bodies and of the mesh
  for (const double y : {0., .55}) {
    const double from[3] = {.05, y, 3}, down[3] = {0, 0, -1};
    const auto cast = [&](const World& w) {
      int geom = -1;
      double normal[3];
      const double x = mj_ray(w.m.get(), w.d.get(), from, down, nullptr, 1, -1, &geom, normal);
      return std::vector<double>{x, static_cast<double>(geom), normal[0], normal[1], normal[2]};
    };
    EXPECT_GT(cast(fresh)[0], 0);
    EXPECT_EQ(cast(stale), cast(fresh));
  }
}

// One of many pairs with the same first geom, whose shape is loaded once, has the contacts that it has alone.
TEST(ConvexMeshes, PairsThatShareAGeomAreAsAlone) {
  std::ostringstream text;
  text << "<mujoco><asset>"
          "<mesh name='cube' scale='.6 .6 1' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1'/>"
          "<mesh name='wedge' vertex='-.5 -.5 -1 .5 -.5 -1 -.5 .5 -1 .5 .5 -1 0 0 1'/>"
          "<mesh name='slab' scale='3 1 1' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1'/>"
          "</asset><worldbody><geom type='mesh' mesh='slab'/>";
  for (int i = 0; i < 6; ++i) {
    text << "<body pos='" << .9 * i - 2 << " .1 1.7' euler='" << 20 * i << " 10 5'><freejoint/><geom type='mesh' mesh='"
         << (i % 2 == 0 ? "cube" : "wedge") << "'/></body>";
  }
  text << "</worldbody></mujoco>";
  World w(ModelFromText(text.str().c_str()));
  mj_fwdPosition(w.m.get(), w.d.get());
  ASSERT_GT(w.d->ncon, 6);
  int pairs = 0;
  for (int i = 0, count; i < w.d->ncon; i += count, ++pairs) {
    const mjContact* together = w.d->contact + i;
    mjContact alone[mjMAXCONPAIR];
    count = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH](w.m.get(), w.d.get(), alone, together->geom1, together->geom2, 0);
    ASSERT_GT(count, 0);
    for (int k = 0; k < count; ++k) {
      EXPECT_EQ(together[k].geom2, together->geom2);
      EXPECT_EQ(together[k].dist, alone[k].dist);
      for (int j = 0; j < 3; ++j) EXPECT_EQ(together[k].pos[j], alone[k].pos[j]);
    }
  }
  EXPECT_GE(pairs, 4);
}

}  // namespace
}  // namespace sinew
