// A and B of steps in lanes: every lane equals its world alone, bit for bit.
#include <cstdio>
#include <string>
#include <vector>

#include "derivatives/small_systems/slot_linearization.h"
#include "derivatives/transition.h"
#include "tests/support/lane_steps.h"

namespace sinew::testing {
namespace {

class GradientsOfLanes : public Lanes {};

struct Matrices {
  std::vector<double> A, B;

  explicit Matrices(const mjModel& m)
      : A(static_cast<size_t>(Rows(m) * Rows(m))), B(static_cast<size_t>(Rows(m) * m.nu)) {}
  static mjtSize Rows(const mjModel& m) { return 2 * m.nv + m.na; }
  TransitionMatrices All() { return {A.data(), B.data(), nullptr, nullptr}; }
};

// Differentiates worlds [first, first + width) of the runs in a pack and alone; returns how many lanes are done.
int ExpectLanesEqualAlone(const mjModel& m, Runs& runs, int count, int first, LanePack& pack) {
  const auto width = static_cast<size_t>(pack.width());
  std::vector<Matrices> of_lane(width, Matrices(m));
  std::vector<double> b(width * static_cast<size_t>(m.nv)), unwanted(of_lane[0].A.size() + of_lane[0].B.size());
  std::vector<LaneTransition> lanes(width);
  for (int l = 0; l < pack.width(); ++l) {
    const auto lane = static_cast<size_t>(l);
    lanes[lane] = {of_lane[lane].A.data(),
                   of_lane[lane].B.data(),
                   b.data() + lane * static_cast<size_t>(m.nv),
                   unwanted.data(),
                   false,
                   {}};
    pack.LoadState(l, runs.State((first + l) % count).data());
  }
  EXPECT_TRUE(pack.Linearize(lanes.data()));
  int done = 0;
  for (int l = 0; l < pack.width(); ++l) {
    const auto lane = static_cast<size_t>(l);
    if (!lanes[lane].is_done) continue;
    ++done;
    CompleteTransition(&m, &pack.world(l), lanes[lane].b, of_lane[lane].All());
    const int world = (first + l) % count;
    const DataPtr alone(MakeData(m));
    mj_setState(&m, alone.get(), runs.State(world).data(), mjSTATE_INTEGRATION);
    Matrices expected(m);
    LinearizeTransition(&m, alone.get(), expected.All());
    EXPECT_TRUE(SameBits(expected.A.data(), of_lane[lane].A.data(), static_cast<mjtSize>(expected.A.size()))) << world;
    EXPECT_TRUE(SameBits(expected.B.data(), of_lane[lane].B.data(), static_cast<mjtSize>(expected.B.size()))) << world;
  }
  return done;
}

// The worlds of a model at every tenth of 150 steps. Returns the share of lanes that are done.
double ExpectGradientsEqualAlone(const mjModel& m, const LaneOps& ops) {
  constexpr int kWorlds = 9, kSteps = 150, kEvery = 10;
  EXPECT_TRUE(AreTransitionsInLanes(&m));
  Runs runs(m, kWorlds);
  LanePack pack(m, ops);
  int done = 0, all = 0;
  for (int step = 0; step < kSteps && !::testing::Test::HasFailure(); ++step) {
    runs.Step(step);
    if (step % kEvery != 0) continue;
    done += ExpectLanesEqualAlone(m, runs, kWorlds, step / kEvery, pack);
    all += pack.width();
  }
  return static_cast<double>(done) / all;
}

// Trunks that touch the box, which has no formula, are few.
TEST_P(GradientsOfLanes, WalkersEqualWorldsAlone) {
  for (const char* option : {"", "cone='elliptic' impratio='4'", "integrator='implicitfast' gravity='1 0 -9'"}) {
    for (const char* condim : {"1", "3", "4", "6"}) {
      SCOPED_TRACE(std::string(option) + " condim " + condim);
      EXPECT_GT(ExpectGradientsEqualAlone(*ReadModel(Walker(option, condim)), *GetParam()), 0.9);
      if (HasFailure()) return;
    }
  }
}

// Activations, muscles, limits of forces of actuators, joints and tendons, springs, gravity compensation.
TEST_P(GradientsOfLanes, ActuatorsAndSpringsEqualWorldsAlone) {
  constexpr char kArm[] = R"(<mujoco><option timestep=".004" %s/><worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .5"><joint name="a" axis="0 1 0" stiffness="3" damping=".2" actuatorfrclimited="true" actuatorfrcrange="-1 1"/>
 <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
 <body pos=".3 0 0" gravcomp=".5"><joint name="b" axis="0 1 0" range="-60 60" limited="true" frictionloss=".05"/>
  <geom type="capsule" fromto="0 0 0 .2 0 -.1" size=".03"/>
  <body pos=".2 0 -.1"><joint name="c" type="slide" axis="0 0 1" stiffness="40" damping="2"/><geom type="sphere" size=".06"/></body></body></body>
<body pos="0 .5 .2"><joint name="free" type="free" stiffness="2"/><geom type="sphere" size=".1"/>
 <body pos="0 0 .1"><joint name="ball" type="ball" stiffness="1" damping=".05" range="0 30" limited="true"/>
  <geom type="capsule" fromto="0 0 0 0 0 .2" size=".03"/></body></body></worldbody>
<tendon><fixed name="t" stiffness="5" damping=".1" springlength="-.1 .1" range="-.5 .5" limited="true" frictionloss=".02"
 actuatorfrclimited="true" actuatorfrcrange="-.5 .5"><joint joint="a" coef="1"/><joint joint="b" coef="-.7"/></fixed></tendon>
<actuator><motor joint="a" gear="3"/><position joint="b" kp="6" kv=".2" forcerange="-2 2" forcelimited="true"/>
 <general joint="c" dyntype="filterexact" dynprm=".05" gainprm="8" biastype="affine" biasprm=".3 -2 -1"/>
 <muscle joint="b" lengthrange="-1 1"/><motor tendon="t" gear="2"/><velocity joint="a" kv=".3"/>
 <position joint="ball" gear=".5 .3 -1" kp="2"/><motor jointinparent="ball" gear=".2 .1 .3"/><general joint="free" gear="1 0 2 .1 0 .3" gainprm=".5"/>
 <motor jointinparent="free" gear="0 1 0 .2 .1 0"/></actuator></mujoco>)";
  for (const char* option : {"", "integrator='implicitfast'"}) {
    char text[sizeof(kArm) + 40];
    std::snprintf(text, sizeof(text), kArm, option);
    EXPECT_EQ(ExpectGradientsEqualAlone(*ReadModel(text), *GetParam()), 1) << option;
  }
}

// Floor and legs have surfaces that move, and feet that stick.
TEST_P(GradientsOfLanes, SurfacesEqualWorldsAlone) {
  for (const char* option : {"", "cone='elliptic' integrator='implicitfast'"}) {
    for (const char* condim : {"3", "6"}) {
      std::string text = Walker(option, condim);
      text.insert(text.find("<default><geom ") + 15, "surfacevel='.2 .1 0 .3 .2 .1' adhesion='.5' ");
      EXPECT_GT(ExpectGradientsEqualAlone(*ReadModel(text), *GetParam()), 0.9) << option << condim;
      if (HasFailure()) return;
    }
  }
}

// Anchors are given: each world has its own.
TEST_P(GradientsOfLanes, ContactsThatHoldEqualWorldsAlone) {
  for (const char* option : {"stick='enable'", "stick='enable' cone='elliptic' integrator='implicitfast'"}) {
    for (const char* condim : {"3", "6"}) {
      EXPECT_GT(ExpectGradientsEqualAlone(*ReadModel(Walker(option, condim)), *GetParam()), 0.9) << option << condim;
      if (HasFailure()) return;
    }
  }
}

// Without rows there are slots for nobody, and lanes with rows have company without.
TEST_P(GradientsOfLanes, RowsComeAndGo) {
  constexpr char kBalls[] = R"(<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 .1" %s/>
<body pos="0 0 .12"><freejoint/><geom type="capsule" size=".05 .1"/><body pos="0 0 .1"><joint type="ball" damping=".01"/>
 <geom type="sphere" size=".06" pos="0 0 .1"/></body></body></worldbody></mujoco>)";
  for (const char* floor : {"", "contype='0' conaffinity='0'"}) {
    char text[sizeof(kBalls) + 40];
    std::snprintf(text, sizeof(text), kBalls, floor);
    EXPECT_EQ(ExpectGradientsEqualAlone(*ReadModel(text), *GetParam()), 1) << floor;
  }
}

// Nothing touches them: the Hessian is M, which for a lone body has entries on its diagonal alone.
TEST_P(GradientsOfLanes, BodiesThatNothingHoldsEqualWorldsAlone) {
  constexpr char kLone[] = R"(<mujoco><option timestep=".004" gravity="0 0 -3"/><worldbody>
<body pos="0 0 1"><joint name="hinge" axis="0 1 0" damping=".3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
<body pos="2 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
<body pos="4 0 1"><freejoint/><geom type="box" size=".3 .2 .1"/></body></worldbody>
<actuator><motor joint="hinge" gear="2"/></actuator></mujoco>)";
  EXPECT_EQ(ExpectGradientsEqualAlone(*ReadModel(kLone), *GetParam()), 1);
}

// Contacts without a formula, of boxes with each other, take their lanes out of packs, and no others.
TEST_P(GradientsOfLanes, ContactsWithoutFormulasGoAlone) {
  constexpr char kBoxes[] = R"(<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 .1"/>
<geom type="box" size=".2 .2 .05" pos=".2 0 .05"/><body pos="0 0 .25"><freejoint/><geom type="box" size=".1 .1 .1"/>
 <body pos="0 0 .12"><joint axis="1 0 0" damping=".1"/><geom type="sphere" size=".05" pos="0 .15 0"/></body></body></worldbody></mujoco>)";
  const double share = ExpectGradientsEqualAlone(*ReadModel(kBoxes), *GetParam());
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
}

// A lane without numbers is not done, and writes nothing.
TEST_P(GradientsOfLanes, BadLanesAreLeftAlone) {
  const ModelPtr m = ReadModel(Walker("", "3"));
  LanePack pack(*m, *GetParam());
  Runs runs(*m, pack.width());
  std::vector<Matrices> of_lane(static_cast<size_t>(pack.width()), Matrices(*m));
  std::vector<double> b(static_cast<size_t>(m->nv)), unwanted(of_lane[0].A.size() + of_lane[0].B.size());
  std::vector<LaneTransition> lanes;
  for (int lane = 0; lane < pack.width(); ++lane) {
    Matrices& own = of_lane[static_cast<size_t>(lane)];
    lanes.push_back({own.A.data(), own.B.data(), b.data(), unwanted.data(), true, {}});
    if (lane == 0) runs.world(lane).qvel[3] = mjMAXVAL * 2;
    pack.LoadState(lane, runs.State(lane).data());
  }
  ASSERT_TRUE(pack.Linearize(lanes.data()));
  EXPECT_FALSE(lanes[0].is_done);
  EXPECT_EQ(of_lane[0].A, Matrices(*m).A);
  EXPECT_EQ(of_lane[0].B, Matrices(*m).B);
  for (size_t lane = 1; lane < lanes.size(); ++lane) EXPECT_TRUE(lanes[lane].is_done);
}

SINEW_ON_ALL_LANES(GradientsOfLanes);

}  // namespace
}  // namespace sinew::testing
