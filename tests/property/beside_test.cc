// What stands beside a body decides nothing of it: every solver, alone and in packs, in double and single precision,
// ends as near to the minimum for a gram beside a tonne as for the gram alone.
//
// A scene of light things is solved to its end by Newton's method without tolerance: that is the minimum. Then each
// solver takes a step from the same state at the default tolerance, with nothing beside the scene and with heavy, deep
// or pinned things; its distance from the minimum may not grow by what is beside it.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr const char* kLight[] = {
    // a cube of a gram that slides on the floor
    "<body pos='0 0 .009'><freejoint/><geom type='box' size='.01 .01 .01' mass='.001' condim='4'/></body>",
    // an arm of three links of 10 g, one of them on the floor, with friction loss and a limit that it is beyond
    "<body pos='0 0 .03'><joint axis='0 1 0' range='5 40'/><geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' "
    "mass='.01'/><body pos='.1 0 0'><joint axis='0 1 0' frictionloss='1e-4'/><geom type='capsule' fromto='0 0 0 .1 0 "
    "0' "
    "size='.01' mass='.01'/><body pos='.1 0 -.022'><joint axis='0 0 1' damping='1e-5'/><geom type='sphere' size='.01' "
    "mass='.01'/></body></body></body>",
    // two balls on top of each other, the upper one ten times as heavy
    "<body pos='0 0 .0195'><freejoint/><geom size='.02' mass='.001'/></body>"
    "<body pos='.002 0 .0585'><freejoint/><geom size='.02' mass='.01'/></body>",
};

constexpr const char* kBeside[] = {
    "",
    // 50 kg, 5 mm in the floor
    "<body pos='5 0 .095'><freejoint/><geom type='box' size='.1 .1 .1' mass='50'/></body>",
    // a turntable that cannot move along the normal of the floor, 10 mm in it
    "<body pos='5 0 .01'><joint axis='0 0 1'/><geom type='cylinder' size='.1 .02' mass='3'/></body>",
    // ten tonnes on an arm at its limit, and a box of a tonne on two others
    "<body pos='5 0 1'><joint axis='0 1 0' range='-90 -10'/><geom type='capsule' fromto='0 0 0 1 0 0' size='.1' "
    "mass='10000'/></body><body pos='8 0 .099'><freejoint/><geom type='box' size='.1 .1 .1' mass='1000'/></body>"
    "<body pos='8 0 .298'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>",
};

ModelPtr Scene(int light, int beside, const std::string& option) {
  return ModelFromText("<mujoco><compiler angle='degree'/><option timestep='.002' " + option +
                       "/><worldbody><geom type='plane' size='20 20 .1'/>" + kLight[light] + kBeside[beside] +
                       "</worldbody></mujoco>");
}

// The light scene has the first `nv` dofs, whatever is beside it.
std::vector<double> StartOf(int nv, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 0.1);
  std::vector<double> velocity(static_cast<size_t>(nv));
  for (double& v : velocity) v = normal(random);
  return velocity;
}

// The change of velocity in a step, by its length.
std::vector<double> AccelerationAlone(const mjModel& m, const std::vector<double>& velocity) {
  const DataPtr d(mj_makeData(&m));
  std::copy(velocity.begin(), velocity.end(), d->qvel);
  mj_forward(&m, d.get());
  return {d->qacc, d->qacc + velocity.size()};
}

std::vector<double> AccelerationInPack(const mjModel& m, const std::vector<double>& velocity, Precision precision) {
  LanePack pack(m, precision);
  const DataPtr d(mj_makeData(&m));
  std::copy(velocity.begin(), velocity.end(), d->qvel);
  for (int lane = 0; lane < pack.width(); ++lane) pack.Load(lane, *d);
  pack.Forward();
  pack.Save(0, d.get());
  return {d->qacc, d->qacc + velocity.size()};
}

double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(a[i] - b[i]));
    size = std::max(size, std::fabs(b[i]));
  }
  return largest / size;
}

struct Solver {
  const char* name;
  const char* option;
  std::string to_the_end = "tolerance='0' iterations='1000'";
};

class Beside : public testing::TestWithParam<Solver> {
 protected:
  // Returns the accelerations that the light scene has at the minimum, with nothing beside it.
  static std::vector<double> Minimum(int light, const std::string& cone, const std::vector<double>& velocity) {
    return AccelerationAlone(*Scene(light, 0, GetParam().to_the_end + cone), velocity);
  }

  // Calls body(model with something beside it, model alone, velocity, minimum).
  template <class Body>
  static void ForEachScene(const Body& body) {
    for (const char* cone : {" cone='pyramidal'", " cone='elliptic'"}) {
      for (int light = 0; light < 3; ++light) {
        const ModelPtr alone = Scene(light, 0, GetParam().option + std::string(cone));
        for (unsigned seed = 0; seed < 10; ++seed) {
          const std::vector<double> velocity = StartOf(static_cast<int>(alone->nv), seed);
          const std::vector<double> minimum = Minimum(light, cone, velocity);
          for (int beside = 1; beside < 4; ++beside) {
            SCOPED_TRACE("light " + std::to_string(light) + ", beside " + std::to_string(beside) + ", seed " +
                         std::to_string(seed) + cone);
            body(*Scene(light, beside, GetParam().option + std::string(cone)), *alone, velocity, minimum);
          }
        }
      }
    }
  }
};

// Conjugate gradients end at 5e-9 of the forces of each dof, in other steps where the order of sums is another.
constexpr double kOfSums = 1e-8;

TEST_P(Beside, ALightSceneEndsAsNearAsAlone) {
  ForEachScene([](const mjModel& m, const mjModel& alone, const std::vector<double>& velocity,
                  const std::vector<double>& minimum) {
    const double of_alone = Distance(AccelerationAlone(alone, velocity), minimum);
    EXPECT_LE(Distance(AccelerationAlone(m, velocity), minimum), of_alone + kOfSums);
  });
}

// In single precision alone is a pack, too: the distance of the scene in a pack of its own. Both have the rounding of
// floats, 6e-8, in contacts of some hundred times the stiffness of the dofs.
TEST_P(Beside, TheSameInPacks) {
  constexpr double kOfFloats = 3e-4;
  ForEachScene([](const mjModel& m, const mjModel& alone, const std::vector<double>& velocity,
                  const std::vector<double>& minimum) {
    if (ObstacleToLanes(m)) return;
    const std::vector<double> exact = AccelerationInPack(m, velocity, Precision::kDouble);
    EXPECT_EQ(exact, AccelerationAlone(m, velocity));
    const double of_alone = Distance(AccelerationInPack(alone, velocity, Precision::kSingle), minimum);
    EXPECT_LE(Distance(AccelerationInPack(m, velocity, Precision::kSingle), minimum), 2 * of_alone + kOfFloats);
  });
}

INSTANTIATE_TEST_SUITE_P(Solvers, Beside,
                         testing::Values(Solver{"Newton", ""}, Solver{"CG", "solver='CG'"},
                                         Solver{"PGS", "solver='PGS'"}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace sinew
