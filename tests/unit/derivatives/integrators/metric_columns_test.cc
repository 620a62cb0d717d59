// Derivatives of steps of the integrator `discrete` in closed form, against differences of whole steps.
#include <random>

#include "core/error.h"
#include "tests/unit/derivatives/rollout_scalar.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated to the sixth order, are exact to rounding / eps.
constexpr double kTolerance = 1e-6, kEps = 1e-4;

class RandomModels {
 public:
  explicit RandomModels(unsigned seed) : random_(seed) {}

  double Number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  std::string Text(double low, double high) { return std::to_string(Number(low, high)); }
  std::string Numbers3(double low, double high) {
    return Text(low, high) + " " + Text(low, high) + " " + Text(low, high);
  }

  // A branch of three hinges and slides with springs and dampers, some of higher order, with servos, a muscle and a
  // velocity servo with an integral, tendons over joints and through space along the branch, a limit, an equality, a
  // ball joint with damping, and a contact with the floor.
  std::string Model() {
    const auto joint = [&](const std::string& name) {
      return "<joint name='" + name + "' axis='" + Numbers3(-1, 1) + "' damping='" + Text(0, 3) + " " + Text(0, .3) +
             " " + Text(0, .1) + "' stiffness='" + Text(10, 300) + " " + Text(0, 20) + " " + Text(0, 10) +
             "' armature='.01' springref='" + Text(-.3, .3) + "'/>";
    };
    return "<mujoco><option integrator='discrete' timestep='" + Text(.002, .008) + R"('/>
        <compiler angle='radian'/><worldbody><geom type='plane' size='9 9 .1'/><site name='o' pos='.1 .1 .6'/>
        <body pos='0 0 .5'>)" +
           joint("a") + R"(<geom type='capsule' fromto='0 0 0 .2 0 0' size='.03'/>
          <body pos='.2 0 0'>)" +
           joint("b") + "<joint name='s' type='slide' axis='0 0 1' stiffness='" + Text(100, 1000) + R"(' damping='2'/>
            <geom type='capsule' fromto='0 0 0 .2 0 0' size='.03'/><site name='p' pos='.1 .02 .05'/>
            <body pos='.2 0 0'><joint name='ball' type='ball' damping='.3'/>
              <geom type='capsule' fromto='0 0 0 .05 .02 -.2' size='.04'/>
              <body pos='.1 0 0'>)" +
           joint("c") + R"(<geom size='.06' pos='.1 0 0'/><site name='q' pos='.1 0 .05'/></body></body></body></body>
        <body pos='2 0 5'><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody>
      <tendon><fixed name='f' stiffness=')" +
           Text(0, 50) + "' damping='1'><joint joint='a' coef='.7'/><joint joint='b' coef='-.4'/></fixed>" +
           R"(<spatial name='x' stiffness='200' damping='2' springlength='.1 .2'><site site='o'/><site site='p'/>
          <site site='q'/></spatial><spatial name='m'><site site='o'/><site site='p'/></spatial></tendon>
      <actuator><position joint='a' kp=')" +
           Text(10, 500) + R"(' kv='5'/><velocity joint='b' kv='4'/><intvelocity joint='c' kp='50' actrange='-3 3'/>
        <position tendon='f' kp='30' gear='2'/><muscle tendon='m' lengthrange='.1 .6' force='60'/><motor joint='s'/>
        <position joint='ball' kp='40' gear='.3 .5 .2'/>
        <position joint='c' kp='400' forcerange='-.01 .01'/></actuator></mujoco>)";
  }

  World State() {
    World w(ModelFromText(Model()));
    for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = Number(-1, 1);
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = Number(-.5, .5);
    w.d->ctrl[4] = Number(.2, .8);
    for (int k = 0; k < 60; ++k) mj_step(w.m.get(), w.d.get());
    w.d->ctrl[4] += .1;  // an activation that has reached its control would be at a kink
    mj_forward(w.m.get(), w.d.get());
    return w;
  }

 private:
  std::mt19937 random_;
};

TEST(DiscreteGradients, OfRandomModels) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    World w = RandomModels(seed).State();
    ExpectSameDerivatives(w, kEps, kTolerance, "seed " + std::to_string(seed));
  }
}

// Limits, equalities and contacts are solved in the metric.
TEST(DiscreteGradients, WithRows) {
  for (const char* rest : {"<equality><joint joint1='a' joint2='b' polycoef='.1 .5 0 0 0'/></equality>",
                           "<equality><connect body1='hand' anchor='.2 0 0'/></equality>", ""}) {
    World w(ModelFromText(std::string(R"(<mujoco><option integrator="discrete" timestep=".005"/><worldbody>
        <geom type="plane" size="9 9 .1"/>
        <body pos="0 0 .25"><joint name="a" axis="0 1 0" damping="3" stiffness="200" range="-.4 .2" limited="true"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
          <body pos=".3 0 0"><joint name="b" axis="0 1 0" frictionloss=".05"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
            <body name="hand" pos=".3 0 0"><joint name="c" axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body>
        </body></worldbody><actuator><position joint="a" kp="100" kv="10"/><position joint="b" kp="300" kv="10"/>
        </actuator>)") + rest +
                          "</mujoco>"));
    w.d->ctrl[0] = .9;
    w.d->ctrl[1] = .3;
    for (int k = 0; k < 400; ++k) mj_step(w.m.get(), w.d.get());
    w.d->qvel[0] = -.1;
    mj_forward(w.m.get(), w.d.get());
    EXPECT_GT(w.d->nefc, 1);
    ExpectSameDerivatives(w, 1e-5, 1e-6, rest);
  }
}

// Backwards through ten steps.
TEST(DiscreteGradients, OfRollouts) {
  for (unsigned seed = 20; seed < 23; ++seed) {
    World w = RandomModels(seed).State();
    w.m->opt.tolerance = 0;
    ExpectGradientsOfDifferences(w, 10, "seed " + std::to_string(seed));
  }
}

// What is not known is refused, with the reason.
TEST(DiscreteGradients, OfOtherMetricsAreRefused) {
  const auto obstacle = [](const std::string& option, const std::string& joint, const std::string& rest) {
    return ObstacleToLinearize(ModelFromText("<mujoco><option integrator='discrete' " + option + R"(/><worldbody>
        <body><joint name="a"/><geom size=".1"/></body><body pos="1 0 0">)" +
                                             joint + R"(<geom size=".1"/></body>
        </worldbody>)" + rest + "</mujoco>")
                                   .get());
  };
  const std::string hinge = "<joint name='b'/>";
  EXPECT_EQ(obstacle("", hinge, ""), "");
  EXPECT_NE(obstacle("density='1'", hinge, "").find("medium"), std::string::npos);
  EXPECT_NE(obstacle("", "<joint type='ball' stiffness='3'/>", "").find("three axes"), std::string::npos);
  EXPECT_NE(
      obstacle(
          "", hinge,
          "<tendon><fixed name='t' damping='1'><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon>")
          .find("'t'"),
      std::string::npos);
  EXPECT_NE(obstacle("", hinge, "<actuator><general name='g' joint='a' gaintype='affine' gainprm='1 2'/></actuator>")
                .find("'g'"),
            std::string::npos);
  World damped(
      ModelFromText("<mujoco><option integrator='discrete'/><worldbody><body><joint name='j' type='free' damping='1'/>"
                    "<geom size='.1'/></body></worldbody></mujoco>"));
  Numbers A(12 * 12);
  EXPECT_THROW(LinearizeTransition(damped.m.get(), damped.d.get(), {A.data(), nullptr, nullptr, nullptr}), Error);
}

}  // namespace
}  // namespace sinew
