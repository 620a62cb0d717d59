// C and D against extrapolated differences of the sensors of whole steps.
#include "derivatives/sensors/sensor_rows.h"

#include <sinew/gradients.h>

#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated, are exact to rounding / eps; sensors of contacts lose most.
constexpr double kTolerance = 1e-6;

// The tendon that a muscle pulls. Sensors of forces inside joints have no slopes beside one through space, whose pull
// on bodies they show; they stand beside one of joints.
const char* const kThroughSpace = R"(<spatial name="p" stiffness="5" damping=".3" limited="true" range="0 .3">
  <site site="x"/><site site="y"/><site site="z"/></spatial>)";
const char* const kOfJoints = R"(<fixed name="p" stiffness="5" damping=".3" limited="true" range="0 2">
  <joint joint="hip" coef="1"/><joint joint="h" coef=".5"/></fixed>)";

// Links on a cart, and a foot that stands on the floor; frames of all types move, and one of the world does not.
std::string Model(const std::string& sensors, const char* options = "", const char* cone = "pyramidal",
                  const std::string& tendon = kThroughSpace) {
  return std::string("<mujoco><option timestep='.002' cone='") + cone + "' " + options + R"(/>
    <worldbody><geom name="floor" type="plane" size="5 5 .1"/><site name="still" pos=".3 0 1" euler="0 20 10"/>
      <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
      <body name="trunk" pos="0 0 .5"><freejoint/><geom type="box" size=".2 .15 .05" mass="2"/>
        <site name="x" pos=".1 .1 .1" euler="10 20 30"/>
        <body name="arm" pos=".3 0 .1"><joint type="ball" name="b" stiffness="2" damping=".1"/>
          <geom name="link" type="box" size=".1 .05 .02" pos=".1 0 0" euler="0 30 0"/><site name="y" pos=".1 .1 -.1"/>
          <camera name="moved" pos="0 .1 0" euler="40 0 10"/>
          <body pos=".2 0 0"><joint type="slide" name="s" axis="1 0 1" stiffness="20"/>
            <joint name="h" axis="0 1 0" armature=".01"/>
            <geom size=".05" pos="0 .1 0"/><site name="z" pos="0 .15 .1" euler="5 0 50"/></body></body>
        <body name="leg" pos="-.1 0 -.05"><joint name="hip" axis="0 1 0" armature=".02"/>
          <geom type="capsule" fromto="0 0 0 0 .02 -.3" size=".04"/>
          <body name="foot" pos="0 .02 -.3"><joint name="ankle" axis="1 0 0" armature=".01" limited="true"
              range="-.01 .01"/>
            <geom name="sole" type="sphere" size=".06" pos="0 0 -.08"/>
            <site name="touched" type="sphere" size=".2" pos="0 0 -.08"/>
            <site name="joint" euler="0 20 0"/></body></body></body>
    </worldbody>
    <tendon>
      <fixed name="t" stiffness="3" damping=".2"><joint joint="s" coef="2"/><joint joint="h" coef="-1"/></fixed>)" +
         tendon + R"(
    </tendon>
    <actuator>
      <motor joint="hip"/><position name="pos" joint="s" kp="9" kv=".4"/>
      <general name="act" joint="h" dyntype="filter" dynprm=".05" gaintype="affine" gainprm=".3 .1 .02"/>
      <muscle name="muscle" tendon="p" lengthrange=")" +
         (tendon == kThroughSpace ? ".1 .9" : "-1 1") + R"(" force=".5"/>
      <general name="ball" joint="b" gear=".1 .02 .03" biastype="affine" biasprm="0 -2 -.3"/>
      <motor name="inside" tendon="t" gear=".1"/>
    </actuator><sensor>)" +
         sensors + "</sensor></mujoco>";
}

const char* const kPositions = R"(
  <framepos objtype="site" objname="z"/><framepos objtype="body" objname="arm" reftype="site" refname="x"/>
  <framequat objtype="geom" objname="link"/><framequat objtype="camera" objname="moved" reftype="xbody" refname="leg"/>
  <framexaxis objtype="site" objname="y" reftype="camera" refname="eye"/><framezaxis objtype="xbody" objname="arm"/>
  <jointpos joint="s"/><ballquat joint="b"/><tendonpos tendon="p"/><tendonpos tendon="t"/>
  <actuatorpos actuator="pos"/><actuatorpos actuator="muscle"/><actuatorpos actuator="ball"/>
  <subtreecom body="trunk"/><subtreecom body="leg"/><magnetometer site="x"/><camprojection site="z" camera="eye"/>
  <e_potential/><clock/>)";
const char* const kVelocities = R"(
  <velocimeter site="z"/><gyro site="y"/><framelinvel objtype="site" objname="z" reftype="body" refname="arm"/>
  <frameangvel objtype="site" objname="z" reftype="xbody" refname="leg"/><framelinvel objtype="geom" objname="sole"/>
  <jointvel joint="h"/><ballangvel joint="b"/><tendonvel tendon="p"/><actuatorvel actuator="muscle"/>
  <actuatorvel actuator="ball"/><subtreelinvel body="arm"/><subtreeangmom body="trunk"/><e_kinetic/>)";
const char* const kForces = R"(
  <accelerometer site="z"/><accelerometer site="x"/><framelinacc objtype="site" objname="y"/>
  <frameangacc objtype="body" objname="arm"/><actuatorfrc actuator="act"/><actuatorfrc actuator="muscle"/>
  <actuatorfrc actuator="ball"/><jointactuatorfrc joint="s"/><jointactuatorfrc joint="h"/>
  <tendonactuatorfrc tendon="p"/><touch site="touched"/>)";
const char* const kInsideJoints = R"(
  <force site="joint"/><torque site="joint"/><force site="y"/><torque site="x"/><force site="x"/>)";
const char* const kLimits = R"(
  <jointlimitpos joint="ankle"/><jointlimitvel joint="ankle"/><jointlimitfrc joint="ankle"/>
  <tendonlimitpos tendon="p"/><tendonlimitvel tendon="p"/><tendonlimitfrc tendon="p"/>)";

World Moving(const std::string& xml) {
  World w(ModelFromText(xml));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.3 * uniform(random);
  for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.3 * uniform(random);
  for (int k = 0; k < 30; ++k) mj_step(w.m.get(), w.d.get());
  for (int i = 6; i < 6 * w.m->nbody; ++i) w.d->xfrc_applied[i] = 0.1 * std::sin(i);
  w.d->ctrl[3] = 0.6;  // away from the muscle's kink
  mj_forward(w.m.get(), w.d.get());
  return w;
}

void Expect(const std::string& sensors, const char* options = "", const char* cone = "pyramidal",
            const std::string& tendon = kThroughSpace) {
  World w = Moving(Model(sensors, options, cone, tendon));
  EXPECT_GT(w.d->ncon, 0);
  EXPECT_GT(w.d->nl, 0);
  ExpectSameDerivatives(w, 1e-4, kTolerance, options, /*sensors=*/true);
}

// Of all forces, beside a tendon of joints, and of all but those inside joints, beside one through space.
void ExpectForces(const char* options, const char* cone = "pyramidal") {
  Expect(kForces, options, cone);
  Expect(std::string(kForces) + kInsideJoints, options, cone, kOfJoints);
}

TEST(SensorRowsTest, Positions) { Expect(kPositions); }
TEST(SensorRowsTest, Velocities) { Expect(kVelocities); }
TEST(SensorRowsTest, AccelerationsAndForces) {
  ExpectForces("");
  ExpectForces("", "elliptic");
  ExpectForces("integrator='implicitfast'");
}
TEST(SensorRowsTest, Limits) { Expect(kLimits); }
TEST(SensorRowsTest, RungeKutta) { ExpectForces("integrator='RK4'"); }

TEST(SensorRowsTest, CutoffHolds) {
  World w = Moving(Model("<framepos objtype='site' objname='z' cutoff='.01'/>"));
  ExpectSameDerivatives(w, 1e-4, kTolerance, "", true);
}

// Each matrix without the others.
TEST(SensorRowsTest, MatricesApart) {
  World w = Moving(Model(std::string(kForces) + kInsideJoints + kPositions, "", "pyramidal", kOfJoints));
  const size_t n = static_cast<size_t>(2 * w.m->nv + w.m->na), nu = static_cast<size_t>(w.m->nu);
  const size_t ns = static_cast<size_t>(w.m->nsensordata);
  Numbers C(ns * n), D(ns * nu), alone(ns * n), other(ns * nu);
  LinearizeTransition(w.m.get(), w.d.get(), {nullptr, nullptr, C.data(), D.data()});
  LinearizeTransition(w.m.get(), w.d.get(), {nullptr, nullptr, alone.data(), nullptr});
  LinearizeTransition(w.m.get(), w.d.get(), {nullptr, nullptr, nullptr, other.data()});
  EXPECT_EQ(C, alone);
  EXPECT_EQ(D, other);
}

TEST(SensorRowsTest, RefusesByName) {
  World w = Moving(Model("<rangefinder name='laser' site='x'/>"));
  char error[300] = "";
  Numbers C(static_cast<size_t>((2 * w.m->nv + w.m->na) * w.m->nsensordata), 7.0);
  const Numbers before = C;
  EXPECT_EQ(sinew_transition(w.m.get(), w.d.get(), nullptr, nullptr, C.data(), nullptr, error, sizeof(error)), -1);
  EXPECT_NE(std::string(error).find("'laser'"), std::string::npos) << error;
  EXPECT_EQ(C, before);
}

// Sensors of forces inside joints show all forces on bodies; the slopes of some are not known there. Differences serve.
TEST(SensorRowsTest, ForcesInsideJointsAreRefusedBesideOtherForces) {
  struct {
    const char *what, *options, *body, *rest;
  } const cases[] = {
      {"tendons through space", "", "",
       "<tendon><spatial stiffness='3'><site site='still'/><site site='s'/></spatial></tendon>"},
      {"a medium", "<option density='1000'/>", "", ""},
      {"gravity compensation", "", "gravcomp='.5'", ""},
      {"actuators on sites", "", "", "<actuator><motor site='s' gear='1 0 0 0 0 0'/></actuator>"},
      {"a connect", "", "", "<equality><connect body1='b' anchor='.3 0 0'/></equality>"},
  };
  for (const char* sensor : {"force", "torque"}) {
    for (const auto& [what, options, body, rest] : cases) {
      World w(ModelFromText(
          std::string("<mujoco>") + options + "<worldbody><site name='still' pos='0 0 1'/><body name='b' " + body +
          "><joint axis='0 1 0'/><geom size='.1' pos='.3 0 0'/><site name='s' pos='.1 .1 0'/></body></worldbody>" +
          rest + "<sensor><" + sensor + " name='gauge' site='s'/></sensor></mujoco>"));
      w.d->qvel[0] = 0.5;
      char error[300] = "";
      Numbers A(4), C(6, 7.0);
      const Numbers before = C;
      EXPECT_EQ(sinew_transition(w.m.get(), w.d.get(), nullptr, nullptr, C.data(), nullptr, error, sizeof(error)), -1);
      EXPECT_NE(std::string(error).find("'gauge'"), std::string::npos) << error;
      EXPECT_NE(std::string(error).find(what), std::string::npos) << error;
      EXPECT_EQ(C, before);
      EXPECT_EQ(sinew_transition(w.m.get(), w.d.get(), A.data(), nullptr, nullptr, nullptr, error, sizeof(error)), 0)
          << error;
      mjd_transitionFD(w.m.get(), w.d.get(), 1e-6, 1, nullptr, nullptr, C.data(), nullptr);
      EXPECT_NE(C, before) << what;
    }
  }
}

}  // namespace
}  // namespace sinew
