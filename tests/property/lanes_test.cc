// Every lane of every instruction set equals the run of its world alone, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "batch/lane_pack.h"
#include "core/error.h"
#include "model/error_control.h"
#include "model/fields.h"
#include "step/forward.h"
#include "step/integrators.h"
#include "tests/support/tree_model.h"

namespace sinew::testing {
namespace {

void ExpectSameArrays(const mjModel& m, const mjData& actual, const mjData& expected) {
  for (const DataArray& field : kDataFields) {
    if (field.kind != ElementKind::kNum) continue;
    const double* a = static_cast<const double*>(field.Pointer(actual));
    const double* e = static_cast<const double*>(field.Pointer(expected));
    for (size_t i = 0; i < field.Count(m, expected); ++i) {
      ASSERT_EQ(std::memcmp(a + i, e + i, sizeof(double)), 0)
          << field.name << "[" << i << "]: " << a[i] << " and " << e[i] << " differ by " << a[i] - e[i];
    }
  }
}

class Lanes : public ::testing::TestWithParam<const LaneOps*> {};

// Runs a few steps of random worlds in lanes and alone.
void ExpectLanesEqualScalar(const mjModel& m, const LaneOps& ops, std::mt19937& random) {
  constexpr int kSteps = 3;
  LanePack pack(m, ops);
  std::vector<DataPtr> alone, packed;
  for (int lane = 0; lane < ops.width; ++lane) {
    alone.emplace_back(MakeData(m));
    packed.emplace_back(MakeData(m));
    RandomState(m, alone.back().get(), random);
    CopyData(packed.back().get(), m, *alone.back());
    pack.Load(lane, *packed.back());
    for (int step = 0; step < kSteps; ++step) {
      Forward(&m, alone.back().get());
      Euler(&m, alone.back().get());
    }
  }
  for (int step = 0; step < kSteps; ++step) {
    pack.Forward();
    pack.Euler();
  }
  for (int lane = 0; lane < ops.width; ++lane) {
    pack.Save(lane, packed[lane].get());
    SCOPED_TRACE("lane " + std::to_string(lane));
    ExpectSameArrays(m, *packed[lane], *alone[lane]);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(Lanes, EqualScalarRuns) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("model " + std::to_string(seed));
    std::mt19937 random(seed);
    const ModelPtr m = MakeTree(RandomTree(random, 1 + static_cast<int>(seed)));
    ExpectLanesEqualScalar(*m, *GetParam(), random);
    if (HasFatalFailure()) return;
  }
}

// ---- whole steps, with constraints

// A walker of one tree with limits, friction loss, a fixed tendon, contacts with the floor and of its legs.
constexpr char kWalker[] = R"(
<option timestep="0.004" %s/>
<default><geom type="capsule" friction="0.8" condim="%s"/><joint damping="0.3" armature="0.01"/></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><geom type="box" size=".1 .1 .05" pos=".3 0 .05"/>
 <body pos="0 0 .55"><freejoint/><geom type="box" size=".15 .1 .05"/><site name="imu"/>
  <body pos=".1 .08 0"><joint name="h1" axis="0 1 0" range="-60 60" limited="true"/><joint axis="1 0 0" frictionloss=".2"/>
   <geom fromto="0 0 0 0 0 -.25" size=".04"/><body pos="0 0 -.25"><joint name="k1" axis="0 1 0" range="-120 5" limited="true"/>
    <geom fromto="0 0 0 0 0 -.25" size=".03"/></body></body>
  <body pos=".1 -.08 0"><joint name="h2" axis="0 1 0" range="-60 60" limited="true"/>
   <geom fromto="0 0 0 0 0 -.25" size=".04"/><body pos="0 0 -.25"><joint name="k2" axis="0 1 0" range="-120 5" limited="true"/>
    <geom fromto="0 0 0 0 0 -.25" size=".03"/></body></body>
  <body pos="-.12 0 0"><joint type="ball" range="0 40" limited="true"/><geom fromto="0 0 0 -.2 0 -.3" size=".03"/></body>
 </body></worldbody>
<tendon><fixed name="t" limited="true" range="-.8 .8" frictionloss=".05"><joint joint="h1" coef="1"/><joint joint="h2" coef="-1"/></fixed></tendon>
<actuator><motor joint="h1" gear="5"/><motor joint="k1" gear="5"/><motor joint="h2" gear="5"/><position joint="k2" kp="5"/></actuator>
%s
<sensor><gyro site="imu"/><accelerometer site="imu"/><touch site="imu"/><jointlimitfrc joint="h1"/><subtreecom body="world"/></sensor>
)";

std::string Walker(const char* option, const char* condim, const char* more = "") {
  std::vector<char> text(sizeof(kWalker) + std::strlen(option) + std::strlen(more) + 10);
  std::snprintf(text.data(), text.size(), kWalker, option, condim, more);
  return std::string("<mujoco>") + text.data() + "</mujoco>";
}

ModelPtr ReadModel(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "walker.xml", xml.data(), static_cast<int>(xml.size()));
  char error[500] = "";
  mjModel* m = mj_loadXML("walker.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  EXPECT_NE(m, nullptr) << error;
  return ModelPtr(m);
}

// Worlds that fall and kick, each its own way.
class Runs {
 public:
  Runs(const mjModel& m, int count) : m_(m), random_(7) {
    for (int i = 0; i < count; ++i) {
      worlds_.emplace_back(MakeData(m));
      for (int k = 0; k < m.nv; ++k) worlds_.back()->qvel[k] = Uniform();
      worlds_.back()->qpos[2] += 0.2 * Uniform();
    }
  }
  mjData& world(int i) { return *worlds_[static_cast<size_t>(i)]; }
  void Step(int step) {
    for (size_t i = 0; i < worlds_.size(); ++i) {
      Control(static_cast<int>(i), step, worlds_[i]->ctrl);
      mj_step(&m_, worlds_[i].get());
    }
  }
  void Control(int world, int step, double* ctrl) const {
    for (int u = 0; u < m_.nu; ++u) ctrl[u] = std::sin(0.1 * step * (u + 1) + world);
  }
  std::vector<double> State(int i) {
    std::vector<double> state(static_cast<size_t>(mj_stateSize(&m_, mjSTATE_INTEGRATION)));
    mj_getState(&m_, worlds_[static_cast<size_t>(i)].get(), state.data(), mjSTATE_INTEGRATION);
    return state;
  }

 private:
  double Uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  const mjModel& m_;
  std::mt19937 random_;
  std::vector<DataPtr> worlds_;
};

bool SameBits(const double* a, const double* b, mjtSize n) {
  return n == 0 || std::memcmp(a, b, static_cast<size_t>(n) * sizeof(double)) == 0;
}

// Steps `kWorlds` worlds alone and in packs, whose companies change at every step.
void ExpectStepsEqualAlone(const mjModel& m, const LaneOps& ops) {
  constexpr int kWorlds = 8, kSteps = 300;
  Runs alone(m, kWorlds);
  LanePack pack(m, ops);
  std::vector<std::vector<double>> states;
  for (int i = 0; i < kWorlds; ++i) states.push_back(alone.State(i));
  const size_t ctrl = static_cast<size_t>(mj_stateSize(&m, mjSTATE_CTRL - 1));
  DataPtr packed(MakeData(m));
  std::mt19937 random(3);
  int contacts = 0;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<int> order(kWorlds);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    alone.Step(step);
    for (int first = 0; first < kWorlds; first += ops.width) {
      for (int lane = 0; lane < ops.width; ++lane) {
        const int world = order[static_cast<size_t>(first + lane)];
        std::vector<double>& state = states[static_cast<size_t>(world)];
        alone.Control(world, step, state.data() + ctrl);
        pack.LoadState(lane, state.data());
      }
      pack.Step();
      for (int lane = 0; lane < ops.width; ++lane) {
        const int world = order[static_cast<size_t>(first + lane)];
        std::vector<double>& state = states[static_cast<size_t>(world)];
        pack.SaveState(lane, state.data());
        const mjData& expected = alone.world(world);
        ASSERT_EQ(pack.status(lane).contacts, expected.ncon);
        ASSERT_EQ(pack.status(lane).rows, expected.nefc);
        ASSERT_EQ(pack.status(lane).iterations, expected.solver_niter[0]) << "step " << step << ", world " << world;
        ASSERT_EQ(pack.status(lane).warnings, 0);
        contacts += expected.ncon;
        const std::vector<double> all = alone.State(world);
        ASSERT_TRUE(SameBits(state.data(), all.data(), static_cast<mjtSize>(all.size())))
            << "step " << step << ", world " << world;
        pack.Save(lane, packed.get());
        ASSERT_TRUE(SameBits(packed->sensordata, expected.sensordata, m.nsensordata))
            << "step " << step << ", world " << world;
        ASSERT_TRUE(SameBits(packed->qfrc_constraint, expected.qfrc_constraint, m.nv));
        ASSERT_TRUE(SameBits(packed->qfrc_passive, expected.qfrc_passive, m.nv));
        ASSERT_TRUE(SameBits(packed->ten_length, expected.ten_length, m.ntendon));
        ASSERT_TRUE(SameBits(packed->actuator_force, expected.actuator_force, m.nu));
        // behind the last point of the last path is what was there before
        const size_t last = static_cast<size_t>(std::max<mjtSize>(m.ntendon, 1) - 1);
        const int points = m.nwrap > 0 ? expected.ten_wrapadr[last] + expected.ten_wrapnum[last] : 0;
        ASSERT_TRUE(std::equal(expected.ten_wrapnum, expected.ten_wrapnum + m.ntendon, packed->ten_wrapnum));
        ASSERT_TRUE(std::equal(expected.wrap_obj, expected.wrap_obj + points, packed->wrap_obj));
        ASSERT_TRUE(SameBits(packed->wrap_xpos, expected.wrap_xpos, 3 * points));
      }
    }
  }
  EXPECT_GT(contacts, kSteps);  // the worlds touch the ground and themselves
}

TEST_P(Lanes, StepsEqualWorldsAlone) {
  for (const auto& [option, condim] : {std::pair("", "3"),
                                       {"cone='elliptic'", "3"},
                                       {"cone='elliptic'", "6"},
                                       {"integrator='implicitfast'", "1"},
                                       {"integrator='implicit'", "6"},
                                       {"integrator='RK4'", "3"},
                                       {"integrator='RK4' cone='elliptic'", "4"},
                                       {"jacobian='sparse'", "4"},
                                       {"impratio='5' cone='elliptic'", "4"}}) {
    SCOPED_TRACE(std::string(option) + ", condim " + condim);
    ExpectStepsEqualAlone(*ReadModel(Walker(option, condim)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Activations are part of the state that stages of a step pass on.
TEST_P(Lanes, StepsWithActivationsEqualWorldsAlone) {
  for (const char* option : {"integrator='RK4'", "integrator='implicitfast'", ""}) {
    SCOPED_TRACE(option);
    const ModelPtr m = ReadModel(Walker(option, "3",
                                        "<actuator><general joint='k2' dyntype='filterexact' dynprm='.05' gainprm='3'/>"
                                        "<intvelocity joint='h1' kp='4' actrange='-1 1'/></actuator>"));
    ExpectStepsEqualAlone(*m, *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Sweeps of projected Gauss-Seidel in lanes; other solvers, and islands of several trees, one world at a time.
TEST_P(Lanes, StepsWithOtherSolversEqualWorldsAlone) {
  for (const char* option :
       {"solver='PGS'", "solver='PGS' integrator='RK4' iterations='50'", "solver='PGS' jacobian='sparse'",
        "solver='PGS' cone='elliptic'", "solver='CG'", "noslip_iterations='3'", "solver='PGS' noslip_iterations='2'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(Walker(option, "3")), *GetParam());
    if (HasFatalFailure()) return;
  }
}

TEST_P(Lanes, StepsOfSeveralTreesEqualWorldsAlone) {
  constexpr char kBalls[] =
      "<worldbody><body pos='.4 0 .2'><freejoint/><geom type='sphere' size='.1'/></body>"
      "<body pos='-1 0 .11'><freejoint/><geom type='sphere' size='.1'/></body></worldbody>";
  for (const char* option : {"", "solver='PGS'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(Walker(option, "3", kBalls)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

TEST_P(Lanes, StepsWithEqualitiesEqualWorldsAlone) {
  const ModelPtr m = ReadModel(Walker(
      "", "3", "<equality><joint joint1='k1' joint2='k2' polycoef='0 1 0 0 0'/><tendon tendon1='t'/></equality>"));
  ExpectStepsEqualAlone(*m, *GetParam());
}

// Muscles with elastic and rigid tendons of all curves, on paths from site to site, over a pulley, around a cylinder,
// an ellipsoid, and two of them in a row; beside it a tendon with a spring, a limit and an armature.
constexpr char kMuscles[] = R"(
<worldbody><site name="high" pos="0 0 1.5"/><site name="far" pos="2 .5 1"/></worldbody>
<tendon>
 <spatial name="straight"><site site="a0"/><site site="a1"/><pulley divisor="2"/><site site="a1"/><site site="a2"/></spatial>
 <spatial name="round"><site site="a0"/><geom geom="wheel" sidesite="front"/><site site="a2"/></spatial>
 <spatial name="egg"><site site="b0"/><geom geom="egg"/><site site="b2"/></spatial>
 <spatial name="row"><site site="b0"/><geom geom="egg" sidesite="side"/><geom geom="drum"/><site site="b1"/></spatial>
 <spatial name="rope" stiffness="40" damping="1" limited="true" range="0 1.2" frictionloss=".1" armature=".02"><site site="high"/><site site="a1"/></spatial>
</tendon>
<actuator>
 <musculotendon tendon="straight" force="300" fiberlength=".1" slacklength=".15" pennation="20"/>
 <musculotendon tendon="round" force="300" fiberlength=".12" slacklength=".3" curves="hyfydy"/>
 <musculotendon tendon="egg" force="200" fiberlength=".12" slacklength=".3" curves="degroote"/>
 <musculotendon tendon="row" force="200" fiberlength=".1" slacklength=".2" compliance="rigid"/>
 <musculotendon tendon="round" force="100" fiberlength=".2" slacklength=".2" fiberdamping="0" tausmooth=".1"/>
 <muscle tendon="row" force="100"/>
</actuator>
<sensor><tendonpos tendon="round"/><tendonvel tendon="row"/></sensor>)";

// The walker's legs with what these tendons are attached to. `law`: of all geoms.
std::string MuscularWalker(const char* option, const char* law = "") {
  std::string text = Walker(option, "3", kMuscles);
  const auto insert = [&text](const std::string& behind, const std::string& what) {
    const size_t at = text.find(behind);
    ASSERT_NE(at, std::string::npos) << behind;
    text.insert(at + behind.size(), what);
  };
  insert("<site name=\"imu\"/>", R"(<site name="a0" pos=".12 .08 .1"/><site name="b0" pos=".12 -.08 .1"/>
    <site name="front" pos=".25 .08 -.2"/><site name="side" pos=".3 -.1 -.1"/>)");
  insert(
      R"(<geom fromto="0 0 0 0 0 -.25" size=".04"/>)",
      R"(<site name="a1" pos=".05 0 -.2"/><geom name="wheel" class="wrap" type="cylinder" size=".05 .1" euler="90 0 0" pos="0 0 -.2"/>)");
  insert(R"(<geom fromto="0 0 0 0 0 -.25" size=".03"/>)", R"(<site name="a2" pos=".03 0 -.2"/>)");
  const std::string leg = "limited=\"true\"/>\n   <geom fromto=\"0 0 0 0 0 -.25\" size=\".04\"/><body";
  const size_t second = text.find(leg);
  EXPECT_NE(second, std::string::npos);
  if (second != std::string::npos) {
    text.insert(second + leg.size() - 5, R"(<site name="b1" pos=".04 0 -.24"/><site name="b2" pos=".06 0 -.2"/>
      <geom name="egg" class="wrap" type="ellipsoid" size=".05 .08 .06" pos="0 0 -.05"/>
      <geom name="drum" class="wrap" type="cylinder" size=".04 .1" euler="90 0 0" pos="0 0 -.17"/>)");
  }
  insert("<default><geom ", std::string(law) + " ");
  insert("<joint damping=\"0.3\" armature=\"0.01\"/>",
         R"(<default class="wrap"><geom contype="0" conaffinity="0" mass="0"/></default>)");
  return text;
}

TEST_P(Lanes, StepsOfMusclesEqualWorldsAlone) {
  for (const char* option : {"integrator='implicitfast'", "integrator='implicit'", "integrator='RK4'", "",
                             "solver='PGS'", "jacobian='sparse' cone='elliptic'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(MuscularWalker(option)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// ---- contacts and rows that are made in lanes

// A body of all shapes that have a formula with a plane, and obstacles that its sphere and its capsule have one with.
TEST_P(Lanes, ContactsWithFormulasEqualThoseOfWorldsAlone) {
  constexpr char kShapes[] = R"(<mujoco><option timestep=".003" %s/>
<default><geom friction=".7" condim="4" solref=".01 .8" margin=".01" gap=".004"/></default>
<worldbody><geom type="plane" size="5 5 .1" contype="3" conaffinity="3"/>
 <geom type="sphere" size=".12" pos=".3 0 .05"/><geom type="capsule" size=".08 .2" pos="-.3 .1 .05" euler="90 20 0"/>
 <geom type="box" size=".1 .2 .06" pos="0 .35 .05" euler="0 10 20"/><geom type="cylinder" size=".1 .1" pos=".1 -.35 .02"/>
 <body pos="0 0 .3"><freejoint/><geom type="sphere" size=".06"/>
  <geom type="capsule" size=".04 .15" pos=".1 0 0" euler="0 90 0" contype="4" conaffinity="4"/>
  <geom type="box" size=".05 .05 .06" pos=".2 .2 0" contype="2" conaffinity="2"/>
  <geom type="cylinder" size=".05 .06" pos="-.2 .2 0" contype="2" conaffinity="2"/>
  <geom type="ellipsoid" size=".05 .07 .06" pos="-.2 -.2 0" contype="2" conaffinity="2"/></body>
 <geom type="plane" size="5 5 .1" contype="4" conaffinity="4"/><geom type="box" size=".3 .1 .1" pos=".4 .1 .05" contype="4" conaffinity="4"/>
 <geom type="capsule" size=".05 .2" pos=".1 .1 .1" euler="90 0 0" contype="4" conaffinity="4"/>
</worldbody></mujoco>)";
  for (const char* option : {"", "cone='elliptic'", "solver='PGS'", "solver='CG'"}) {
    SCOPED_TRACE(option);
    char text[sizeof(kShapes) + 100];
    std::snprintf(text, sizeof(text), kShapes, option);
    ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Boxes, hulls and height fields near each other in some lane leave the other contacts in lanes.
TEST_P(Lanes, ContactsWithAndWithoutFormulasEqualThoseOfWorldsAlone) {
  constexpr char kShapes[] = R"(<mujoco><option timestep=".003" %s/>
<asset><mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 .2 .2 0 .1 .1 .15"/><hfield name="hills" nrow="4" ncol="4" size="1 1 .1 .1"
 elevation="0 1 0 1  1 0 1 0  0 .5 1 0  0 0 1 1"/></asset>
<default><geom friction=".7" condim="3" margin=".004" gap=".001"/></default>
<worldbody><geom type="plane" size="5 5 .1" pos="0 0 -.02"/><geom type="hfield" hfield="hills" pos="0 0 -.06"/>
 <geom type="box" size=".2 .2 .06" pos="0 .35 .05" euler="0 10 20"/><geom type="mesh" mesh="wedge" pos="-.3 -.1 .02"/>
 <geom type="cylinder" size=".1 .1" pos=".1 -.35 .02"/>
 <body pos="0 0 .15"><freejoint/><geom type="sphere" size=".06"/>
  <geom type="box" size=".15 .05 .06" pos=".1 0 0"/><geom type="capsule" size=".04 .15" pos=".1 0 0" euler="0 90 0"/>
  <body pos=".1 .2 0"><joint axis="1 0 0" range="-30 30"/><geom type="mesh" mesh="wedge"/><geom type="ellipsoid" size=".05 .07 .06"/></body>
  <body pos="-.2 -.1 0"><joint axis="0 1 0" frictionloss=".1"/><geom type="cylinder" size=".05 .06"/><geom type="sphere" size=".05"/></body>
 </body></worldbody></mujoco>)";
  for (const char* option : {"", "cone='elliptic'", "solver='PGS'", "integrator='RK4'"}) {
    SCOPED_TRACE(option);
    char text[sizeof(kShapes) + 100];
    std::snprintf(text, sizeof(text), kShapes, option);
    ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Explicit integrators do not hold soles as stiff as those of the others on light legs at 4 ms.
TEST_P(Lanes, StepsWithCompliantContactsEqualWorldsAlone) {
  constexpr const char *kHertz = "contactmodel='hertz' modulus='1e6' dissipation='.5' cfriction='.8 .6 .1'",
                       *kMaterial = "contactmodel='hertz' stiffness='3e3' dissipation='.5' frictionlaw='step'",
                       *kLinear = "contactmodel='linear' stiffness='2e3' dissipation='2' cfriction='.8 .6 .1'";
  for (const auto& [option, law] : {std::pair("slipspeed='.1' integrator='implicitfast'", kHertz),
                                    {"slipspeed='.1' integrator='implicit'", kHertz},
                                    {"slipspeed='.1' integrator='implicitfast' solver='PGS'", kHertz},
                                    {"slipspeed='.3' integrator='implicitfast' mixing='hyfydy'", kMaterial},
                                    {"slipspeed='.1' integrator='implicitfast' solver='CG' cone='elliptic'", kLinear},
                                    {"slipspeed='.5'", kLinear},
                                    {"slipspeed='.5' solver='PGS'", kLinear},
                                    {"slipspeed='.5' integrator='RK4'", kLinear}}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(MuscularWalker(option, law)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// ---- sensors

// All kinds that have a formula, some with a cutoff, and those that look at contacts and rows of limits.
constexpr char kSensors[] = R"(
<worldbody><body name="mobile" mocap="true" pos="0 0 2"><camera name="eye"/></body></worldbody>
<tendon><fixed name="free"><joint joint="k1" coef="1"/><joint joint="k2" coef=".5"/></fixed></tendon>
<actuator><motor name="pull" tendon="free" gear="2"/></actuator>
<sensor>
 <magnetometer site="imu"/><camprojection site="sole" camera="eye"/><jointpos joint="h1" cutoff=".1"/><tendonpos tendon="free"/>
 <actuatorpos actuator="pull"/><ballquat joint="ball"/><framepos objtype="site" objname="sole"/>
 <framepos objtype="geom" objname="thigh" reftype="site" refname="imu"/><framequat objtype="body" objname="trunk"/>
 <framequat objtype="geom" objname="thigh" reftype="xbody" refname="trunk"/><framequat objtype="camera" objname="eye"/>
 <framexaxis objtype="site" objname="sole"/><framezaxis objtype="body" objname="trunk" reftype="camera" refname="eye"/>
 <subtreecom body="trunk"/><clock/><velocimeter site="imu"/><gyro site="sole"/><jointvel joint="h1"/><tendonvel tendon="free"/>
 <actuatorvel actuator="pull"/><ballangvel joint="ball"/><framelinvel objtype="site" objname="sole" cutoff=".3"/>
 <frameangvel objtype="xbody" objname="trunk" reftype="site" refname="sole"/><framelinvel objtype="geom" objname="floor"/>
 <subtreelinvel body="trunk"/><subtreeangmom body="trunk"/><accelerometer site="imu"/><framelinacc objtype="site" objname="sole"/>
 <frameangacc objtype="body" objname="trunk"/><actuatorfrc actuator="pull"/><jointactuatorfrc joint="h1"/><tendonactuatorfrc tendon="free"/>
 <force site="sole"/><torque site="sole" cutoff=".01"/><force site="imu"/><torque site="joint"/><touch name="foot" site="sole"/><touch site="imu"/><touch site="joint"/>
 <jointlimitpos joint="k1"/><jointlimitvel joint="k1"/><jointlimitfrc joint="k1"/><jointlimitfrc joint="h1"/>
 %s
</sensor>)";

// A hopper whose only rows beside contacts are limits: all of them are made in lanes. `more` is of the world, `sensors`
// of the last block.
ModelPtr Hopper(const char* option, const char* condim, const char* more, const char* sensors) {
  constexpr char kHopper[] = R"(<mujoco><option timestep="0.004" %s/>
<default><geom type="capsule" friction="0.8" condim="%s"/><joint damping="0.3" armature="0.01" limited="true"/></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/>
 <body name="trunk" pos="0 0 .5"><freejoint/><geom type="sphere" size=".1"/><site name="imu" size=".12"/>
  <body pos=".1 .08 0"><joint name="h1" axis="0 1 0" range="-60 60"/><geom name="thigh" fromto="0 0 0 0 0 -.2" size=".04"/><site name="joint" size=".05 .1" type="capsule"/>
   <body name="l1" pos="0 0 -.2"><joint name="k1" axis="0 1 0" range="-120 5"/><geom name="calf" fromto="0 0 0 0 0 -.2" size=".03"/>
    <site name="sole" pos="0 0 -.2" type="box" size=".05 .05 .05"/></body></body>
  <body pos=".1 -.08 0"><joint name="h2" axis="0 1 0" range="-60 60"/><geom name="other" fromto="0 0 0 0 0 -.2" size=".04"/>
   <body name="l2" pos="0 0 -.2"><joint name="k2" axis="0 1 0" range="-120 5"/><geom fromto="0 0 0 0 0 -.2" size=".03"/></body></body>
  <body pos="-.12 0 0"><joint name="ball" type="ball" limited="false"/><geom fromto="0 0 0 -.2 0 -.3" size=".03"/></body>
 </body></worldbody>%s%s</mujoco>)";
  char block[sizeof(kSensors) + 400], text[sizeof(kHopper) + sizeof(block) + 400];
  std::snprintf(block, sizeof(block), kSensors, sensors);
  std::snprintf(text, sizeof(text), kHopper, option, condim, more, block);
  return ReadModel(text);
}

TEST_P(Lanes, SensorsEqualThoseOfWorldsAlone) {
  for (const auto& [option, condim] : {std::pair("", "3"),
                                       {"", "1"},
                                       {"cone='elliptic'", "6"},
                                       {"integrator='RK4' cone='elliptic'", "3"},
                                       {"jacobian='sparse'", "4"},
                                       {"solver='PGS'", "3"}}) {
    SCOPED_TRACE(std::string(option) + ", condim " + condim);
    ExpectStepsEqualAlone(*Hopper(option, condim, "", ""), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Explicit pairs, of other parameters than their geoms have; friction loss of dofs and tendons, limits of tendons.
TEST_P(Lanes, ExplicitPairsAndRowsOfJointsEqualThoseOfWorldsAlone) {
  constexpr char kMore[] = R"(
<contact><pair geom1="floor" geom2="thigh" condim="4" friction="1 .8 .1 .1 .1" margin=".03" gap=".01"/>
 <pair geom1="calf" geom2="floor" condim="1"/><pair geom1="calf" geom2="other" margin=".05"/></contact>
<tendon><fixed name="spread" limited="true" range="-.3 .3" margin=".05" frictionloss=".1"><joint joint="h1" coef="1"/><joint joint="h2" coef="-.7"/></fixed>
 <fixed name="bend" limited="true" range="-1 .4"><joint joint="k1" coef="1"/></fixed></tendon>)";
  constexpr char kLimits[] =
      "<tendonlimitpos tendon='spread'/><tendonlimitvel tendon='bend'/><tendonlimitfrc tendon='bend'/>";
  for (const char* option : {"", "cone='elliptic'", "jacobian='sparse'", "integrator='RK4'", "solver='PGS'"}) {
    SCOPED_TRACE(option);
    const ModelPtr m = Hopper(option, "3", kMore, kLimits);
    for (int dof = 6; dof < m->nv; dof += 2) m->dof_frictionloss[dof] = 0.1 * dof;
    ExpectStepsEqualAlone(*m, *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Beside sensors that run one world at a time, and with equalities whose forces the slots do not place.
TEST_P(Lanes, SensorsOfLanesAndWorldsMix) {
  constexpr char kRays[] =
      "<rangefinder site='sole'/><insidesite objtype='geom' objname='thigh' site='imu'/><e_potential/><e_kinetic/>"
      "<contact geom1='floor' data='found force pos' num='2'/>";
  ExpectStepsEqualAlone(*Hopper("", "3", "", kRays), *GetParam());
  if (HasFatalFailure()) return;
  constexpr char kTether[] = "<equality><connect body1='l1' body2='l2' anchor='0 -.08 -.1'/></equality>";
  ExpectStepsEqualAlone(*Hopper("", "3", kTether, ""), *GetParam());
}

// The arenas of some lanes are too small for the rows of their contacts to be made in lanes.
TEST_P(Lanes, LanesShortOfRoomChangeNothing) {
  for (const char* memory : {"80K", "110K"}) {
    SCOPED_TRACE(memory);
    ExpectStepsEqualAlone(*Hopper("", "3", (std::string("<size memory='") + memory + "'/>").c_str(), ""), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// A world that warns of a full arena alone is told in a lane, too, where contacts and rows need none.
TEST_P(Lanes, FullArenasAreTold) {
  const LaneOps& ops = *GetParam();
  const ModelPtr m = Hopper("", "3", "<size memory='36K'/>", "");
  Runs alone(*m, ops.width);
  LanePack pack(*m, ops);
  const auto warnings = [](const mjData& d) {
    return d.warning[mjWARN_CONTACTFULL].number + d.warning[mjWARN_CNSTRFULL].number;
  };
  const size_t ctrl = static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_CTRL - 1));
  int warned = 0;
  for (int step = 0; step < 200 && warned == 0; ++step) {
    for (int lane = 0; lane < ops.width; ++lane) {
      std::vector<double> state = alone.State(lane);
      alone.Control(lane, step, state.data() + ctrl);
      pack.LoadState(lane, state.data());
    }
    alone.Step(step);
    pack.Step();
    for (int lane = 0; lane < ops.width; ++lane) {
      const bool expected = warnings(alone.world(lane)) > 0;
      const LaneStatus& status = pack.status(lane);
      EXPECT_TRUE(!expected || status.warnings != 0 || status.is_short_of_room) << "step " << step << ", lane " << lane;
      warned += expected;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(warned, 0);
}

// One lane is fed NaN, huge speeds or a full arena: the others do not notice, and its status says what happened.
TEST_P(Lanes, BadCompanyChangesNothing) {
  const LaneOps& ops = *GetParam();
  if (ops.width < 2) GTEST_SKIP() << "a world without company";
  const ModelPtr m = ReadModel(Walker("", "3"));
  const size_t qvel = static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_QVEL - 1));
  const size_t ctrl = static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_CTRL - 1));
  constexpr double kBad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e6};
  Runs worlds(*m, ops.width);
  LanePack good(*m, ops), bad(*m, ops);
  std::vector<std::vector<double>> states;
  for (int lane = 0; lane < ops.width; ++lane) states.push_back(worlds.State(lane));
  for (int step = 0; step < 150; ++step) {
    const int victim = step % ops.width;
    for (int lane = 0; lane < ops.width; ++lane) {
      std::vector<double>& state = states[static_cast<size_t>(lane)];
      worlds.Control(lane, step, state.data() + ctrl);
      good.LoadState(lane, state.data());
      std::vector<double> spoilt = state;
      if (lane == victim) spoilt[qvel + static_cast<size_t>(step) % 6] = kBad[step % 3];
      bad.LoadState(lane, spoilt.data());
    }
    good.Step();
    bad.Step();
    for (int lane = 0; lane < ops.width; ++lane) {
      std::vector<double>& state = states[static_cast<size_t>(lane)];
      good.SaveState(lane, state.data());
      std::vector<double> other(state.size());
      bad.SaveState(lane, other.data());
      ASSERT_EQ(good.status(lane).warnings, 0);
      if (lane != victim) {
        ASSERT_TRUE(SameBits(state.data(), other.data(), static_cast<mjtSize>(state.size()))) << "step " << step;
        ASSERT_EQ(bad.status(lane).warnings, 0);
      } else if (step % 3 < 2) {
        ASSERT_EQ(bad.status(lane).warnings, 1 << mjWARN_BADQVEL);
        ASSERT_EQ(bad.status(lane).index[mjWARN_BADQVEL], step % 6);
      }
    }
  }
}

// A world that goes bad is reset as it would be alone.
TEST_P(Lanes, BadWorldsAreResetAsAlone) {
  const LaneOps& ops = *GetParam();
  const ModelPtr m = ReadModel(Walker("", "3"));
  LanePack pack(*m, ops);
  DataPtr alone(MakeData(*m));
  alone->qpos[0] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> state(static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_INTEGRATION)));
  mj_getState(m.get(), alone.get(), state.data(), mjSTATE_INTEGRATION);
  for (int lane = 0; lane < ops.width; ++lane) pack.LoadState(lane, state.data());
  mj_step(m.get(), alone.get());
  pack.Step();
  std::vector<double> expected(state.size());
  mj_getState(m.get(), alone.get(), expected.data(), mjSTATE_INTEGRATION);
  for (int lane = 0; lane < ops.width; ++lane) {
    pack.SaveState(lane, state.data());
    EXPECT_TRUE(SameBits(state.data(), expected.data(), static_cast<mjtSize>(state.size())));
    EXPECT_EQ(pack.status(lane).warnings, 1 << mjWARN_BADQPOS);
  }
}

// A chain so deep that its inertia is factored from spatial quantities.
TEST_P(Lanes, EqualScalarRunsOfDeepTrees) {
  TreeSpec spec;
  for (int b = 0; b < 100; ++b) {
    BodySpec body;
    body.parent = b;
    body.pos = {0.1, 0, 0};
    body.joints = {{.axis = {0, b % 2 ? 1.0 : 0, b % 2 ? 0 : 1.0}, .damping = 0.1}};
    spec.bodies.push_back(body);
  }
  std::mt19937 random(1);
  ExpectLanesEqualScalar(*MakeTree(spec), *GetParam(), random);
}

// ---- what packs refuse, each with its reason

// A pendulum with a motor, and something that packs do not do.
struct Refusal {
  const char* name;
  const char* reason;
  void (*change)(mjModel& m);
};

ModelPtr Pendulum() {
  TreeSpec spec;
  BodySpec body;
  body.joints = {JointSpec{}};
  spec.bodies = {body};
  spec.actuators = {{.id = 0}};
  return MakeTree(spec);
}

class RefusedByLanes : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedByLanes, WithTheReason) {
  const ModelPtr m = Pendulum();
  ASSERT_EQ(ObstacleToLanes(*m), nullptr);
  LanePack pack(*m);
  GetParam().change(*m);
  try {
    LanePack refused(*m);
    ADD_FAILURE() << "accepted " << GetParam().reason;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::string("the model has ") + GetParam().reason), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Structure, RefusedByLanes,
                         ::testing::Values(Refusal{"Flexes", "flexes", [](mjModel& m) { m.nflex = 1; }},
                                           Refusal{"Plugins", "plugins", [](mjModel& m) { m.nplugin = 1; }},
                                           Refusal{"Delays", "delays", [](mjModel& m) { m.nhistory = 4; }},
                                           Refusal{"Sites", "actuators on sites",
                                                   [](mjModel& m) { m.actuator_trntype[0] = mjTRN_SITE; }}),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

const Refusal kSettings[] = {
    {"BoundedError", "an integrator", [](mjModel& m) { m.opt.integrator = kMerson; }},
    {"Solver", "a solver", [](mjModel& m) { m.opt.solver = 7; }},
    {"Sleeping", "sleeping", [](mjModel& m) { m.opt.enableflags |= mjENBL_SLEEP; }},
    {"Energy", "computation of energy", [](mjModel& m) { m.opt.enableflags |= mjENBL_ENERGY; }},
    {"Inverse", "comparison with inverse", [](mjModel& m) { m.opt.enableflags |= mjENBL_FWDINV; }}};

INSTANTIATE_TEST_SUITE_P(Settings, RefusedByLanes, ::testing::ValuesIn(kSettings),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

// Settings may change while a pack is there.
class RefusedLater : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedLater, ByEachStage) {
  const ModelPtr m = Pendulum();
  LanePack pack(*m);
  GetParam().change(*m);
  EXPECT_THROW(pack.Forward(), Error);
  EXPECT_THROW(pack.Euler(), Error);
  EXPECT_THROW(pack.Step(), Error);
}

INSTANTIATE_TEST_SUITE_P(Settings, RefusedLater, ::testing::ValuesIn(kSettings),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(LanesOfModels, WithDisabledConstraintsAndSensorsAreTaken) {
  const ModelPtr m = Pendulum();
  m->jnt_limited[0] = 1;
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_SENSOR;
  m->nsensor = 1;
  EXPECT_EQ(ObstacleToLanes(*m), nullptr);
}

// A callback belongs to one world at a time.
template <class Callback>
void ExpectRefusedWith(Callback& installed, Callback callback) {
  const ModelPtr m = Pendulum();
  installed = callback;
  EXPECT_STREQ(ObstacleToLanes(*m), "callbacks of the program");
  installed = nullptr;
  EXPECT_EQ(ObstacleToLanes(*m), nullptr);
}

TEST(LanesOfModels, WithCallbacksAreRefused) {
  ExpectRefusedWith<mjfGeneric>(mjcb_control, [](const mjModel*, mjData*) {});
  ExpectRefusedWith<mjfGeneric>(mjcb_passive, [](const mjModel*, mjData*) {});
  const mjfAct act = [](const mjModel*, const mjData*, int) { return mjtNum{0}; };
  ExpectRefusedWith<mjfAct>(mjcb_act_dyn, act);
  ExpectRefusedWith<mjfAct>(mjcb_act_gain, act);
  ExpectRefusedWith<mjfAct>(mjcb_act_bias, act);
  ExpectRefusedWith<mjfSensor>(mjcb_sensor, [](const mjModel*, mjData*, int) {});
  ExpectRefusedWith<mjfConFilt>(mjcb_contactfilter, [](const mjModel*, mjData*, int, int) { return 0; });
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Lanes, ::testing::ValuesIn(RunnableLanes()),
                         [](const auto& lanes) { return std::string(lanes.param->name); });

}  // namespace
}  // namespace sinew::testing
