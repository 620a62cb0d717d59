// Parameters of each world: they are checked before they run, have the effect that they have in a model of their own,
// and random ones follow seed, world and reset.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "batch/front/worlds.h"
#include "batch/plan/own_bounds.h"
#include "batch/plan/worlds_fields.h"
#include "compile/topology/same_frame.h"
#include "tests/unit/batch/front/falling_leg.h"

namespace sinew {
namespace {

TEST(Worlds, ParametersAreCheckedBeforeTheyRun) {
  const auto m = Leg();
  Worlds worlds(*m, 3, {.threads = 1});
  auto* mass = static_cast<double*>(worlds.Expand("body_mass").data);
  auto* parent = static_cast<int*>(worlds.Expand("body_parentid").data);
  mass[1 * m->nbody + 1] = -1;
  parent[2 * m->nbody + 2] = 1000;
  EXPECT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 2);
  EXPECT_EQ(worlds.failures()[0], 0);
  EXPECT_NE(std::string(worlds.ErrorOf(1)).find("body_mass[1] is -1"), std::string::npos) << worlds.ErrorOf(1);
  EXPECT_NE(std::string(worlds.ErrorOf(2)).find("body_parentid"), std::string::npos) << worlds.ErrorOf(2);
  EXPECT_EQ(*worlds.State(0).of(1), 0);
  EXPECT_EQ(*worlds.State(0).of(0), m->opt.timestep);
  mass[1 * m->nbody + 1] = 2;
  parent[2 * m->nbody + 2] = 1;
  EXPECT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
}

TEST(Worlds, ConstantsFollowParametersAsInAModelOfTheirOwn) {
  const auto m = Leg();
  Worlds worlds(*m, 3, {.threads = 2});
  auto* mass = static_cast<double*>(worlds.Expand("body_mass").data);
  mass[2 * m->nbody + 2] *= 3;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(worlds.SetConst({}), 0);
  const ModelPtr own(mj_copyModel(nullptr, m.get()));
  own->body_mass[2] *= 3;
  const DataPtr d(mj_makeData(own.get()));
  mj_setConst(own.get(), d.get());
  const WorldArray weight = worlds.Expanded("body_invweight0");
  for (size_t i = 0; i < weight.size; ++i) {
    EXPECT_EQ(static_cast<double*>(weight.data)[2 * weight.size + i], own->body_invweight0[i]);
    EXPECT_EQ(static_cast<double*>(weight.data)[i], m->body_invweight0[i]);
  }
  for (int step = 0; step < 30; ++step) {
    SetControls(worlds, step);
    worlds.Step({}, 1, mjSTAGE_NONE);
  }
  EXPECT_EQ(StateOf(worlds, 2), Alone(own.get(), 2, 30));
  EXPECT_EQ(StateOf(worlds, 1), Alone(m.get(), 1, 30));
}

// Masses, frictions, gains, poses, ranges and the like run in packs, each lane with those of its world.
TEST(Worlds, ParametersInPacksAreThoseOfModelsOfTheirOwn) {
  constexpr const char* kFields[] = {"body_mass",
                                     "body_inertia",
                                     "body_invweight0",
                                     "dof_invweight0",
                                     "dof_damping",
                                     "geom_friction",
                                     "actuator_gainprm",
                                     "actuator_biasprm",
                                     "jnt_stiffness",
                                     "opt.gravity",
                                     "stat.meaninertia",
                                     "body_pos",
                                     "body_quat",
                                     "jnt_pos",
                                     "jnt_axis",
                                     "jnt_range",
                                     "geom_pos",
                                     "geom_quat",
                                     "site_pos",
                                     "site_quat",
                                     "tendon_range",
                                     "actuator_gear",
                                     "actuator_ctrlrange",
                                     "actuator_forcerange",
                                     "tendon_stiffness",
                                     "tendon_damping",
                                     "dof_frictionloss",
                                     "tendon_frictionloss",
                                     "tendon_lengthspring",
                                     "tendon_actfrcrange",
                                     "jnt_actfrcrange",
                                     "body_gravcomp",
                                     "cam_pos",
                                     "light_pos",
                                     "body_user"};
  constexpr int kWorlds = 19, kSteps = 200;
  for (const char* option : {"", "cone='elliptic' impratio='3'", "solver='PGS'", "integrator='implicitfast'"}) {
    SCOPED_TRACE(option);
    std::string text = kLeg;
    const auto replace = [&text](const std::string& old, const std::string& by) {
      text.replace(text.find(old), old.size(), by);
    };
    replace("<size memory=\"100K\"/>", std::string("<option ") + option + "/>");
    replace("<accelerometer site=\"s\"/>", "<touch site='s'/><actuatorfrc actuator='drive'/>");
    replace("<geom name=\"box\"", "<site name='s' type='box' size='.2 .2 .2'/><geom name=\"box\"");
    replace("<actuator>",
            "<tendon><fixed name='t' limited='true' range='-.3 .2' stiffness='2' damping='.05' frictionloss='.02'>"
            "<joint joint='knee' coef='1'/></fixed></tendon><actuator>");
    replace("ctrllimited=\"true\"", "ctrllimited=\"true\" forcelimited='true' forcerange='-4 4'");
    replace("<body name=\"shin\"", "<camera/><light/><body name=\"shin\" gravcomp='.5' user='1 2'");
    replace("<joint name=\"knee\"",
            "<joint frictionloss='.01' actuatorfrclimited='true' actuatorfrcrange='-3 3' name=\"knee\"");
    const ModelPtr m = ModelFrom(text);
    Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
    ASSERT_EQ(worlds.obstacle_to_packs(), nullptr);
    const WorldArray sensors = worlds.Output("sensordata");
    std::vector<ModelPtr> own;
    for (int w = 0; w < kWorlds; ++w) own.emplace_back(mj_copyModel(nullptr, m.get()));
    for (const char* name : kFields) {
      const WorldArray array = worlds.Expand(name);
      const ModelParameter field = FindModelParameter(*m, name);
      for (int w = 0; w < kWorlds; ++w) {
        auto* row = static_cast<double*>(array.data) + static_cast<size_t>(w) * array.size;
        for (size_t i = 0; i < array.size; ++i) row[i] *= 1 + 0.01 * w + 0.02 * static_cast<double>(i % 3);
        mjModel& model = *own[static_cast<size_t>(w)];
        std::memcpy(field.In(model), row, field.Bytes());
        MakeFramesGeneral(&model, name);  // the frames that are written count, as they do in the batch
      }
    }
    for (int step = 0; step < kSteps; ++step) {
      SetControls(worlds, step);
      ASSERT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
    }
    EXPECT_EQ(worlds.UseOfPacks().alone, 0);
    EXPECT_GT(worlds.UseOfPacks().lanes, 0);
    for (int w = 0; w < kWorlds; ++w) {
      EXPECT_EQ(StateOf(worlds, w), Alone(own[static_cast<size_t>(w)].get(), w, kSteps)) << w;
      EXPECT_NE(StateOf(worlds, w), Alone(m.get(), w, kSteps)) << w;
    }
    EXPECT_GT(sensors.size, 0u);
  }
}

// A name alone costs nothing: fields that only pictures see never count, and others where a world has another value.
TEST(Worlds, LeavePacksOnlyWhereAValueDiffers) {
  constexpr int kWorlds = 8, kSteps = 50;
  const auto m = Leg();
  Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
  auto* condim = static_cast<int*>(worlds.Expand("geom_condim").data);
  auto* rgba = static_cast<float*>(worlds.Expand("geom_rgba").data);
  worlds.Expand("opt.impratio");
  rgba[0] = 0.25f;
  for (int step = 0; step < kSteps; ++step) worlds.Step({}, 1, mjSTAGE_NONE);
  EXPECT_EQ(worlds.obstacle_to_packs(), nullptr);
  EXPECT_EQ(worlds.UseOfPacks().alone, 0);
  EXPECT_GT(worlds.UseOfPacks().lanes, 0);

  for (int i = 0; i < m->ngeom; ++i) condim[3 * m->ngeom + i] = 1;  // of world 3
  for (int step = 0; step < kSteps; ++step) worlds.Step({}, 1, mjSTAGE_NONE);
  EXPECT_STREQ(worlds.obstacle_to_packs(), "worlds with another geom_condim");
  EXPECT_DOUBLE_EQ(worlds.UseOfPacks().alone, 0.5 / kWorlds);
}

// A world leaves its pack with the change that takes it out, and comes back with the one that lets it in; bounds and
// bad numbers likewise. Worlds that never are in packs do the same.
TEST(Worlds, ComeBackToPacksWhenTheirValuesFitAgain) {
  constexpr int kWorlds = 8, kSteps = 10, kChanged = 3;
  const auto m = Leg();
  Worlds packs(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
  Worlds apart(*m, kWorlds, {.threads = 1, .persistent = true});
  struct Edit {
    const char* name;
    size_t element;
    double value;
    double alone;  // share of worlds that run by themselves
    int failures;
  };
  constexpr double kOne = 1.0 / kWorlds;
  const Edit edits[] = {{"dof_damping", 0, 0.1, kOne, 0}, {"dof_damping", 0, 0, 0, 0},   {"geom_margin", 1, 1, kOne, 0},
                        {"geom_margin", 1, 0, 0, 0},      {"body_mass", 2, -1, kOne, 1}, {"body_mass", 2, 0.5, 0, 0}};
  packs.Expand("body_margin");
  apart.Expand("body_margin");
  double before = 0;
  for (const Edit& edit : edits) {
    SCOPED_TRACE(edit.name + std::string(" ") + std::to_string(edit.value));
    for (Worlds* worlds : {&packs, &apart}) {
      const WorldArray array = worlds->Expand(edit.name);
      static_cast<double*>(array.data)[kChanged * array.size + edit.element] = edit.value;
    }
    for (int step = 0; step < kSteps; ++step) {
      EXPECT_EQ(packs.Step({}, 1, mjSTAGE_NONE), edit.failures);
      EXPECT_EQ(apart.Step({}, 1, mjSTAGE_NONE), edit.failures);
    }
    for (int w = 0; w < kWorlds; ++w) EXPECT_EQ(StateOf(packs, w), StateOf(apart, w)) << w;
    const long long edits_so_far = &edit - edits + 1;
    const double alone = packs.UseOfPacks().alone * static_cast<double>(edits_so_far);
    EXPECT_NEAR(alone - before, edit.alone, 1e-12);
    before = alone;
  }
}

// Geoms of other sizes in each world. Bounds follow sizes where the program does not give them.
TEST(Worlds, SizesInPacksAreThoseOfModelsOfTheirOwn) {
  constexpr int kWorlds = 19, kSteps = 200;
  constexpr char kBodies[] = R"(
    <mujoco>
      <worldbody>
        <geom type="plane" size="5 5 .1"/><geom type="capsule" fromto="-1 0 .1 1 0 .1" size=".1"/>
        <body pos="0 0 .6"><freejoint/>
          <geom type="box" size=".1 .1 .1"/><geom type="sphere" size=".08" pos=".15 0 0"/>
          <body pos="0 0 -.1"><joint name="knee" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/></body>
        </body>
        <body pos=".3 .1 .4"><freejoint/><geom type="cylinder" size=".1 .1"/></body>
        <body pos="-.3 .1 .4"><freejoint/><geom type="ellipsoid" size=".1 .12 .1"/></body>
        <body pos="-.3 .1 .8"><freejoint/><geom type="mesh" mesh="tetrahedron"/></body>
      </worldbody>
      <asset><mesh name="tetrahedron" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/></asset>
      <actuator><motor joint="knee" gear="5"/></actuator>
    </mujoco>)";
  const ModelPtr m = ModelFrom(kBodies);
  for (const bool with_bounds : {true, false}) {
    SCOPED_TRACE(with_bounds);
    Worlds worlds(*m, kWorlds, {.threads = 1, .stepping = Stepping::kPacks});
    ASSERT_EQ(worlds.obstacle_to_packs(), nullptr);
    std::vector<ModelPtr> own;
    for (int w = 0; w < kWorlds; ++w) own.emplace_back(mj_copyModel(nullptr, m.get()));
    for (const char* name : {"geom_size", "geom_rbound", "geom_aabb", "bvh_aabb"}) {
      if (!with_bounds && name != std::string("geom_size")) continue;
      const WorldArray array = worlds.Expand(name);
      const ModelParameter field = FindModelParameter(*m, name);
      for (int w = 0; w < kWorlds; ++w) {
        auto* row = static_cast<double*>(array.data) + static_cast<size_t>(w) * array.size;
        const bool is_tree = name == std::string("bvh_aabb");
        const size_t size_of_geom = array.size / static_cast<size_t>(m->ngeom);
        for (size_t i = 0; i < array.size; ++i) {
          if (is_tree) {
            if (i % 6 >= 3) row[i] *= 3;  // half sizes, which then hold all geoms
          } else if (m->geom_type[i / size_of_geom] != mjGEOM_MESH) {
            row[i] *= 1 + 0.02 * w;
          }
        }
        std::memcpy(field.In(*own[static_cast<size_t>(w)]), row, field.Bytes());
        if (!with_bounds) DeriveBounds(*m, own[static_cast<size_t>(w)].get());
      }
    }
    for (int step = 0; step < kSteps; ++step) {
      SetControls(worlds, step);
      ASSERT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
    }
    EXPECT_EQ(worlds.UseOfPacks().alone, 0);
    for (int w = 0; w < kWorlds; ++w) {
      EXPECT_EQ(StateOf(worlds, w), Alone(own[static_cast<size_t>(w)].get(), w, kSteps)) << w;
      EXPECT_EQ(StateOf(worlds, w) == Alone(m.get(), w, kSteps), w == 0) << w;
    }
  }
}

TEST(Worlds, RandomQuantitiesDependOnSeedWorldAndResetAlone) {
  const auto m = Leg();
  const double low = 0.5, high = 2;
  std::vector<double> masses;
  for (const int threads : {1, 3}) {
    // the second batch has the last two of the first one's worlds
    Worlds whole(*m, 6, {.threads = threads}), part(*m, 2, {.first_world = 4});
    for (Worlds* worlds : {&whole, &part}) {
      worlds->SetSeed(7);
      worlds->Randomize("body_mass", {&low, 1}, {&high, 1}, Draw::kLogUniform, Combine::kScale);
      worlds->Randomize("qpos", {&low, 1}, {&high, 1}, Draw::kNormal, Combine::kAdd);
      worlds->Reset({}, nullptr, mjSTAGE_NONE);
      worlds->Reset({}, nullptr, mjSTAGE_NONE);
      worlds->Step({}, 3, mjSTAGE_NONE);
    }
    EXPECT_EQ(StateOf(whole, 4), StateOf(part, 0));
    EXPECT_NE(StateOf(whole, 4), StateOf(whole, 3));
    const auto* mass = static_cast<double*>(whole.Expanded("body_mass").data);
    for (int i = 0; i < 6; ++i) {
      EXPECT_GE(mass[i * m->nbody + 1], 0.5 * m->body_mass[1]);
      EXPECT_LE(mass[i * m->nbody + 1], 2 * m->body_mass[1]);
    }
    if (masses.empty()) masses.assign(mass, mass + 6 * m->nbody);
    EXPECT_EQ(masses, std::vector<double>(mass, mass + 6 * m->nbody));
  }
}

}  // namespace
}  // namespace sinew
