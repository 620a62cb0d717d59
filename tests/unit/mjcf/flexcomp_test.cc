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
  ExpectParts(ErrorOfWorld("<flexcomp name='f' type='mesh' file='a.obj' dim='2'/>"), {"test.xml:2", "not supported"});
}

}  // namespace
}  // namespace sinew::mjcf
