// The integrator discrete: constraints and motion in one metric.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/kinds/integrator.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Discrete(const std::string& timestep, const std::string& rest, const std::string& option = "") {
  return "<mujoco><option integrator='discrete' gravity='0 0 0' timestep='" + timestep + "' " + option + "/>" + rest +
         "</mujoco>";
}

// (m + h d + h^2 k) a = -k (x + h v) - d v, and the acceleration is the step of the velocity.
TEST(DiscreteTest, SpringAndDamperOfASlide) {
  const World w(ModelFromText(Discrete(".1",
                                       "<worldbody><body><joint type='slide' stiffness='500' damping='3'/>"
                                       "<geom size='.1' mass='2'/></body></worldbody>")));
  const double h = .1, k = 500, d = 3, mass = 2, x = .2, v = 1.5;
  w.d->qpos[0] = x, w.d->qvel[0] = v;
  mj_step(w.m.get(), w.d.get());
  const double a = (-k * (x + h * v) - d * v) / (mass + h * d + h * h * k);
  EXPECT_NEAR(w.d->qacc[0], a, 1e-13 * std::abs(a));
  EXPECT_NEAR(w.d->qvel[0], v + h * a, 1e-14);
  EXPECT_NEAR(w.d->qpos[0], x + h * (v + h * a), 1e-14);
  EXPECT_EQ(w.d->M[0], mass) << "the inertia stays what it is";
}

// A servo 1e5 times stiffer than an explicit step of this length bears goes to its target and stays there.
TEST(DiscreteTest, StiffServosAreStable) {
  const World w(ModelFromText(Discrete(".02", R"(<worldbody><body><joint name="a" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/><body pos=".5 0 0"><joint name="b" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/></body></body></worldbody>
    <actuator><position joint="a" kp="1e8"/><position joint="b" kp="1e8" kv="1e3"/></actuator>)")));
  w.d->ctrl[0] = .5, w.d->ctrl[1] = -.4;
  double most = 0;
  for (int i = 0; i < 500; ++i) {
    mj_step(w.m.get(), w.d.get());
    for (int k = 0; k < 2; ++k) most = std::max(most, std::abs(w.d->qpos[k]));
  }
  EXPECT_NEAR(w.d->qpos[0], .5, 1e-6);
  EXPECT_NEAR(w.d->qpos[1], -.4, 1e-6);
  EXPECT_LT(most, 1);
  for (int i = 0; i < mjNWARNING; ++i) EXPECT_EQ(w.d->warning[i].number, 0);
}

// mujoco#3443: kp 1e5, damped critically, in steps of 5 ms: on a chain, along a tendon over two branches, on a site. It
// goes to its target without passing it by a hundredth, and stays.
TEST(DiscreteTest, CriticalServosOfAllTransmissionsAreStable) {
  const std::string arm = R"(<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>)";
  const std::string chain = R"(<body><joint name="a" axis="0 1 0"/>)" + arm + R"(<body pos=".3 0 0"><joint name="b"
      axis="0 1 0"/>)" + arm +
                            R"(<body pos=".3 0 0"><joint name="c" axis="0 1 0"/>)" + arm + "</body></body></body>";
  const std::string branches = R"(<body><joint name="a" axis="0 1 0" stiffness="1"/>)" + arm +
                               R"(</body><body pos="0 1 0"><joint name="b" axis="0 1 0" stiffness="1"/>)" + arm +
                               "</body>";
  const std::string slide = R"(<body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1"/><site name="s"/></body>
      <site name="r"/>)";
  const std::string fixed =
      R"(<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>)";
  const auto servo = [](const std::string& target) { return "<position " + target + " kp='1e5' dampratio='1'/>"; };
  struct Case {
    std::string model, actuators;
  };
  for (const Case& test :
       {Case{chain, servo("joint='a'") + servo("joint='b'") + servo("joint='c'")}, Case{branches, servo("tendon='t'")},
        Case{slide, servo("site='s' refsite='r' gear='1 0 0 0 0 0'")}}) {
    const bool has_tendon = test.actuators.find("tendon") != std::string::npos;
    const World w(
        ModelFromText(Discrete(".005", "<worldbody>" + test.model + "</worldbody>" + (has_tendon ? fixed : "") +
                                           "<actuator>" + test.actuators + "</actuator>")));
    std::fill_n(w.d->ctrl, w.m->nu, .3);
    double most = 0;
    for (int i = 0; i < 1000; ++i) {
      mj_step(w.m.get(), w.d.get());
      for (int k = 0; k < w.m->nu; ++k) most = std::max(most, w.d->actuator_length[k]);
    }
    EXPECT_LT(most, .303) << test.actuators;
    for (int k = 0; k < w.m->nu; ++k) EXPECT_NEAR(w.d->actuator_length[k], .3, 1e-4) << test.actuators;
    for (int i = 0; i < mjNWARNING; ++i) EXPECT_EQ(w.d->warning[i].number, 0) << test.actuators;
  }
}

// At a limit, of the actuator, the joint or the tendon, the force is what it is, and adds no inertia.
TEST(DiscreteTest, LimitedServosPushFreely) {
  const char* const limits[] = {"<position joint='x' kp='1e6' forcerange='-8 8'/>", "<position joint='y' kp='1e6'/>",
                                "<position tendon='t' kp='1e6'/>"};
  for (int i = 0; i < 3; ++i) {
    const World w(ModelFromText(
        Discrete(".01", R"(<worldbody><body><joint name="x" type="slide"/><geom size=".1" mass="2"/></body>
      <body pos="0 1 0"><joint name="y" type="slide" actuatorfrcrange="-8 8"/><geom size=".1" mass="2"/></body>
      <body pos="0 2 0"><joint name="z" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
      <tendon><fixed name="t" actuatorfrclimited="true" actuatorfrcrange="-8 8"><joint joint="z" coef="1"/></fixed></tendon><actuator>)" +
                            std::string(limits[i]) + "</actuator>")));
    w.d->ctrl[0] = 1;
    mj_step(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->qacc[i], 4, 1e-12) << limits[i];
  }
}

// A tendon between two bodies of two trees, which inertia does not couple: with the row J = (1, 2),
//   (M + (h d + h^2 k) J'J) a = -J' (k (L + h L') + d L')
TEST(DiscreteTest, TendonsOverBranches) {
  for (const char* solver : {"Newton", "CG", "PGS"}) {
    const World w(
        ModelFromText(Discrete(".05",
                               R"(<worldbody><body><joint name="x" type="slide"/><geom size=".1" mass="2"/></body>
      <body pos="0 1 0"><joint name="y" type="slide"/><geom size=".1" mass="3"/></body></worldbody>
    <tendon><fixed stiffness="1e6" damping="10" springlength="0"><joint joint="x" coef="1"/><joint joint="y" coef="2"/>
    </fixed></tendon>)",
                               "tolerance='0' iterations='400' solver='" + std::string(solver) + "'")));
    const double h = .05, k = 1e6, d = 10, q[] = {.02, -.03}, v[] = {.4, .1};
    for (int i = 0; i < 2; ++i) w.d->qpos[i] = q[i], w.d->qvel[i] = v[i];
    mj_step(w.m.get(), w.d.get());
    const double rate = v[0] + 2 * v[1], f = -k * (q[0] + 2 * q[1] + h * rate) - d * rate, weight = h * d + h * h * k;
    const double A = 2 + weight, B = 2 * weight, C = 3 + 4 * weight, det = A * C - B * B;
    const double x = (C * f - B * 2 * f) / det, y = (A * 2 * f - B * f) / det;
    const double tolerance = 1e-7 * (std::abs(x) + std::abs(y));  // of sweeps
    EXPECT_NEAR(w.d->qacc[0], x, tolerance) << solver;
    EXPECT_NEAR(w.d->qacc[1], y, tolerance) << solver;
  }
}

// A strong damped tendon pulls at two slides that an equality joins: they stay joined, and move as with short steps.
double OpenedBy(const std::string& integrator, double timestep, double* speed) {
  const World w(ModelFromText(R"(<mujoco><option gravity="0 0 0" integrator=")" + integrator + R"(" timestep=")" +
                              std::to_string(timestep) + R"("/><worldbody><site name="o"/>
      <body pos="0.27 0 0"><joint name="x" type="slide" axis="1 0 0"/><geom size=".02" mass="1"/>
      <body><joint name="y" type="slide" axis="1 0 0" armature=".01"/><geom size=".02" mass=".1"/><site name="i"/></body>
      </body></worldbody><tendon><spatial name="t"><site site="o"/><site site="i"/></spatial></tendon>
      <equality><joint joint1="y" joint2="x" polycoef="0 .5 0 0 0" solimp="0.9999 0.9999 0.001 0.5 2"/></equality>
      <actuator><general tendon="t" gainprm="-300" biastype="affine" biasprm="0 0 -500"/></actuator></mujoco>)"));
  w.d->ctrl[0] = .1;
  double most = 0;
  for (int i = 0; i < std::lround(.1 / timestep); ++i) {
    mj_step(w.m.get(), w.d.get());
    most = std::max(most, std::abs(w.d->qpos[1] - .5 * w.d->qpos[0]));
  }
  *speed = w.d->qvel[0];
  return most;
}

TEST(DiscreteTest, EqualitiesStayClosed) {
  double speed, fine;
  OpenedBy("discrete", .00002, &fine);
  for (const char* integrator : {"discrete", "implicit", "implicitfast"}) {
    EXPECT_LT(OpenedBy(integrator, .001, &speed), 1e-4) << integrator;
    EXPECT_NEAR(speed, fine, .01 * std::abs(fine)) << integrator;
  }
}

// Inverse dynamics inverts the step, with springs, servos, a tendon over branches, a medium and contacts.
TEST(DiscreteTest, InverseDynamicsInvertTheStep) {
  const World w(ModelFromText(R"(<mujoco><option integrator="discrete" timestep=".004" density="100" tolerance="1e-14">
      <flag fwdinv="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
      <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .2 .1"/><body pos=".2 0 0"><joint name="a" axis="0 1 0"
        stiffness="40" damping=".3"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 0" fluidshape="ellipsoid"/></body>
        <body pos="-.2 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 -.3 0 0"/></body>
      </body></worldbody>
      <tendon><fixed stiffness="300" damping="2"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
      <actuator><position joint="b" kp="900"/></actuator></mujoco>)"));
  w.d->ctrl[0] = .3;
  for (int i = 0; i < 200; ++i) {
    mj_step(w.m.get(), w.d.get());
    EXPECT_LT(w.d->solver_fwdinv[0], 1e-6) << i;  // the tolerance of the solution times the stiffness of contacts
    EXPECT_LT(w.d->solver_fwdinv[1], 1e-6) << i;
  }
  EXPECT_GT(w.d->ncon, 0);
}

// The steps converge to the motion with the order of the method.
TEST(DiscreteTest, ConvergesWithTheStep) {
  const auto angle = [](double timestep) {
    const World w(
        ModelFromText("<mujoco><option integrator='discrete' timestep='" + std::to_string(timestep) +
                      "'/><worldbody><body><joint axis='0 1 0' stiffness='30'/><joint type='slide' "
                      "stiffness='200'/><geom size='.1' pos='.5 0 0' mass='1'/></body></worldbody></mujoco>"));
    for (int i = 0; i < std::lround(.5 / timestep); ++i) mj_step(w.m.get(), w.d.get());
    return w.d->qpos[0];
  };
  const double coarse = angle(.002) - angle(.001), fine = angle(.001) - angle(.0005);
  EXPECT_NEAR(coarse / fine, 2, .2);
}

TEST(DiscreteTest, XmlKnowsTheName) {
  const World w(ModelFromText("<mujoco><option integrator='discrete'/></mujoco>"));
  EXPECT_EQ(w.m->opt.integrator, kDiscrete);
  EXPECT_EQ(kDiscrete, 4) << "as in MuJoCo since 3.13";
}

}  // namespace
}  // namespace sinew
