// A world's numbers depend on nothing but itself: not on threads, the size of the batch, its place in it, or company.
//
// Scenes run in batches of several sizes, on several threads, and alone, and end at the same bits. By default a few
// scenes run for 200 steps; SINEW_INDEPENDENCE_STEPS=10000 runs all of them for as long (./test independence).
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "batch/front/worlds.h"
#include "tests/support/lane_steps.h"
#include "tests/testing/longer.h"
#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

struct Scene {
  const char* name;
  const char* option;
  const char* more;  // bodies and constraints beside the walker
};

// Every way that a pack has: integrators, cones, solvers, one tree and several, equalities.
const Scene kScenes[] = {
    {"Pyramids", "", ""},
    {"RungeKutta", "integrator='RK4'", ""},
    {"Sweeps", "solver='PGS' integrator='RK4' iterations='50'", ""},
    {"Elliptic", "cone='elliptic' impratio='4'", ""},
    {"Implicit", "integrator='implicit'", ""},
    {"ImplicitFast", "integrator='implicitfast' jacobian='sparse'", ""},
    {"Discrete", "integrator='discrete'", ""},
    {"Gradients", "solver='CG'", ""},
    {"Noslip", "noslip_iterations='3' cone='elliptic'", ""},
    {"Ball", "",
     "<worldbody><body pos='.3 0 .3'><freejoint/><geom type='sphere' size='.1'/></body>"
     "<body pos='-.3 .1 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"},
    {"Equalities", "integrator='implicitfast'",
     "<equality><joint joint1='k1' joint2='k2'/><connect body1='foot' anchor='0 0 0'/></equality>"}};
// Robots of the set `robots` (bench/robots.py): hulls, height fields, cylinders, things in a hand and on a table.
const char* const kRobots[] = {"robots/cylinder_quadruped", "robots/hull_humanoid", "robots/terrain_quadruped",
                               "hands/cube_hand", "hands/clutter_arm"};
constexpr int kFewScenes = 3, kFewSteps = 200, kFewStepsOfRobots = 40;

constexpr char kWalker[] = R"(<worldbody><geom type="plane" size="9 9 .1"/>
 <body pos="0 0 .6"><freejoint/><geom type="box" size=".15 .1 .05"/>
  <body pos=".1 .08 0"><joint name="h1" axis="0 1 0" range="-60 60" limited="true" damping=".3"/>
   <geom type="capsule" fromto="0 0 0 0 0 -.25" size=".04"/>
   <body name="foot" pos="0 0 -.25"><joint name="k1" axis="0 1 0" range="-120 5" limited="true" damping=".3"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.25" size=".03"/></body></body>
  <body pos="-.1 -.08 0"><joint name="h2" axis="0 1 0" range="-60 60" limited="true" damping=".3" frictionloss=".1"/>
   <geom type="capsule" fromto="0 0 0 0 0 -.25" size=".04"/>
   <body pos="0 0 -.25"><joint name="k2" axis="0 1 0" range="-120 5" limited="true" damping=".3"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.25" size=".03"/></body></body>
 </body></worldbody>
 <actuator><motor joint="h1" gear="8"/><motor joint="k1" gear="8"/><motor joint="h2" gear="8"/><position joint="k2" kp="8"/></actuator>)";

ModelPtr MakeScene(const Scene& scene) {
  return sinew::testing::ReadModel(std::string("<mujoco><option timestep='.004' ") + scene.option + "/>" + kWalker +
                                   scene.more + "</mujoco>");
}

// The scenes, and behind them the robots.
ModelPtr ModelOf(int index) {
  const auto robot = static_cast<size_t>(index) - std::size(kScenes);
  if (index < static_cast<int>(std::size(kScenes))) return MakeScene(kScenes[index]);
  char error[500] = "";
  ModelPtr m(mj_loadXML(ModelsFile(std::string(kRobots[robot]) + ".xml").c_str(), nullptr, error, sizeof(error)));
  EXPECT_NE(m, nullptr) << error;
  return m;
}
std::string NameOf(int index) {
  const auto robot = static_cast<size_t>(index) - std::size(kScenes);
  if (index < static_cast<int>(std::size(kScenes))) return kScenes[index].name;
  std::string name = kRobots[robot];
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

int Steps() { return CountOr("SINEW_INDEPENDENCE_STEPS", kFewSteps); }

// Worlds start apart, in the first key frame where there is one, and get controls of their own.
double ControlOf(int world, int step, int actuator) { return std::sin(0.05 * step * (actuator + 1) + 0.7 * world); }
void StartOf(int world, double* qvel, mjtSize nv) {
  for (mjtSize i = 0; i < nv; ++i) qvel[i] = std::sin(1.3 * world + static_cast<double>(i));
}

std::vector<double> StateOf(const mjModel& m, const mjData& d) {
  std::vector<double> state(static_cast<size_t>(mj_stateSize(&m, mjSTATE_INTEGRATION)));
  mj_getState(&m, &d, state.data(), mjSTATE_INTEGRATION);
  return state;
}

std::vector<double> Alone(const mjModel& m, int world, int steps) {
  const DataPtr d(mj_makeData(&m));
  if (m.nkey > 0) std::copy_n(m.key_qpos, m.nq, d->qpos);
  StartOf(world, d->qvel, m.nv);
  for (int step = 0; step < steps; ++step) {
    for (int u = 0; u < m.nu; ++u) d->ctrl[u] = ControlOf(world, step, u);
    mj_step(&m, d.get());
  }
  return StateOf(m, *d);
}

// A batch whose first world has the number `first` among all.
std::vector<std::vector<double>> InBatch(const mjModel& m, int first, int count, int threads, int steps) {
  Worlds worlds(m, count, {.threads = threads, .stepping = Stepping::kPacks});
  constexpr int kPosition = 1, kVelocity = 2, kControl = 6;  // components of the state
  for (int i = 0; i < count; ++i) {
    if (m.nkey > 0) std::copy_n(m.key_qpos, m.nq, worlds.State(kPosition).of(i));
    StartOf(first + i, worlds.State(kVelocity).of(i), m.nv);
  }
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < count; ++i) {
      for (int u = 0; u < m.nu; ++u) worlds.State(kControl).of(i)[u] = ControlOf(first + i, step, u);
    }
    EXPECT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
  }
  std::vector<std::vector<double>> states(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    for (int part = 0; part < mjNSTATE; ++part) {
      const StateRows numbers = worlds.State(part);
      states[static_cast<size_t>(i)].insert(states[static_cast<size_t>(i)].end(), numbers.of(i),
                                            numbers.of(i) + numbers.size);
    }
  }
  return states;
}

class Independence : public ::testing::TestWithParam<int> {};

TEST_P(Independence, OfThreadsBatchesAndCompany) {
  const bool all = Steps() > kFewSteps, is_robot = GetParam() >= static_cast<int>(std::size(kScenes));
  if (!all && !is_robot && GetParam() >= kFewScenes) GTEST_SKIP() << "of the long tier";
  const int steps = !all && is_robot ? kFewStepsOfRobots : Steps();
  const ModelPtr m = ModelOf(GetParam());
  constexpr int kWorlds = 21;  // two packs of eight, and one that is not full
  std::vector<std::vector<double>> expected;
  for (int world = 0; world < kWorlds; ++world) expected.push_back(Alone(*m, world, steps));
  for (const int threads : {1, 2, 3, 8}) {
    for (const auto& [first, count] : {std::pair(0, kWorlds), {3, 5}, {20, 1}, {7, 13}}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, worlds " + std::to_string(first) + " to " +
                   std::to_string(first + count - 1));
      const auto states = InBatch(*m, first, count, threads, steps);
      for (int i = 0; i < count; ++i) {
        EXPECT_EQ(states[static_cast<size_t>(i)], expected[static_cast<size_t>(first + i)]) << "world " << first + i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Independence,
                         ::testing::Range(0, static_cast<int>(std::size(kScenes) + std::size(kRobots))),
                         [](const auto& scene) { return NameOf(scene.param); });

}  // namespace
}  // namespace sinew
