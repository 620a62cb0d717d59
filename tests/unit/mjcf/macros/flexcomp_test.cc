// Flexcomps expand into bodies and a flex.
#include <gtest/gtest.h>

#include <string>

#include "tests/testing/model.h"
#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

ModelPtr Compiled(const std::string& flexcomp) {
  return ModelFromText("<mujoco>\n<worldbody>\n" + flexcomp + "</worldbody></mujoco>");
}

TEST(Flexcomp, AGridHasABodyForEachPoint) {
  const ModelPtr m = Compiled("<flexcomp name='f' type='grid' count='4 3 1' spacing='.1 .2 .1' dim='2' mass='1.2'/>");
  ASSERT_EQ(m->nflex, 1);
  EXPECT_EQ(m->nbody, 1 + 12);
  EXPECT_EQ(m->nv, 3 * 12);
  EXPECT_EQ(m->nflexvert, 12);
  EXPECT_EQ(m->nflexelem, 2 * 3 * 2);
  double mass = 0;
  for (int b = 0; b < m->nbody; ++b) mass += m->body_mass[b];
  EXPECT_NEAR(mass, 1.2, 1e-12);  // rounding of a sum
}

// An Euler characteristic of one: vertices - edges + triangles of a disc.
TEST(Flexcomp, ASheetHasNoHoles) {
  for (const char* type : {"grid", "disc", "square"}) {
    const ModelPtr m = Compiled(std::string("<flexcomp name='f' type='") + type +
                                "' count='5 5 1' spacing='.1 .1 .1' dim='2' mass='1'/>");
    EXPECT_EQ(m->nflexvert - m->nflexedge + m->nflexelem, 1) << type;
  }
}

TEST(Flexcomp, PinnedPointsDoNotMove) {
  const ModelPtr m = Compiled(
      "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1'><pin id='0 2'/></flexcomp>");
  EXPECT_EQ(m->nv, 3 * 7);
  EXPECT_EQ(m->flex_vertbodyid[0], 0);
  EXPECT_NE(m->flex_vertbodyid[1], 0);
}

TEST(Flexcomp, PinsAreRangesOfPointsOrBlocksOfTheGrid) {
  const auto bodies = [](const std::string& pins) {
    return Compiled(
               "<flexcomp name='f' type='grid' count='3 3 1' dim='2' spacing='1 1 1' mass='1'><contact "
               "selfcollide='none'/>" +
               pins + "</flexcomp>")
        ->nbody;
  };
  EXPECT_EQ(bodies(""), 10);
  EXPECT_EQ(bodies("<pin range='0 2 8 8'/>"), 6);
  EXPECT_EQ(bodies("<pin gridrange='0 0 1 2'/>"), 4);
  EXPECT_EQ(bodies("<pin grid='1 1'/>"), 9);
  const ModelPtr nodes = ModelFromText(
      "<mujoco><worldbody><flexcomp name='f' type='box' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' "
      "dof='trilinear'><contact selfcollide='none'/><pin gridrange='0 0 0 0 1 1'/></flexcomp></worldbody></mujoco>");
  EXPECT_EQ(nodes->nbody, 5) << "nodes 0, 1, 4 and 5 of 8 as in MuJoCo 3.8.0, which counts by the grid of the points";
  const auto error = [](const std::string& pins) {
    return ErrorOfWorld("<flexcomp name='f' type='grid' count='3 3 1' dim='2' spacing='1 1 1' mass='1'>" + pins +
                        "</flexcomp>");
  };
  ExpectParts(error("<pin gridrange='0 0 1 3'/>"), {"test.xml:2", "gridrange", "outside of the grid"});
  ExpectParts(error("<pin grid='-1 0'/>"), {"test.xml:2", "grid", "outside of the grid"});
}

// Point 2 belongs to no element. Numbers of pins are those of the document, with or without it.
TEST(Flexcomp, PinsCountUnusedPoints) {
  const std::string direct =
      "<flexcomp name='f' type='direct' dim='1' radius='.01' point='0 0 0 1 0 0 9 9 9 2 0 0'"
      " element='0 1 1 3'><pin id='";
  const ModelPtr last = Compiled(direct + "3'/></flexcomp>");
  EXPECT_EQ(last->nv, 3 * 2);
  EXPECT_EQ(last->flex_vertbodyid[2], 0);
  EXPECT_EQ(Compiled(direct + "2'/></flexcomp>")->nv, 3 * 3);
}

TEST(Flexcomp, WhatIsPinnedAsAWholeIsRigid) {
  const ModelPtr m = Compiled(
      "<flexcomp name='f' type='grid' count='3 2 2' spacing='.1 .1 .1' dim='3' dof='trilinear' cellcount='2 1 2'>"
      "<pin range='0 11'/><contact selfcollide='none'/></flexcomp>");
  EXPECT_EQ(m->nv, 0);
  EXPECT_TRUE(m->flex_rigid[0]);
  EXPECT_EQ(m->flex_interp[0], 0);
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(m->flex_cellnum[axis], 1);
}

TEST(Flexcomp, EdgesKeepTheirLength) {
  const ModelPtr m = Compiled(
      "<flexcomp name='f' type='grid' count='3 2 1' spacing='.1 .1 .1' dim='2' mass='1'><edge "
      "equality='true'/></flexcomp>");
  ASSERT_EQ(m->neq, 1);
  EXPECT_EQ(m->eq_type[0], mjEQ_FLEX);
  for (int e = 0; e < m->nflexedge; ++e) {
    EXPECT_TRUE(std::abs(m->flexedge_length0[e] - 0.1) < 1e-12 ||
                std::abs(m->flexedge_length0[e] - std::sqrt(0.02)) < 1e-12);
  }
}

TEST(Flexcomp, ErrorsNameLineAndRemedy) {
  ExpectParts(ErrorOfWorld("<flexcomp name='f' type='grid' count='1000000000 1 1' dim='1' spacing='1 1 1' mass='1'/>"),
              {"test.xml:2", "flexcomp"});
  ExpectParts(ErrorOfWorld("<flexcomp name='f' type='grid' count='0 3 1' dim='2' spacing='1 1 1' mass='1'/>"),
              {"test.xml:2", "flexcomp"});
  ExpectParts(ErrorOfWorld("<flexcomp name='f' type='mesh' file='none.obj' dim='2'/>"), {"test.xml:2", "none.obj"});
  ExpectParts(ErrorOfWorld("<flexcomp name='f' type='mesh' dim='2'/>"), {"test.xml:2", "file"});
  ExpectParts(ErrorOfWorld("<flexcomp name='f' type='grid' dof='trilinear' cellcount='9999 9999 9999' count='2 2 1' "
                           "spacing='1 1 1' dim='2'/>"),
              {"test.xml:2", "cellcount"});
}

constexpr char kNoContacts[] = "<contact selfcollide='none'/></flexcomp>";

TEST(Flexcomp, NodesMoveItsPoints) {
  const ModelPtr m = Compiled(
      std::string("<flexcomp name='f' type='grid' dof='trilinear' count='4 4 4' spacing='.1 .1 .1' dim='3' mass='8'>") +
      kNoContacts);
  EXPECT_EQ(m->nbody, 1 + 8);
  EXPECT_EQ(m->nflexnode, 8);
  EXPECT_EQ(m->nflexvert, 64);
  EXPECT_EQ(m->flex_vertbodyid[0], -1);
  EXPECT_EQ(m->flex_bandwidth[0], 23);
  for (int b = 1; b < m->nbody; ++b) EXPECT_DOUBLE_EQ(m->body_mass[b], 1);
}

// Simpson's weights: 1/6, 2/3, 1/6 along each axis.
TEST(Flexcomp, QuadraticNodesShareMassUnequally) {
  const ModelPtr m = Compiled(
      std::string(
          "<flexcomp name='f' type='grid' dof='quadratic' count='3 3 3' spacing='.1 .1 .1' dim='3' mass='216'>") +
      kNoContacts);
  ASSERT_EQ(m->nbody, 1 + 27);
  EXPECT_NEAR(m->body_mass[1], 1, 1e-12);    // a corner
  EXPECT_NEAR(m->body_mass[14], 64, 1e-12);  // the middle
}

TEST(Flexcomp, NodesOfEmptyCellsStay) {
  const ModelPtr m =
      Compiled(std::string("<flexcomp name='f' type='direct' dof='trilinear' cellcount='4 1 1' dim='3' mass='1' "
                           "point='0 0 0 .2 0 0 0 1 0 0 0 1 4 1 1 3.8 1 1 4 0 1 4 1 0' element='0 1 2 3 4 5 6 7'>"
                           "<edge equality='strain'/>") +
               kNoContacts);
  EXPECT_EQ(m->nflexnode, 20);
  EXPECT_EQ(m->nbody, 1 + 16);
  ASSERT_EQ(m->neq, 2);
  EXPECT_EQ(m->eq_type[0], mjEQ_FLEXSTRAIN);
  EXPECT_EQ(m->eq_data[mjNEQDATA], 3);
}

TEST(Flexcomp, PointsOfAMesh) {
  const std::string xml =
      "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj' dim='2' scale='2 1 1'/>"
      "<flexcomp name='g' type='mesh' file='a.obj' dim='3' origin='.25 .25 -1'/></worldbody></mujoco>";
  const std::string obj = "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 2 3 4\nf 5 6 7\n";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  mj_addBufferVFS(&vfs, "a.obj", obj.data(), static_cast<int>(obj.size()));
  char error[1000] = "";
  const ModelPtr m(mj_loadXML("test.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  ASSERT_NE(m, nullptr) << error;
  // A square of two triangles; points that are given twice are one, and unused ones go.
  EXPECT_EQ(m->flex_vertnum[0], 4);
  EXPECT_EQ(m->body_pos[3 * 2], 2);
  EXPECT_EQ(m->flex_vertnum[1], 5);
  EXPECT_EQ(m->flex_elemnum[1], 2);
  EXPECT_EQ(m->flex_dim[1], 3);
}

TEST(Flexcomp, SolidsHaveTextures) {
  const ModelPtr m = ModelFromFile("flex/textured.xml");
  EXPECT_EQ(m->nflextexcoord, m->nflexvert);
  EXPECT_EQ(m->flex_texcoord[0], 0);                                          // the centre of the first one
  EXPECT_FLOAT_EQ(m->flex_texcoord[2 * (m->flex_vertnum[0] - 1)], 2.0f / 3);  // on a face across x: along y
}

TEST(Flexcomp, WhatIsRigidHasNoConstraints) {
  const std::string grid = "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' rigid='";
  const std::string equality = "'><edge equality='true'/></flexcomp>";
  EXPECT_EQ(ReadWorld(grid + "true" + equality)->List<Equality>().size(), 0u);
  EXPECT_EQ(ReadWorld(grid + "false" + equality)->List<Equality>().size(), 1u);
}

}  // namespace
}  // namespace sinew::mjcf
