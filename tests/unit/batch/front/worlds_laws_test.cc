// Impedance, reference, margins and time steps of each world's own run in packs, with the bits of a model that has
// them; and worlds agree on values that decide what is computed.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "batch/front/worlds.h"
#include "tests/unit/batch/front/falling_leg.h"

namespace sinew {
namespace {

constexpr int kWorlds = 19, kSteps = 150;

// Contacts by formula and by search, explicit pairs, surfaces that mix and surfaces of higher priority, and rows of
// limits, friction loss and equalities, with margins and gaps.
std::string Scene(const std::string& option) {
  return "<mujoco><option gravity='2 .7 -9' " + option + R"(/>
  <default><geom margin=".02" gap=".008" solmix="2"/><joint margin=".01"/></default>
  <asset><mesh name="stone" builtin="supersphere" params="8 .6 .7" scale=".1 .07 .05"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" solref=".03 .9" solmix="1"/>
    <body pos="0 0 .45"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/>
      <geom type="sphere" size=".08" pos=".15 0 0" priority="1" solref="-800 -30"/>
      <body pos="0 0 -.1">
        <joint name="knee" axis="0 1 0" range="-20 20" frictionloss=".02" solreffriction=".03 1" damping=".1"/>
        <geom name="shin" type="capsule" fromto="0 0 0 0 0 -.2" size=".04" condim="4"/>
        <body pos="0 0 -.2"><joint name="ankle" type="ball" range="0 25"/><geom type="sphere" size=".05" pos="0 .02 -.02"/></body>
      </body>
    </body>
    <body pos=".22 .1 .3"><freejoint/><geom name="ball" type="sphere" size=".08" condim="6" solref="-1000 -50"/></body>
    <body pos="-.25 .1 .35"><freejoint/><geom type="ellipsoid" size=".1 .12 .1"/></body>
    <body pos=".1 -.4 .2"><freejoint/><geom type="mesh" mesh="stone"/></body>
    <body pos="0 1 1"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
      <body pos=".2 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="ball" geom2="floor" margin=".03" gap=".01" condim="4" solreffriction=".05 .8"/></contact>
  <tendon><fixed name="t" limited="true" range="-.2 .1" margin=".02" frictionloss=".01"><joint joint="a" coef="1"/></fixed></tendon>
  <equality><joint joint1="a" joint2="b" polycoef="0 .5 0 0 0"/><connect body1="world" body2="ball_body" anchor="0 0 0" active="false"/></equality>
  <actuator><motor joint="knee" gear="5"/></actuator></mujoco>)";
}

ModelPtr SceneModel(const std::string& option) {
  std::string text = Scene(option);
  text.insert(text.find(" pos=\".22 .1 .3\""), " name=\"ball_body\"");
  return ModelFrom(text);
}

constexpr const char* kLaws[] = {
    "geom_solref",   "geom_solimp",       "geom_solmix",       "geom_margin",       "geom_gap",
    "geom_friction", "pair_solref",       "pair_solimp",       "pair_margin",       "pair_solreffriction",
    "pair_gap",      "pair_friction",     "jnt_solref",        "jnt_solimp",        "jnt_margin",
    "dof_solref",    "dof_solimp",        "tendon_solref_lim", "tendon_solimp_lim", "tendon_solref_fri",
    "tendon_margin", "tendon_solimp_fri", "eq_solref",         "eq_solimp",         "opt.timestep"};

// Another value of a number for each world, also of one that is zero in a solimp.
void Vary(const char* name, const WorldArray& array) {
  for (int w = 0; w < kWorlds; ++w) {
    auto* row = static_cast<double*>(array.data) + static_cast<size_t>(w) * array.size;
    for (size_t i = 0; i < array.size; ++i) row[i] *= 1 + 0.015 * w + 0.02 * static_cast<double>(i % 3);
    if (name == std::string("geom_solimp") && w % 3 == 1) row[4] = 1;  // of the floor: a line
    if (name == std::string("geom_solimp") && w % 3 == 2) row[2] = 0;  // a constant
  }
}

void ExpectOwnModels(const ModelPtr& m, const std::vector<const char*>& fields) {
  Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
  for (const char* name : fields) Vary(name, worlds.Expand(name));
  ASSERT_EQ(worlds.obstacle_to_packs(), nullptr);
  for (int step = 0; step < kSteps; ++step) {
    SetControls(worlds, step);
    ASSERT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
  }
  EXPECT_EQ(worlds.UseOfPacks().alone, 0);
  EXPECT_GT(worlds.UseOfPacks().lanes, 0);
  for (int w = 0; w < kWorlds; ++w) {
    const ModelPtr own(mj_copyModel(nullptr, m.get()));
    worlds.GetModel(w, own.get());
    ASSERT_EQ(StateOf(worlds, w), Alone(own.get(), w, kSteps)) << "world " << w;
  }
  EXPECT_NE(StateOf(worlds, 1), Alone(m.get(), 1, kSteps));
}

class WorldsLaws : public ::testing::TestWithParam<const char*> {};

TEST_P(WorldsLaws, AreThoseOfModelsOfTheirOwn) {
  ExpectOwnModels(SceneModel(GetParam()), {std::begin(kLaws), std::end(kLaws)});
}

INSTANTIATE_TEST_SUITE_P(Options, WorldsLaws,
                         ::testing::Values("", "cone='elliptic' impratio='3'", "solver='PGS'", "solver='CG'",
                                           "integrator='implicitfast'", "integrator='RK4'", "integrator='discrete'",
                                           "jacobian='sparse' cone='elliptic'"));

// One field after the other: none takes effect through another one alone.
TEST(WorldsLaws, OfEachFieldAreThoseOfModelsOfTheirOwn) {
  const ModelPtr m = SceneModel("cone='elliptic'");
  for (const char* name : kLaws) {
    SCOPED_TRACE(name);
    ExpectOwnModels(m, {name});
  }
}

// A constant of time below two steps counts as two steps, and half of each form as the default.
TEST(WorldsLaws, OfDoubtfulFormAreThoseOfModelsOfTheirOwn) {
  const ModelPtr m = SceneModel("");
  Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
  auto* solref = static_cast<double*>(worlds.Expand("geom_solref").data);
  for (int w = 0; w < kWorlds; ++w) {
    solref[2 * w * m->ngeom] = w % 2 ? -300 : 1e-4 * w;  // of the floor
  }
  for (int step = 0; step < kSteps; ++step) {
    SetControls(worlds, step);
    worlds.Step({}, 1, mjSTAGE_NONE);
  }
  EXPECT_EQ(worlds.UseOfPacks().alone, 0);
  for (int w = 0; w < kWorlds; ++w) {
    const ModelPtr own(mj_copyModel(nullptr, m.get()));
    worlds.GetModel(w, own.get());
    ASSERT_EQ(StateOf(worlds, w), Alone(own.get(), w, kSteps)) << "world " << w;
  }
}

// Margins of bodies, by which a world alone skips pairs, follow those of geoms. Where a program holds them below, its
// world runs alone.
TEST(WorldsLaws, MarginsOfBodiesFollowThoseOfGeoms) {
  const ModelPtr m = SceneModel("");
  Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
  auto* margin = static_cast<double*>(worlds.Expand("geom_margin").data);
  for (int w = 0; w < kWorlds; ++w) margin[w * m->ngeom + 1] = 0.05 * w;
  worlds.Step({}, 1, mjSTAGE_NONE);
  const ModelPtr own(mj_copyModel(nullptr, m.get()));
  worlds.GetModel(3, own.get());
  EXPECT_EQ(own->body_margin[1], 0.05 * 3);
  EXPECT_EQ(worlds.UseOfPacks().alone, 0);

  worlds.Expand("body_margin");
  margin[m->ngeom + 1] = 1;
  EXPECT_STREQ(worlds.obstacle_to_packs(), "worlds with geoms outside of their bounds or margins");
  worlds.Step({}, 1, mjSTAGE_NONE);
  EXPECT_GT(worlds.UseOfPacks().alone, 0);
}

// ---- values that decide what is computed

// Where all worlds have another value than the model, packs have it, too; where one differs, it is named.
TEST(WorldsInPacks, AgreeOnWhatDecidesRows) {
  const ModelPtr m = SceneModel("");
  Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
  const WorldArray condim = worlds.Expand("geom_condim"), iterations = worlds.Expand("opt.iterations"),
                   loss = worlds.Expand("dof_frictionloss");
  for (int w = 0; w < kWorlds; ++w) {
    for (int g = 0; g < m->ngeom; ++g) static_cast<int*>(condim.data)[w * m->ngeom + g] = g == 0 ? 1 : 3;
    static_cast<int*>(iterations.data)[w] = 2;
    for (int i = 0; i < m->nv; ++i) static_cast<double*>(loss.data)[w * m->nv + i] = 0.01 * (w + 1);
  }
  EXPECT_EQ(worlds.obstacle_to_packs(), nullptr);
  for (int step = 0; step < kSteps; ++step) {
    SetControls(worlds, step);
    ASSERT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
  }
  EXPECT_EQ(worlds.UseOfPacks().alone, 0);
  for (int w = 0; w < kWorlds; ++w) {
    const ModelPtr own(mj_copyModel(nullptr, m.get()));
    worlds.GetModel(w, own.get());
    ASSERT_EQ(own->geom_condim[1], 3);
    ASSERT_EQ(StateOf(worlds, w), Alone(own.get(), w, kSteps)) << "world " << w;
  }

  static_cast<int*>(iterations.data)[5] = 3;
  EXPECT_STREQ(worlds.obstacle_to_packs(), "worlds with another opt.iterations");
  static_cast<int*>(iterations.data)[5] = 2;
  static_cast<double*>(loss.data)[7 * m->nv] = 0;
  EXPECT_STREQ(worlds.obstacle_to_packs(), "worlds with other zeros in dof_frictionloss");
  worlds.Step({}, 1, mjSTAGE_NONE);
  EXPECT_GT(worlds.UseOfPacks().alone, 0);
}

// A value that no model may have is an error of each world, as before.
TEST(WorldsInPacks, DoNotAgreeOnBadValues) {
  const ModelPtr m = SceneModel("");
  Worlds worlds(*m, 4, {.threads = 1, .stepping = Stepping::kPacks});
  auto* condim = static_cast<int*>(worlds.Expand("geom_condim").data);
  for (int i = 0; i < 4 * m->ngeom; ++i) condim[i] = 5;
  EXPECT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 4);
  EXPECT_NE(std::string(worlds.ErrorOf(2)).find("geom_condim"), std::string::npos) << worlds.ErrorOf(2);
  EXPECT_EQ(*worlds.State(0).of(2), 0);
}

}  // namespace
}  // namespace sinew
