// Contacts and rows that are made in lanes, and sensors that read their forces: every lane equals the run of its world
// alone, bit for bit.
#include <cstdio>
#include <string>
#include <utility>

#include "tests/support/lane_steps.h"

namespace sinew::testing {
namespace {

class RowsOfLanes : public Lanes {};

// A body of all shapes that have a formula with a plane, and obstacles that its sphere and its capsule have one with.
TEST_P(RowsOfLanes, ContactsWithFormulasEqualThoseOfWorldsAlone) {
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

// Cylinders on boxes, cylinders and capsules, and on each other; without several contacts, and where the model asks for
// another algorithm instead of their formulas.
TEST_P(RowsOfLanes, CylindersEqualThoseOfWorldsAlone) {
  constexpr char kCylinders[] = R"(<mujoco><option timestep=".003"><flag %s/></option>
<default><geom friction=".7" condim="3" %s/></default>
<worldbody><geom type="box" size="1 1 .1" pos="0 0 -.1"/><geom type="cylinder" size=".1 .3" pos="0 .2 .08" euler="90 0 20"/>
 <geom type="capsule" size=".08 .2" pos="-.2 -.2 .07" euler="90 60 0"/><geom type="cylinder" size=".12 .05" pos=".3 -.2 .05"/>
 <body pos="0 .15 .27"><freejoint/><geom type="cylinder" size=".06 .09" euler="20 30 0"/><geom type="box" size=".12 .02 .03"/></body>
 <body pos="-.2 -.2 .25"><freejoint/><geom type="cylinder" size=".09 .02" euler="5 0 0"/></body>
 <body pos=".25 -.2 .2"><freejoint/><geom type="cylinder" size=".05 .06" euler="0 .1 0"/>
  <geom type="capsule" size=".02 .06" pos=".05 0 .06" euler="0 90 0"/></body>
</worldbody></mujoco>)";
  for (const auto& [flag, margin] : {std::pair("", ""), std::pair("", "margin='.01' gap='.002'"),
                                     std::pair("multiccd='disable'", ""), std::pair("nativeccd='disable'", "")}) {
    SCOPED_TRACE(std::string(flag) + margin);
    char text[sizeof(kCylinders) + 100];
    std::snprintf(text, sizeof(text), kCylinders, flag, margin);
    ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Surfaces that move are in the rows that lanes make; the worlds of lanes add what draws contacts together.
TEST_P(RowsOfLanes, SurfacesThatMoveAndStickEqualThoseOfWorldsAlone) {
  for (const char* surface : {"surfacevel='.5 .2 0 .3 .2 1'", "adhesion='2'", "surfacevel='.5' adhesion='1'"}) {
    for (const char* option : {"", "cone='elliptic' impratio='3'", "solver='PGS'", "solver='CG' cone='elliptic'",
                               "integrator='implicitfast'", "integrator='RK4'"}) {
      SCOPED_TRACE(std::string(surface) + option);
      // of six directions where cones are elliptic
      std::string text = Walker(option, std::string(option).find("elliptic") == std::string::npos ? "3" : "6");
      text.insert(text.find("<default><geom ") + 15, std::string(surface) + " ");
      ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
      if (HasFailure()) return;
    }
  }
}

// In the gap, contacts that stick have another number of rows, which lanes do not mix.
TEST_P(RowsOfLanes, ContactsThatStickAcrossAGapGoAlone) {
  std::string text = Walker("", "3");
  text.insert(text.find("<default><geom ") + 15, "margin='.02' gap='.01' adhesion='1' ");
  const ModelPtr m = ReadModel(text);
  EXPECT_STREQ(ObstacleToLanes(*m), "contacts that stick across a gap");
}

// Boxes, hulls and height fields near each other in some lane leave the other contacts in lanes.
TEST_P(RowsOfLanes, ContactsWithAndWithoutFormulasEqualThoseOfWorldsAlone) {
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

// Hulls that pass each other: most worlds are told apart by directions that others have taught the pack.
constexpr char kGears[] = R"(<mujoco><option timestep=".004"/>
<asset><mesh name="cog" vertex="-.2 -.04 -.03 .2 -.04 -.03 -.2 .04 -.03 .2 .04 -.03 -.2 -.04 .03 .2 -.04 .03 -.2 .04 .03 .2 .04 .03
 0 -.15 0 0 .15 0 .1 .1 .02 -.1 -.1 .02"/></asset><default><geom type="mesh" mesh="cog"/><joint axis="0 0 1"/></default>
<worldbody><body pos="0 0 1"><joint/><geom/></body><body pos=".33 0 1.01"><joint/><geom euler="0 0 90"/></body>
 <body pos="0 0 1.1"><joint/><geom/><body pos=".1 0 .08"><joint axis="1 0 0"/><geom type="ellipsoid" size=".1 .05 .04"/></body></body>
 <body pos=".2 .3 1.05"><joint/><geom type="box" size=".2 .05 .04"/></body></worldbody></mujoco>)";

TEST_P(RowsOfLanes, HullsThatPassEachOtherEqualThoseOfWorldsAlone) {
  ExpectStepsEqualAlone(*ReadModel(kGears), *GetParam());
}

// Hulls of many vertices that stand and lie on two planes, on three to eight vertices each, some of them by explicit
// pairs.
TEST_P(RowsOfLanes, HullsOnPlanesEqualThoseOfWorldsAlone) {
  constexpr char kHulls[] = R"(<mujoco><option timestep=".003" %s/>
<asset><mesh name="foot" builtin="supersphere" params="20 .3 .3" scale=".12 .06 .03"/><mesh name="ball" builtin="supersphere" params="12 1 1" scale=".06 .07 .05"/>
 <mesh name="block" vertex="-.1 -.05 -.03 .1 -.05 -.03 -.1 .05 -.03 .1 .05 -.03 -.1 -.05 .03 .1 -.05 .03 -.1 .05 .03 .1 .05 .03"/></asset>
<default><geom friction=".7" condim="3" %s/></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><geom type="plane" size="5 5 .1" pos="0 .4 0" euler="20 0 0" contype="2" conaffinity="2"/>
 <body pos="0 0 .1"><freejoint/><geom type="mesh" mesh="foot" contype="3" conaffinity="3"/>
  <body pos=".1 0 .1"><joint axis="0 1 0" range="-40 40"/><geom type="mesh" mesh="ball"/><geom name="block" type="mesh" mesh="block" pos=".1 0 -.1"/></body></body>
 <body pos="-.3 0 .045" euler="0 1 0"><freejoint/><geom type="mesh" mesh="ball"/></body>
 <body pos="-.3 .3 .06" euler="10 0 5"><freejoint/><geom type="mesh" mesh="foot" contype="3" conaffinity="3"/></body>
</worldbody><contact><pair geom1="floor" geom2="block" condim="4" margin=".01" gap=".002"/></contact></mujoco>)";
  for (const auto& [option, margin] :
       {std::pair("", ""), std::pair("cone='elliptic'", "margin='.006' gap='.002'"), std::pair("solver='PGS'", ""),
        std::pair("solver='CG'", "margin='.006'"), std::pair("integrator='RK4'", "")}) {
    SCOPED_TRACE(std::string(option) + margin);
    char text[2000];
    std::snprintf(text, sizeof(text), kHulls, option, margin);
    ExpectStepsEqualAlone(*ReadModel(text), *GetParam());
    if (HasFailure()) return;
  }
}

// Two explicit pairs of the same geoms, with and without a formula, differ in all that a pair has.
TEST_P(RowsOfLanes, TwinPairsAreFoundInLanes) {
  constexpr char kTwins[] =
      R"(<mujoco><option timestep=".003" %s/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
 <geom name="step" type="box" size=".2 .2 .06" pos="0 .2 .02" euler="0 5 10"/>
 <body pos="0 0 .15"><freejoint/><geom name="ball" type="sphere" size=".08" pos=".1 0 0"/>
  <geom name="block" type="box" size=".06 .2 .05" pos="-.1 0 0"/>
  <body pos="0 -.1 0"><joint axis="1 0 0"/><geom name="can" type="cylinder" size=".05 .08" pos="0 -.1 0"/></body></body></worldbody>
 <contact><pair geom1="floor" geom2="ball" condim="1" margin=".02"/><pair geom1="floor" geom2="ball" condim="4" friction=".5 .5 .02 .001 .001"/>
  <pair geom1="block" geom2="step" condim="3" margin=".01" gap=".004"/><pair geom1="step" geom2="block" condim="1"/>
  <pair geom1="can" geom2="step" condim="6"/><pair geom1="can" geom2="step" condim="3" margin=".005"/></contact></mujoco>)";
  for (const char* option : {"", "cone='elliptic'", "solver='PGS'", "solver='CG'"}) {
    SCOPED_TRACE(option);
    char text[sizeof(kTwins) + 100];
    std::snprintf(text, sizeof(text), kTwins, option);
    const ModelPtr m = ReadModel(text);
    ExpectStepsEqualAlone(*m, *GetParam());
    if (HasFatalFailure()) return;
  }
  char text[sizeof(kTwins) + 100];
  std::snprintf(text, sizeof(text), kTwins, "");
  const ModelPtr m = ReadModel(text);
  LanePack pack(*m, *GetParam());
  int contacts = 0;
  for (int step = 0; step < 300; ++step) {
    pack.Step();
    contacts += pack.status(0).contacts;
    EXPECT_EQ(pack.world(0).parena, 0);  // what the world has found has gone into the lanes' list
  }
  EXPECT_GT(contacts, 300);
}

// ---- equalities

// Arms that equalities close to loops and tie to the world, to each other and to a body that is moved by the program;
// limits of balls, slides and tendons. Some rows do not move in some worlds: of a tendon without coefficients, and of
// points on the axis of the only joint between their bodies.
constexpr char kLinkage[] = R"(<mujoco><option timestep=".004" %s/>
<default><geom type="capsule" size=".03" friction=".8"/><joint damping=".3" armature=".01"/></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><site name="hook" pos="0 0 1"/>
 <body name="goal" mocap="true" pos="0 0 .3"/>
 <body name="trunk" pos="0 0 .4"><freejoint/><geom type="box" size=".15 .1 .05"/><site name="top" pos="0 0 .05"/>
  <body name="a1" pos=".1 .1 0"><joint name="a1" axis="0 1 0"/><geom fromto="0 0 0 .1 0 -.2"/><site name="elbow" euler="0 30 0"/>
   <body name="a2" pos=".1 0 -.2"><joint name="a2" axis="0 1 0"/><geom fromto="0 0 0 -.2 0 0"/><site name="tip" pos="-.2 0 0"/></body></body>
  <body name="b1" pos="-.1 .1 0"><joint name="b1" axis="0 1 0"/><geom fromto="0 0 0 0 0 -.2"/><site name="foot" pos="0 0 -.2"/></body>
  <body name="c1" pos=".1 -.1 0"><joint name="ball" type="ball" range="0 20" limited="true" margin=".02"/><geom fromto="0 0 0 0 0 -.2"/>
   <body name="c2" pos="0 0 -.2"><joint name="slide" type="slide" axis="0 0 1" range="-.1 .05" limited="true"/><geom type="sphere" size=".05"/></body></body>
  <body name="d1" pos="-.1 -.1 0"><joint name="d1" axis="0 1 0"/><geom fromto="0 0 0 0 0 -.15"/>
   <body name="d2" pos="0 0 -.15"><joint name="d2" axis="0 1 0"/><geom fromto="0 0 0 0 0 -.1"/></body></body>
  <body name="wheel" pos="0 0 .1"><joint name="wheel" axis="0 0 1"/><geom type="sphere" size=".03"/></body>
 </body></worldbody>
<tendon>
 <fixed name="both"><joint joint="d1" coef="1"/><joint joint="d2" coef="-.5"/></fixed>
 <fixed name="nothing" limited="true" range="1 2" frictionloss=".1"><joint joint="a1" coef="0"/></fixed>
 <spatial name="rope" limited="true" range="0 .55" frictionloss=".2"><site site="hook"/><site site="foot"/></spatial>
 <spatial name="inside" limited="true" range="0 .3" frictionloss=".1"><site site="top"/><site site="tip"/></spatial>
</tendon>
<equality>
 <connect name="loop" site1="tip" site2="foot"/>
 <weld body1="trunk" body2="goal" solref=".2 1" solimp=".3 .8 .2 .4 3" torquescale=".5"/>
 <joint joint1="slide" polycoef="-.01 0 0 0 0" solref="-200 -10"/>
 <joint joint1="d2" joint2="d1" polycoef=".1 .5 .2 0 .1" active="false"/>
 <tendon tendon1="both" tendon2="rope" polycoef="0 .3 .1 0 0"/><tendon tendon1="inside" solref=".1 1"/><tendon tendon1="nothing"/>
 <connect body1="c2" body2="d2" anchor="-.1 .05 0" solref=".2 1"/><weld site1="elbow" site2="top" solref=".3 1"/>
 <connect body1="wheel" body2="trunk" anchor="0 0 .05"/><connect body1="wheel" anchor="0 0 .05" solref=".5 1"/>
</equality>
%s</mujoco>)";

ModelPtr Linkage(const char* option, const char* sensors) {
  char text[sizeof(kLinkage) + 600];
  std::snprintf(text, sizeof(text), kLinkage, option, sensors);
  return ReadModel(text);
}

TEST_P(RowsOfLanes, EqualitiesEqualThoseOfWorldsAlone) {
  for (const char* option : {"jacobian='dense'", "jacobian='sparse'", "cone='elliptic' jacobian='dense'",
                             "integrator='RK4'", "integrator='implicitfast' jacobian='sparse' cone='elliptic'",
                             "integrator='discrete'", "solver='PGS'", "solver='CG'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*Linkage(option, ""), *GetParam());
    if (HasFatalFailure()) return;
  }
}

TEST_P(RowsOfLanes, ForcesOfEqualitiesEqualThoseOfWorldsAlone) {
  ExpectStepsEqualAlone(
      *Linkage("", R"(<sensor><force site="tip"/><torque site="tip"/><force site="top"/><torque site="elbow"/>
 <accelerometer site="foot"/><touch site="foot"/></sensor>)"),
      *GetParam());
  if (HasFatalFailure()) return;
  ExpectStepsEqualAlone(
      *Linkage("", R"(<sensor><force site="foot"/><jointlimitfrc joint="ball"/><tendonlimitpos tendon="rope"/>
 <contact geom1="floor" data="found force" num="2"/></sensor>)"),
      *GetParam());
}

// A pendulum that is held where it turns: rows that are zero but for rounding, and none in some worlds.
TEST_P(RowsOfLanes, RowsThatDoNotMoveAreThoseOfWorldsAlone) {
  constexpr char kPendulum[] = R"(<mujoco><option jacobian="dense"/><worldbody><geom type="plane" size="1 1 .1"/>
 <body name="bob" pos="0 0 .3"><joint name="swing" axis="0 1 0"/><geom type="sphere" size=".2" pos="0 0 -.15"/></body></worldbody>
<equality><connect body1="bob" anchor="0 0 0"/><tendon tendon1="still"/></equality>
<tendon><fixed name="still"><joint joint="swing" coef="0"/></fixed></tendon></mujoco>)";
  ExpectStepsEqualAlone(*ReadModel(kPendulum), *GetParam());
}

// The worlds of the lanes have nothing to do with them.
TEST_P(RowsOfLanes, RowsOfEqualitiesAreMadeInLanes) {
  for (const char* option : {"jacobian='dense'", "jacobian='sparse'"}) {
    const ModelPtr m = Linkage(option, "");
    LanePack pack(*m, *GetParam());
    for (int step = 0; step < 20; ++step) {
      pack.Step();
      for (int lane = 0; lane < GetParam()->width; ++lane) {
        EXPECT_GT(pack.status(lane).rows, 20);
        EXPECT_EQ(pack.world(lane).nefc, 0);
      }
    }
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

TEST_P(RowsOfLanes, SensorsEqualThoseOfWorldsAlone) {
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
TEST_P(RowsOfLanes, ExplicitPairsAndRowsOfJointsEqualThoseOfWorldsAlone) {
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
TEST_P(RowsOfLanes, SensorsOfLanesAndWorldsMix) {
  constexpr char kRays[] =
      "<rangefinder site='sole'/><insidesite objtype='geom' objname='thigh' site='imu'/><e_potential/><e_kinetic/>"
      "<contact geom1='floor' data='found force pos' num='2'/>";
  ExpectStepsEqualAlone(*Hopper("", "3", "", kRays), *GetParam());
  if (HasFatalFailure()) return;
  constexpr char kTether[] = "<equality><connect body1='l1' body2='l2' anchor='0 -.08 -.1'/></equality>";
  ExpectStepsEqualAlone(*Hopper("", "3", kTether, ""), *GetParam());
}

// The arenas of some lanes are too small for the rows of their contacts to be made in lanes.
TEST_P(RowsOfLanes, LanesShortOfRoomChangeNothing) {
  for (const char* memory : {"80K", "110K"}) {
    SCOPED_TRACE(memory);
    ExpectStepsEqualAlone(*Hopper("", "3", (std::string("<size memory='") + memory + "'/>").c_str(), ""), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// A world that warns of a full arena alone is told in a lane, too, where contacts and rows need none.
TEST_P(RowsOfLanes, FullArenasAreTold) {
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

SINEW_ON_ALL_LANES(RowsOfLanes);

}  // namespace
}  // namespace sinew::testing
