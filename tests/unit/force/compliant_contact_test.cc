// Compliant contacts: the laws, and spheres that fall, bounce, slide and rest.
#include <gtest/gtest.h>
#include <sinew/extensions.h>

#include <cmath>
#include <string>
#include <vector>

#include "force/compliant_contact_kernel.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

CompliantLaw<double> FrictionLawOf(FrictionLaw friction, double slip = 0.1) {
  return {ContactModel::kHertz, friction, 1, 0, 0.9, 0.6, 0, 1 / slip, 0.5};
}
double MuAt(const CompliantLaw<double>& law, double s) {
  const double speed = s / law.inverse_slip;
  return FrictionAt(law, speed).ratio * speed;
}

// ---- laws

TEST(CompliantContactTest, FrictionHasThePublishedValues) {
  const double s[] = {0.1, 0.25, 0.5, 1, 2, 3, 10};
  const double hollars[] = {0.11940594, 0.29117647, 0.54, 0.9, 0.72, 0.66, 0.60594059};
  const double step[] = {0.007704, 0.09316406, 0.45, 0.9, 0.75, 0.6, 0.6};
  for (int i = 0; i < 7; ++i) {
    // eight decimals are given
    EXPECT_NEAR(MuAt(FrictionLawOf(FrictionLaw::kHollars), s[i]), hollars[i], 6e-9) << s[i];
    EXPECT_NEAR(MuAt(FrictionLawOf(FrictionLaw::kStep), s[i]), step[i], 6e-9) << s[i];
  }
}

TEST(CompliantContactTest, SidesMix) {
  CompliantLaw<double> law = {};
  law.model = ContactModel::kHertz;
  const double E23 = std::cbrt(1e14);  // of 1e7 Pa
  const ContactSide<double> side = {false, E23, 0.2, 0.9, 0.6, 0}, rigid = {true, 0, 0, 0.3, 0.3, 0};
  MixSides(side, side, ContactMixing::kSimbody, 0.05, &law);
  EXPECT_NEAR(law.k, 1054092.553, 6e-4);
  EXPECT_NEAR(law.lambda, 1.5 * 0.2, 1e-15);
  EXPECT_EQ(law.share, 0.5);
  MixSides(side, rigid, ContactMixing::kSimbody, 0.05, &law);
  EXPECT_NEAR(law.k, 4.0 / 3 * std::sqrt(0.05) * 1e7, 1e-6);
  EXPECT_EQ(law.share, 1);
  EXPECT_NEAR(law.mu_static, 2 * 0.9 * 0.3 / 1.2, 1e-15);
  // Hyfydy's material of a sphere: k_osim = 5e6 Pa, r = 0.03 m
  const ContactSide<double> hyfydy = {false, 11006.4, 1, 1, 1, 0};
  MixSides(hyfydy, rigid, ContactMixing::kHyfydy, 0.03, &law);
  EXPECT_NEAR(law.k / (4.0 / 3 * std::sqrt(0.03) * 5e6), 1, 1e-5);
  EXPECT_NEAR(law.mu_static, std::sqrt(0.3), 1e-15);
  // Drake's linear law
  law.model = ContactModel::kLinear;
  MixSides({false, 3e5, 20, 1, 1, 0}, {false, 1e5, 10, 1, 1, 0}, ContactMixing::kSimbody, 1.0, &law);
  EXPECT_NEAR(law.k, 3e5 * 1e5 / 4e5, 1e-9);
  EXPECT_NEAR(law.lambda, (1e5 * 20 + 3e5 * 10) / 4e5, 1e-12);
}

TEST(CompliantContactTest, DampingIsTheDerivativeOfTheForce) {
  CompliantLaw<double> damped = FrictionLawOf(FrictionLaw::kViscous);
  damped.model = ContactModel::kDamped;
  damped.k = 1e4;
  damped.lambda = 60;
  damped.mu_viscous = 1500;
  std::vector<CompliantLaw<double>> laws = {damped};
  for (const FrictionLaw friction : {FrictionLaw::kHollars, FrictionLaw::kStep}) {
    CompliantLaw<double> law = FrictionLawOf(friction);
    law.k = 1e5;
    law.lambda = 0.4;
    law.mu_viscous = 0.05;
    laws.push_back(law);
  }
  for (const CompliantLaw<double>& law : laws) {
    // slips at which friction grows: where it falls, its slope counts as zero
    for (const Vector& v : {Vector{0.1, 0.01, -0.02}, Vector{-0.3, 0.05, 0.03}, Vector{0.2, -0.06, 0.02}}) {
      const Mat3<double> D = CompliantDamping(law, 0.01, v, false);
      for (int c = 0; c < 3; ++c) {
        const double dv = 1e-6;
        Vector above = v, below = v;
        above[c] += dv, below[c] -= dv;
        const Vector slope = (CompliantForce(law, 0.01, above) - CompliantForce(law, 0.01, below)) * (0.5 / dv);
        // forces of 100 N: central differences are good to 1e-6 of slopes of 1e3
        for (int r = 0; r < 3; ++r) EXPECT_NEAR(D(r, c), slope[r], 2e-5 * (1 + std::fabs(slope[r]))) << r << c;
      }
    }
  }
}

// contact_force_pd of Hyfydy's manual: fn = k d - c vn, ft = min(eta |vt|, mu fn) against the slip.
TEST(CompliantContactTest, DampedSpringsWithViscousFriction) {
  CompliantLaw<double> law = {ContactModel::kDamped, FrictionLaw::kViscous, 2e4, 150, 0.8, 0.5, 300, 10, 0.5};
  const auto expect = [&](const Vector& v, double normal, double tangent) {
    const Vector force = CompliantForce(law, 0.01, v);
    const double slip = std::hypot(v.y, v.z);
    EXPECT_NEAR(force.x, normal, 1e-11);
    EXPECT_NEAR(force.y, slip > 0 ? -tangent * v.y / slip : 0, 1e-11);
    EXPECT_NEAR(force.z, slip > 0 ? -tangent * v.z / slip : 0, 1e-11);
  };
  expect({0, 0, 0}, 200, 0);
  expect({0, 0.3, 0.4}, 200, 300 * 0.5);   // a damper
  expect({0, 0.6, -0.8}, 200, 0.8 * 200);  // slides
  expect({-0.4, 0, 0.7}, 260, 0.8 * 260);  // approaches
  expect({0.5, 0, -0.1}, 125, 30);         // parts
  expect({3, 1, 1}, 0, 0);                 // nothing pulls
  EXPECT_NEAR(StoredEnergy(law, 0.01), 1, 1e-15);
  EXPECT_EQ(CompliantForce(law, -0.001, Vector{0, 0.2, 0}).x, 0);
}

TEST(CompliantContactTest, DampedSidesMix) {
  CompliantLaw<double> law = {};
  law.model = ContactModel::kDamped;
  const ContactSide<double> a = {false, 3e4, 200, 0.9, 0.9, 100}, b = {false, 1e4, 100, 0.4, 0.4, 400},
                            rigid = {true, 0, 0, 1, 1, 1};
  MixSides(a, b, ContactMixing::kHyfydy, 1.0, &law);
  EXPECT_NEAR(law.k, 7500, 1e-11);
  EXPECT_NEAR(law.lambda, 150, 1e-13);
  EXPECT_NEAR(law.mu_static, 0.6, 1e-15);
  EXPECT_NEAR(law.mu_viscous, 200, 1e-13);
  MixSides(a, rigid, ContactMixing::kHyfydy, 1.0, &law);
  EXPECT_EQ(law.k, 3e4);
  EXPECT_EQ(law.lambda, 200);
}

// A block of 2 kg on a slope of 0.2 sinks to k d = m g cos, and creeps at the speed at which the damper holds m g sin.
TEST(CompliantContactTest, ABlockCreepsOnViscousFriction) {
  const ModelPtr m = ModelFromText(R"(<mujoco><option timestep="0.001" integrator="implicitfast"
      gravity="1.9489 0 -9.6145"/><default><geom contactmodel="damped" stiffness="2e4" dissipation="200"
        cfriction=".9 .9 400" frictionlaw="viscous"/></default>
    <worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .1"><joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/><geom type="sphere" size=".1" mass="2"/></body></worldbody></mujoco>)");
  const DataPtr d(mj_makeData(m.get()));
  for (int i = 0; i < 3000; ++i) mj_step(m.get(), d.get());
  EXPECT_NEAR(d->qpos[1], -2 * 9.6145 / 1e4, 1e-9);
  EXPECT_NEAR(d->qvel[0], 2 * 1.9489 / 400, 1e-9);
}

TEST(CompliantContactTest, ImplicitDampingIsNeverNegative) {
  CompliantLaw<double> law = FrictionLawOf(FrictionLaw::kHollars);
  law.k = 1e5;
  const Mat3<double> D = CompliantDamping(law, 0.01, {0, 0.2, 0}, true);
  EXPECT_EQ(D(1, 1), 0);  // friction falls there
  EXPECT_LT(D(2, 2), 0);
}

TEST(CompliantContactTest, ALaneEqualsTheScalar) {
  using P = Pack<double, 4>;
  const auto one = FrictionLawOf(FrictionLaw::kStep);
  const CompliantLaw<P> many = {one.model, one.friction, P(one.k), P(0.3), P(0.9), P(0.6), P(0), P(10), P(0.5)};
  CompliantLaw<double> scalar = one;
  scalar.lambda = 0.3;
  scalar.inverse_slip = 10;
  P depth, x, y, z;
  for (int lane = 0; lane < 4; ++lane) {
    depth.Set(lane, 0.01 * lane - 0.005);
    x.Set(lane, 0.5 * lane - 1);
    y.Set(lane, 0.1 * lane);
    z.Set(lane, 0.02 * lane);
  }
  const auto force = CompliantForce(many, depth, Vec3<P>{x, y, z});
  for (int lane = 0; lane < 4; ++lane) {
    const Vector alone = CompliantForce(scalar, depth[lane], {x[lane], y[lane], z[lane]});
    for (int k = 0; k < 3; ++k) EXPECT_EQ(force[k][lane], alone[k]);
  }
}

// ---- worlds

constexpr const char* kSoft = R"(contactmodel="hertz" modulus="1e7" dissipation="0.2")";

std::string Ball(const std::string& option, const std::string& ball, const std::string& plane, double height = 0.15) {
  return R"(<mujoco><option )" + option + R"(/><worldbody><geom name="floor" type="plane" size="5 5 1" )" + plane +
         R"(/><body name="ball" pos="0 0 )" + std::to_string(height) +
         R"("><freejoint/><geom name="ball" size="0.05" mass="1" )" + ball +
         R"(/><site name="foot" size=".06"/></body></worldbody>
         <sensor><touch site="foot"/><contact geom1="floor" geom2="ball" data="force"/></sensor></mujoco>)";
}

void StepTo(World& w, double time) {
  while (w.d->time < time - 1e-9) mj_step(w.m.get(), w.d.get());
}

TEST(CompliantContactTest, AFallingBallHasThePublishedTrajectory) {
  World w(ModelFromText(Ball(R"(timestep="1e-3" integrator="merson" accuracy="1e-11" errornorm="max")", kSoft, kSoft)));
  StepTo(w, 0.142);
  double deepest = 0;
  while (w.d->time < 0.156) {
    mj_step(w.m.get(), w.d.get());
    deepest = std::max(deepest, 0.05 - w.d->qpos[2]);
  }
  // at 1 ms steps the deepest point is met to within (0.5 ms)^2 / 2 times an acceleration of 400 m/s^2
  EXPECT_NEAR(deepest, 5.167053e-3, 1e-4);
  EXPECT_NEAR(w.d->qvel[2], 1.0727092 - 9.81 * (w.d->time - (0.1427843 + 0.0122645)), 1e-5);
  StepTo(w, 1);
  EXPECT_NEAR(w.d->qpos[2], 0.0491373024, 2e-9);
}

// Contact of the falling ball, sampled at steps of a microsecond: times between them are linear to 1e-12 s, and the
// deepest point is met to (0.5 us)^2 / 2 times 400 m/s^2. Tolerances are half a unit of the last digit given.
TEST(CompliantContactTest, AFallingBallTouchesAsPublished) {
  World w(ModelFromText(Ball(R"(timestep="1e-3" integrator="merson" accuracy="1e-11" errornorm="max")", kSoft, kSoft)));
  StepTo(w, 0.142);
  w.m->opt.timestep = 1e-6;
  double touch = 0, deepest = 0, time_of_deepest = 0, leave = 0, exit = 0;
  while (leave == 0 && w.d->time < 0.2) {
    const double time = w.d->time, depth = 0.05 - w.d->qpos[2], speed = w.d->qvel[2];
    mj_step(w.m.get(), w.d.get());
    const double next_depth = 0.05 - w.d->qpos[2], next_speed = w.d->qvel[2];
    const double crossing = time + 1e-6 * depth / (depth - next_depth);
    deepest = std::max(deepest, next_depth);
    if (depth <= 0 && next_depth > 0) touch = crossing;
    if (speed < 0 && next_speed >= 0) time_of_deepest = time + 1e-6 * speed / (speed - next_speed);
    if (depth > 0 && next_depth <= 0) leave = crossing, exit = next_speed;
  }
  EXPECT_NEAR(touch, 0.1427843, 5e-8);
  EXPECT_NEAR(deepest, 5.167053e-3, 5.5e-10);
  EXPECT_NEAR(time_of_deepest - touch, 5.5885e-3, 5.5e-8);
  EXPECT_NEAR(leave - touch, 12.2645e-3, 5.5e-8);
  EXPECT_NEAR(exit, 1.0727092, 1e-5 + 5e-8);  // up to a step after it has left
  // the apex of the centre, half of it on the way up
  const double apex = w.d->qpos[2] + w.d->qvel[2] * w.d->qvel[2] / (2 * 9.81);
  EXPECT_NEAR(apex, 0.1086496, 6e-8);
}

// Steps of the drop to one second: contact edges make their number reproducible to some per cent.
TEST(CompliantContactTest, AFallingBallTakesAsManyStepsAsSimbody) {
  World w(ModelFromText(R"(<mujoco><option timestep="1" integrator="merson" accuracy="1e-6"/><worldbody>
    <geom type="plane" size="5 5 1" contactmodel="hertz" modulus="1e7" dissipation="0.2"/><body pos="0 0 .15">
    <joint type="slide" axis="0 0 1"/><geom size=".05" mass="1" contactmodel="hertz" modulus="1e7" dissipation="0.2"/>
    </body></worldbody></mujoco>)"));
  mj_step(w.m.get(), w.d.get());
  const auto* control = reinterpret_cast<const sinewErrorControl*>(w.d->history + w.m->nhistory - 4);
  EXPECT_NEAR(control->accepted, 251, 0.05 * 251);
  EXPECT_NEAR(control->accepted + control->rejected, 354, 0.05 * 354);
  EXPECT_NEAR(0.15 + w.d->qpos[0], 0.0491373024, 1e-5);
}

// The deepest point: 2/5 k x^2.5 = m G, with G(v) = v / lambda - ln(1 + lambda v) / lambda^2.
TEST(CompliantContactTest, DepthOfAnImpactIsThatOfTheFormula) {
  const double k = 1054092.553, lambda = 1.5 * 0.2;
  for (const double v : {0.1, 1.0, 2.0}) {
    World w(ModelFromText(
        Ball(R"(gravity="0 0 0" timestep="2e-5" integrator="merson" accuracy="1e-10")", kSoft, kSoft, 0.05)));
    w.d->qvel[2] = -v;
    double deepest = 0;
    while (w.d->qvel[2] < 0) {
      mj_step(w.m.get(), w.d.get());
      deepest = std::max(deepest, 0.05 - w.d->qpos[2]);
    }
    const double G = v / lambda - std::log(1 + lambda * v) / (lambda * lambda);
    // sampled at 20 us: (10 us)^2 / 2 times up to 800 m/s^2
    EXPECT_NEAR(deepest, std::pow(5 * G / (2 * k), 0.4), 5e-8) << v;
  }
}

// Friction at rest is a damper: what an explicit step must be shorter than.
TEST(CompliantContactTest, SlopesOfFriction) {
  const auto slope = [](FrictionLaw friction, double s) {
    const auto law = FrictionLawOf(friction);
    return (MuAt(law, s + 1e-6) - MuAt(law, s - 1e-6)) / 2e-6;
  };
  EXPECT_NEAR(slope(FrictionLaw::kHollars, 1e-5), 2 * 0.9 - 0.6, 1e-6);
  double steepest = 0, place = 0;
  for (double s = 0.01; s < 1; s += 0.01) {
    const double here = slope(FrictionLaw::kStep, s);
    if (here > steepest) steepest = here, place = s;
  }
  EXPECT_NEAR(place, 0.5, 1e-9);
  EXPECT_NEAR(steepest, 1.875 * 0.9, 1e-6);
  // Drake's 1e-4 m/s under gravity: 2 v_t / (1.875 mu_s g)
  EXPECT_NEAR(2e-4 / (steepest * 9.81), 12e-6, 0.1e-6);
}

// Stiffness from an allowed depth delta: each geom 2 m g / delta, d = 1 / sqrt(g delta).
TEST(CompliantContactTest, DrakesPenetrationAllowance) {
  const double delta = 1e-3, g = 9.81, d = 1 / std::sqrt(g * delta);
  EXPECT_NEAR(d, 10.0964, 5e-5);
  const std::string law = "contactmodel=\"linear\" stiffness=\"" + std::to_string(2 * g / delta) + "\" dissipation=\"" +
                          std::to_string(d) + "\" frictionlaw=\"step\"";
  World w(ModelFromText(Ball(R"(timestep="1e-3" integrator="implicitfast" slipspeed="1e-4")", law, law, 0.05)));
  StepTo(w, 2);
  EXPECT_NEAR(0.05 - w.d->qpos[2], delta, 1e-7);
}

TEST(CompliantContactTest, RestitutionWithoutGravity) {
  const double speed[] = {0.1, 0.5, 1, 2}, e[] = {0.98039140, 0.90901574, 0.83286979, 0.71195018};
  for (int i = 0; i < 4; ++i) {
    World w(ModelFromText(
        Ball(R"(gravity="0 0 0" timestep="1e-3" integrator="merson" accuracy="1e-10")", kSoft, kSoft, 0.051)));
    w.d->qvel[2] = -speed[i];
    StepTo(w, 0.1);
    EXPECT_NEAR(w.d->qvel[2] / speed[i], e[i], 2e-8) << speed[i];
  }
}

TEST(CompliantContactTest, DrakesLinearLaw) {
  const std::string law = R"(contactmodel="linear" stiffness="2e5" dissipation="10")";
  World w(
      ModelFromText(Ball(R"(gravity="0 0 0" timestep="1e-3" integrator="merson" accuracy="1e-10")", law, law, 0.051)));
  w.d->qvel[2] = -1;
  StepTo(w, 0.2);
  EXPECT_NEAR(w.d->qvel[2], 0.09998162, 2e-8);
}

TEST(CompliantContactTest, RestsAtTheStaticDepthUnderAnyIntegrator) {
  for (const char* integrator : {"Euler", "RK4", "implicit", "implicitfast", "merson"}) {
    World w(
        ModelFromText(Ball(std::string("timestep=\"1e-3\" integrator=\"") + integrator + "\"", kSoft, kSoft, 0.05)));
    StepTo(w, 8);  // it swings at 180 rad/s, and that decays with 1.5 / s
    EXPECT_NEAR(0.05 - w.d->qpos[2], 0.442446e-3, 2e-7) << integrator;
    mj_forward(w.m.get(), w.d.get());
    double force[6];
    mj_contactForce(w.m.get(), w.d.get(), 0, force);
    EXPECT_NEAR(force[0], 9.81, 2e-2);
    EXPECT_NEAR(w.d->sensordata[0], force[0], 1e-12);
    EXPECT_NEAR(w.d->sensordata[1], force[0], 1e-12);
    EXPECT_EQ(w.d->nefc, 0);
    mj_inverse(w.m.get(), w.d.get());
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(w.d->qfrc_inverse[k], 0, 1e-9);
    mj_rnePostConstraint(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->cfrc_ext[6 + 5], force[0], 1e-12);
    EXPECT_NEAR(w.d->cfrc_int[6 + 5], 0, 1e-9);
  }
}

TEST(CompliantContactTest, CreepsDownASlope) {
  const double expected[] = {0.25805587, 0.40913002};
  const char* laws[] = {"hollars", "step"};
  for (int i = 0; i < 2; ++i) {
    const std::string law =
        std::string(R"(contactmodel="hertz" modulus="1e7" dissipation="5" cfriction="0.9 0.6" frictionlaw=")") +
        laws[i] + "\"";
    const double slope = std::atan(0.3);
    const std::string gravity =
        "gravity=\"" + std::to_string(9.81 * std::sin(slope)) + " 0 " + std::to_string(-9.81 * std::cos(slope)) + "\"";
    // a box slides where a ball would roll
    World w(ModelFromText(R"(<mujoco><option timestep="1e-3" integrator="implicitfast" slipspeed="0.1" )" + gravity +
                          R"(/><worldbody><geom type="plane" size="5 5 1" )" + law + R"(/><body pos="0 0 0.1">
        <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom size="0.1" mass="1" )" +
                          law + "/></body></worldbody></mujoco>"));
    StepTo(w, 3);
    // gravity is given with six decimals
    EXPECT_NEAR(w.d->qvel[0] / 0.1, expected[i], 2e-6) << laws[i];
  }
}

TEST(CompliantContactTest, EnergyIsKeptWithoutDissipation) {
  const std::string law = R"(contactmodel="hertz" modulus="1e7")";
  World w(ModelFromText(Ball(R"(timestep="1e-3" integrator="merson" accuracy="1e-10")", law, law)));
  w.m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(w.m.get(), w.d.get());
  const double before = w.d->energy[0] + w.d->energy[1];
  bool touched = false;
  while (w.d->time < 0.3) {
    mj_step(w.m.get(), w.d.get());
    mj_forward(w.m.get(), w.d.get());
    touched |= w.d->ncon > 0 && w.d->contact[0].dist < -1e-4;
    ASSERT_NEAR(w.d->energy[0] + w.d->energy[1], before, 1e-8) << w.d->time;
  }
  EXPECT_TRUE(touched);
}

TEST(CompliantContactTest, MomentumIsKeptBetweenBodies) {
  World w(ModelFromText(
      std::string(R"(<mujoco><option gravity="0 0 0" timestep="1e-4" integrator="implicitfast"/><worldbody>
    <body><freejoint/><geom size=".05" mass="1" )") +
      kSoft + R"(/></body>
    <body pos=".12 .02 0"><freejoint/><geom size=".05" mass="2" )" +
      kSoft + R"(/></body></worldbody></mujoco>)"));
  w.d->qvel[0] = 1;
  bool touched = false;
  for (int k = 0; k < 1000; ++k) {
    mj_step(w.m.get(), w.d.get());
    touched |= w.d->ncon > 0;
    // the implicit step drops the coupling of two trees: momentum is kept to its size, h times the damping over mass
    ASSERT_NEAR(w.d->qvel[0] + 2 * w.d->qvel[6], 1, 2e-2);
  }
  EXPECT_TRUE(touched);
  EXPECT_GT(w.d->qvel[6], 0.1);
}

TEST(CompliantContactTest, ImplicitDerivativeIsThatOfForces) {
  World w(ModelFromText(Ball(R"(timestep="1e-3" integrator="implicit")",
                             std::string(kSoft) + R"( cfriction="0.9 0.6 0.1")", kSoft, 0.0497)));
  const int nv = static_cast<int>(w.m->nv);
  const double v[6] = {0.003, -0.002, -0.1, 0.02, 0.01, 0.03};
  std::copy_n(v, 6, w.d->qvel);
  mj_forward(w.m.get(), w.d.get());
  mj_step(w.m.get(), w.d.get());  // fills qDeriv
  std::vector<double> Q(36, 0.0);
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < w.m->D_rownnz[i]; ++k) {
      Q[static_cast<size_t>(6 * i + w.m->D_colind[w.m->D_rowadr[i] + k])] = w.d->qDeriv[w.m->D_rowadr[i] + k];
    }
  }
  mj_resetData(w.m.get(), w.d.get());
  for (int c = 0; c < nv; ++c) {
    double passive[2][6];
    const double dv = 1e-7;
    for (int side = 0; side < 2; ++side) {
      std::copy_n(v, 6, w.d->qvel);
      w.d->qvel[c] += side ? dv : -dv;
      mj_forward(w.m.get(), w.d.get());
      for (int r = 0; r < 6; ++r) passive[side][r] = w.d->qfrc_passive[r] - w.d->qfrc_bias[r];
    }
    for (int r = 0; r < 6; ++r) {
      const double difference = (passive[1][r] - passive[0][r]) / (2 * dv);
      EXPECT_NEAR(Q[static_cast<size_t>(6 * r + c)], difference, 1e-4 * (1 + std::fabs(difference))) << r << c;
    }
  }
}

TEST(CompliantContactTest, PairsChooseOneByOne) {
  // the ball is soft for one floor only
  World w(ModelFromText(std::string(R"(<mujoco><worldbody><geom name="a" type="plane" size="5 5 1"/>
    <body name="b" pos="0 0 .0499"><freejoint/><geom name="ball" size=".05" mass="1"/></body>
    <body name="c" pos="1 0 .0499"><freejoint/><geom name="hard" size=".05" mass="1"/></body></worldbody>
    <contact><pair geom1="a" geom2="ball" contactmodel="hertz" modulus="1e7" dissipation=".2" cfriction=".5"/></contact></mujoco>)")));
  mj_forward(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 2);
  int rows = 0;
  for (int i = 0; i < 2; ++i) rows += w.d->contact[i].efc_address >= 0;
  EXPECT_EQ(rows, 1);
  EXPECT_GT(w.d->qfrc_passive[2], 1);
  EXPECT_EQ(w.d->qfrc_passive[8], 0);
}

TEST(CompliantContactTest, PriorityDecides) {
  const auto rows = [](const std::string& ball, const std::string& plane) {
    World w(ModelFromText(Ball("", ball, plane, 0.0499)));
    mj_forward(w.m.get(), w.d.get());
    return w.d->nefc;
  };
  EXPECT_EQ(rows(kSoft, ""), 0);
  EXPECT_EQ(rows("", kSoft), 0);
  EXPECT_EQ(rows(std::string(kSoft) + " priority=\"1\"", ""), 0);
  EXPECT_GT(rows(kSoft, "priority=\"1\""), 0);
}

TEST(CompliantContactTest, HyfydysMaterialIsTheSameForce) {
  const auto force = [](const std::string& option, const std::string& law) {
    World w(ModelFromText(Ball(option, law, "", 0.049)));
    w.d->qvel[2] = -0.1;
    mj_forward(w.m.get(), w.d.get());
    return w.d->qfrc_passive[2];
  };
  const double k = std::pow(4.0 / 3 * std::sqrt(0.05) * 1e7, 2.0 / 3);
  const double simbody = force("", R"(contactmodel="hertz" modulus="1e7" dissipation="1")");
  EXPECT_NEAR(
      force(R"(mixing="hyfydy")", "contactmodel=\"hertz\" dissipation=\"1\" stiffness=\"" + std::to_string(k) + "\""),
      simbody, 1e-6 * simbody);
  EXPECT_NEAR(force(R"(mixing="hyfydy")", R"(contactmodel="hertz" modulus="1e7" dissipation="1")"), simbody,
              1e-9 * simbody);
}

TEST(CompliantContactTest, DefaultsAndFilesCarryThem) {
  const std::string text = R"(<mujoco><option slipspeed="0.05"/><default><default class="soft">
    <geom contactmodel="hertz" modulus="2e6" dissipation="0.5" cfriction="0.8 0.7 0.1" frictionlaw="step"/></default></default>
    <worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .049"><freejoint/><geom class="soft" size=".05" modulus="3e6"/></body></worldbody></mujoco>)";
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof(error));
  ASSERT_TRUE(spec) << error;
  World w(ModelPtr(mj_compile(spec, nullptr)));
  std::vector<char> written(100000);
  ASSERT_EQ(mj_saveXMLString(spec, written.data(), static_cast<int>(written.size()), error, sizeof(error)), 0) << error;
  mj_deleteSpec(spec);
  World again(ModelFromText(written.data()));
  for (World* world : {&w, &again}) {
    world->d->qvel[0] = 0.02;
    mj_forward(world->m.get(), world->d.get());
  }
  EXPECT_LT(w.d->qfrc_passive[0], 0);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(w.d->qfrc_passive[k], again.d->qfrc_passive[k]) << written.data();
  // a file of bytes
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(w.m.get())));
  mj_saveModel(w.m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  EXPECT_EQ(std::string(bytes.end() - 8, bytes.end()), "SINEWEX1");
}

TEST(CompliantContactTest, StacksSleepTogetherAndStandStill) {
  World w(ModelFromText(
      std::string(
          R"(<mujoco><option timestep="1e-3" integrator="implicitfast"><flag sleep="enable"/></option><worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .05"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="1" )") +
      kSoft + R"(/></body>
    <body pos="0 0 .149"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="1" )" +
      kSoft + R"(/></body></worldbody></mujoco>)"));
  StepTo(w, 5);
  EXPECT_GE(w.d->tree_asleep[0], 0);
  EXPECT_GE(w.d->tree_asleep[1], 0);
  const double top = w.d->qpos[1];
  StepTo(w, 6);
  EXPECT_EQ(w.d->qpos[1], top);
  // one is pushed: both wake
  w.d->qvel[1] = -0.5;
  mj_step(w.m.get(), w.d.get());
  mj_step(w.m.get(), w.d.get());
  EXPECT_LT(w.d->tree_asleep[0], 0);
  EXPECT_LT(w.d->tree_asleep[1], 0);
}

TEST(CompliantContactTest, WrongNumbersAreErrors) {
  for (const char* wrong :
       {R"(contactmodel="hertz")", R"(contactmodel="linear" modulus="1e6")", R"(contactmodel="hertz" modulus="-5")",
        R"(contactmodel="hertz" modulus="1e6" dissipation="-1")", R"(contactmodel="soft")",
        R"(contactmodel="hertz" modulus="1e6" cfriction="0.5 0.8")"}) {
    EXPECT_THROW(ModelFromText(Ball("", wrong, "")), std::runtime_error) << wrong;
  }
  EXPECT_THROW(ModelFromText(Ball(R"(slipspeed="0")", kSoft, "")), std::runtime_error);
  try {
    ModelFromText(Ball("", R"(contactmodel="hertz")", ""));
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("ball"), std::string::npos) << error.what();
  }
}

// Numbers that a program has written leave the state finite, or the world reset with a warning.
TEST(CompliantContactTest, BadNumbersAreSafe) {
  World w(ModelFromText(Ball("", kSoft, "", 0.049)));
  const int array = mj_name2id(w.m.get(), mjOBJ_NUMERIC, sinewCONTACTS);
  ASSERT_GE(array, 0);
  mjtNum* numbers = w.m->numeric_data + w.m->numeric_adr[array];
  for (int k = 0; k < w.m->numeric_size[array]; ++k) {
    for (const double bad : {1e300, -5.0, double(NAN)}) {
      const double kept = numbers[k];
      numbers[k] = bad;
      mj_resetData(w.m.get(), w.d.get());
      for (int i = 0; i < 3; ++i) mj_step(w.m.get(), w.d.get());
      for (int i = 0; i < 7; ++i) EXPECT_TRUE(std::isfinite(w.d->qpos[i])) << k << " " << bad;
      numbers[k] = kept;
    }
  }
}

}  // namespace
}  // namespace sinew
