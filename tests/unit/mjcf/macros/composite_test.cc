// Cables: names, places and frames; what is refused.
#include <gtest/gtest.h>

#include "mjcf/macros/cable.h"
#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

std::string Cable(const std::string& attributes, const std::string& parts = "<geom type='capsule' size='.01'/>") {
  return "<composite type='cable' prefix='c' " + attributes + ">" + parts + "</composite>";
}

TEST(Composite, CableIsAChainWithNames) {
  const auto spec = ReadWorld(Cable("curve='s' count='5' size='1' initial='none'"));
  for (const char* name : {"cB_first", "cB_1", "cB_2", "cB_last"}) EXPECT_NE(spec->Find<Body>(name), nullptr) << name;
  for (const char* name : {"cJ_1", "cJ_2", "cJ_last"}) EXPECT_NE(spec->Find<Joint>(name), nullptr) << name;
  EXPECT_EQ(spec->Find<Joint>("cJ_first"), nullptr);
  EXPECT_NE(spec->Find<Geom>("cG3"), nullptr);
  EXPECT_NE(spec->Find<Site>("cS_last"), nullptr);
  EXPECT_EQ(spec->List<Exclude>().size(), 3u);
  EXPECT_EQ(*spec->Find<Text>("composite_c")->data, "rope_c");
  const Body& second = *spec->Find<Body>("cB_1");
  EXPECT_EQ(second.parent->name, "cB_first");
  EXPECT_EQ(second.pos[0], 0.25);
}

TEST(Composite, FirstJoint) {
  const auto spec = ReadWorld(Cable("curve='s' count='3' size='1' initial='free'",
                                    "<joint kind='main' damping='2'/><geom type='capsule' size='.01'/>"));
  EXPECT_EQ(spec->Find<Joint>("cJ_first")->type, mjJNT_FREE);
  EXPECT_EQ(spec->Find<Joint>("cJ_first")->damping[0], 0);
  EXPECT_EQ(spec->Find<Joint>("cJ_last")->type, mjJNT_BALL);
  EXPECT_EQ(spec->Find<Joint>("cJ_last")->damping[0], 2);
}

// A quarter circle of four edges: the tangent turns by equal angles in one plane.
TEST(Composite, FramesDoNotTwist) {
  const double size[3] = {0, 1, 0.5};
  const auto points = CurvePoints(ParseCurve("cos(s) sin(s)"), 5, size);
  const auto edges = CableEdges(points);
  ASSERT_EQ(edges.size(), 4u);
  constexpr double kTolerance = 1e-6;  // points are of single precision
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_NEAR(edges[i].quat.w, Cos(kPi / 16), kTolerance);
    EXPECT_NEAR(edges[i].quat.z, Sin(kPi / 16), kTolerance);
    EXPECT_NEAR(edges[i].length, 2 * Sin(kPi / 16), kTolerance);
  }
}

TEST(Composite, BoxesHaveASkin) {
  const auto spec = ReadWorld(
      Cable("curve='s' count='4' size='1'", "<geom type='box' size='.3 .02 .03'/><skin texcoord='true' subgrid='1'/>"));
  const Skin& skin = *spec->Find<Skin>("cSkin");
  EXPECT_EQ(skin.vert->size(), 3u * 2 * 7 * 5);
  EXPECT_EQ(skin.texcoord->size(), 2u * 2 * 7 * 5);
  EXPECT_EQ(skin.face->size(), 3u * 136);
  ASSERT_EQ(skin.bodyname->size(), 12u);
  EXPECT_FLOAT_EQ(skin.inflate, 0.06f);
  // Weights of every vertex sum to one.
  std::vector<float> sum(70);
  for (size_t bone = 0; bone < 12; ++bone) {
    for (size_t k = 0; k < (*skin.vertid)[bone].size(); ++k) {
      sum[static_cast<size_t>((*skin.vertid)[bone][k])] += (*skin.vertweight)[bone][k];
    }
  }
  for (float weight : sum) EXPECT_FLOAT_EQ(weight, 1);
}

// As in MuJoCo 3.8.0, any word but free and none is a ball joint.
TEST(Composite, AnyWordIsABallJoint) {
  const auto joints_of = [](const std::string& initial) {
    return ReadWorld(Cable("curve='s' count='4' size='1' initial='" + initial + "'"))
        ->world()
        .bodies.at(0)
        ->joints.size();
  };
  EXPECT_EQ(joints_of("hinge"), joints_of("ball"));
  EXPECT_EQ(joints_of("none"), 0u);
}

TEST(Composite, APluginBendsAllOfItsBodies) {
  const auto read = [](const std::string& plugin) {
    return "<extension><plugin plugin='mujoco.elasticity.cable'/><plugin plugin='mujoco.pid'/></extension><worldbody>" +
           Cable("curve='s' count='4' size='1' initial='none'",
                 "<geom type='capsule' size='.01'/><site size='.02'/>" + plugin) +
           "</worldbody>";
  };
  const auto spec = Read(read("<plugin plugin='mujoco.elasticity.cable'><config key='bend' value='1e6'/></plugin>"));
  for (const char* name : {"cB_first", "cB_1", "cB_last"}) {
    EXPECT_EQ(*spec->Find<Body>(name)->plugin.plugin_name, "mujoco.elasticity.cable") << name;
    EXPECT_EQ(*spec->Find<Body>(name)->plugin.name, "compositec") << name;
  }
  EXPECT_EQ(spec->Find<Site>("cS_last")->size[0], 0.02);
  ExpectParts(ErrorOf(read("<plugin plugin='mujoco.pid'/>")), {"test.xml:", "mujoco.pid", "mujoco.elasticity.cable"});
}

TEST(Composite, Errors) {
  ExpectParts(ErrorOfWorld("<composite type='rope' prefix='c' count='3'/>"), {"rope", "use type cable"});
  ExpectParts(ErrorOfWorld("<composite type='grid' prefix='c' count='3 3'/>"), {"flexcomp"});
  ExpectParts(ErrorOfWorld(Cable("curve='s' count='4 4' size='1'")), {"one direction"});
  ExpectParts(ErrorOfWorld(Cable("curve='q' count='4' size='1'")), {"curve", "'q'", "cos(s)"});
  ExpectParts(ErrorOfWorld(Cable("curve='s' count='4' vertex='0 0 0 1 0 0'")), {"vertex and count"});
  ExpectParts(ErrorOfWorld(Cable("vertex='0 0 0 1 0 0 1 0 0'")), {"points 1 and 2", "coincide"});
  ExpectParts(ErrorOfWorld(Cable("curve='s' count='4' size='1'", "")), {"capsules"});
}

}  // namespace
}  // namespace sinew::mjcf
