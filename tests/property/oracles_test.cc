// Motions of mechanisms, tops, orbits and dry friction that mechanics gives in closed form.
// tools/reliability/oracles.py prints the errors of more cases, with the order of convergence.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr double kGravity = 9.81;

void StepFor(World& w, double time) {
  const int steps = static_cast<int>(std::lround(time / w.m->opt.timestep));
  for (int i = 0; i < steps; ++i) mj_step(w.m.get(), w.d.get());
}

// ---- Kepler's problem: the force -r / |r|^3, which the integrator asks for at each of its stages

void AttractToOrigin(const mjModel*, mjData* d) {
  const double cube = std::pow(std::hypot(d->qpos[0], d->qpos[1]), 3);
  for (int i = 0; i < 2; ++i) d->qfrc_passive[i] -= d->qpos[i] / cube;
}

double ErrorAfterAnOrbit(int steps) {
  constexpr double kEccentricity = 0.5;
  World w(ModelFromText(R"(<mujoco><option integrator="RK4"/><worldbody><body>
    <joint type="slide" axis="1 0 0" ref="1"/><joint type="slide" axis="0 1 0"/><geom size=".1" mass="1"/>
    </body></worldbody></mujoco>)"));
  w.m->opt.timestep = 2 * M_PI / steps;
  w.d->qpos[0] = 1 - kEccentricity;
  w.d->qvel[1] = std::sqrt((1 + kEccentricity) / (1 - kEccentricity));
  mjcb_passive = AttractToOrigin;
  StepFor(w, 2 * M_PI);
  mjcb_passive = nullptr;
  return std::hypot(w.d->qpos[0] - (1 - kEccentricity), w.d->qpos[1]);
}

TEST(Oracles, AnOrbitClosesWithFourthOrder) {
  const double coarse = ErrorAfterAnOrbit(1000), fine = ErrorAfterAnOrbit(2000);
  EXPECT_LT(fine, 1e-8);  // h = 0.003, and h^4 is 1e-10
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

// ---- a heavy symmetric top in steady precession W: I1 W^2 cos(t) - I3 w3 W + m g l = 0 (Goldstein, Classical
// Mechanics, 5.7)

double ErrorOfTheTop(double timestep) {
  constexpr double kTilt = 0.5, kLength = 0.5, kAxial = 0.1, kAcross = 0.06, kRate = 1.5;
  World w(ModelFromText(R"(<mujoco><option integrator="RK4"/><worldbody><body><joint type="ball"/>
    <inertial pos="0 0 .5" mass="1" diaginertia=".06 .06 .1"/></body></worldbody></mujoco>)"));
  w.m->opt.timestep = timestep;
  const double about_pivot = kAcross + kLength * kLength;
  w.d->qpos[0] = std::cos(kTilt / 2);
  w.d->qpos[2] = std::sin(kTilt / 2);
  w.d->qvel[0] = -kRate * std::sin(kTilt);
  w.d->qvel[2] = (about_pivot * kRate * kRate * std::cos(kTilt) + kGravity * kLength) / (kAxial * kRate);
  StepFor(w, 1);
  mj_forward(w.m.get(), w.d.get());
  const double *axis = w.d->xmat + 9 + 2, turned = std::atan2(axis[3], axis[0]);
  return std::hypot(turned - kRate, std::acos(axis[6]) - kTilt);
}

TEST(Oracles, ATopPrecessesSteadily) {
  const double coarse = ErrorOfTheTop(2e-4), fine = ErrorOfTheTop(1e-4);
  EXPECT_LT(fine, 1e-5);  // a turn of 37 rad/s by 0.004 rad a step
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << "orientations follow rates that are averages of those of the stages";
}

// ---- rolling and dry friction

// A solid ball on a slope has 5/7 of the acceleration along it.
TEST(Oracles, ABallRollsDownASlope) {
  constexpr double kAngle = 0.3;
  World w(ModelFromText(R"(<mujoco><option timestep=".001" cone="elliptic" impratio="100"/><worldbody>
    <geom type="plane" size="100 100 1" friction="1 0 0"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1" friction="1 0 0" mass="1"/></body></worldbody></mujoco>)"));
  w.m->opt.gravity[0] = kGravity * std::sin(kAngle);
  w.m->opt.gravity[2] = -kGravity * std::cos(kAngle);
  StepFor(w, 1);
  const double way = 5. / 7 * kGravity * std::sin(kAngle) / 2;
  EXPECT_NEAR(w.d->qpos[0], way, 2e-3 * way);  // a step more or less is 1/500 of the way
}

// A block with dry friction is drawn by a spring whose end moves at the speed V. It sticks until the spring is long
// enough, slips at V (1 - cos(w t)), and sticks again after the time 2 pi / w.
TEST(Oracles, ABlockSticksAndSlips) {
  constexpr double kStiffness = 100, kSpeed = 0.1, kFriction = 2, kRate = 10;
  World w(ModelFromText(R"(<mujoco><option timestep=".001" gravity="0 0 0"/><worldbody>
    <body><joint name="end" type="slide" axis="1 0 0"/><geom size=".1" mass="1e9" contype="0"/></body>
    <body><joint name="block" type="slide" axis="1 0 0" frictionloss="2"/><geom size=".1" mass="1" contype="0"/></body>
    </worldbody><tendon><fixed stiffness="100" springlength="0"><joint joint="end" coef="1"/>
    <joint joint="block" coef="-1"/></fixed></tendon></mujoco>)"));
  w.d->qvel[0] = kSpeed;
  const double cycle = 2 * M_PI / kRate * kSpeed;
  StepFor(w, kFriction / kStiffness / kSpeed);
  EXPECT_NEAR(w.d->qpos[1], 0, 5e-3 * cycle);  // friction is a constraint with impedance: it creeps
  const double stuck = w.d->qpos[1];
  StepFor(w, M_PI / kRate);
  // The fastest, in the middle of the slip. It begins at the speed of the creep, 2 % of V, which is missing here.
  EXPECT_NEAR(w.d->qvel[1], 2 * kSpeed, 3e-2 * kSpeed);
  StepFor(w, M_PI / kRate);
  EXPECT_NEAR(w.d->qpos[1] - stuck, cycle, 1e-3 * cycle);
}

// A floor that is a spring without damping gives back the energy of a ball.
TEST(Oracles, ABallBouncesWithoutLoss) {
  World w(ModelFromText(R"(<mujoco><option timestep=".0001" integrator="RK4"><flag energy="enable"/></option><worldbody>
    <geom type="plane" size="1 1 1" solref="-50000 0" solimp=".99 .99 .01"/><body pos="0 0 1.1">
    <joint type="slide" axis="0 0 1"/><geom size=".1" mass="1" solref="-50000 0" solimp=".99 .99 .01"/>
    </body></worldbody></mujoco>)"));
  mj_forward(w.m.get(), w.d.get());
  const double before = w.d->energy[0] + w.d->energy[1];
  StepFor(w, 0.9);
  mj_forward(w.m.get(), w.d.get());
  EXPECT_GT(w.d->qvel[0], 0) << "on its way up";
  // The floor begins within a step, in which the ball moves 0.4 mm of the 14 mm that the spring gives way.
  EXPECT_NEAR(w.d->energy[0] + w.d->energy[1], before, 1e-4 * before);
}

// ---- mechanisms

// The quarter period of a pendulum that is released at `angle`: Gauss's arithmetic-geometric mean.
double QuarterPeriod(double rate, double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 6; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2 * rate * a);
}

// A parallelogram of four bars is a pendulum: its cranks turn by one angle, and the coupler only shifts.
TEST(Oracles, AParallelogramSwingsAsAPendulum) {
  World w(ModelFromText(R"(<mujoco><option integrator="RK4"/><worldbody>
    <body><joint axis="0 1 0"/><inertial pos="0 0 -.25" mass="1" diaginertia=".02 .02 .001"/>
      <body pos="0 0 -.5"><joint axis="0 1 0"/><inertial pos=".4 0 0" mass="1" diaginertia=".001 .05 .05"/>
        <site name="a" pos=".8 0 0"/></body></body>
    <body pos=".8 0 0"><joint axis="0 1 0"/><inertial pos="0 0 -.25" mass="1" diaginertia=".02 .02 .001"/>
      <site name="b" pos="0 0 -.5"/></body></worldbody>
    <equality><connect site1="a" site2="b" solref=".001 1" solimp=".9999 .9999 .001"/></equality></mujoco>)"));
  constexpr double kStart = 0.8;
  const double quarter = QuarterPeriod(std::sqrt(kGravity * 1.0 / (2 * (0.02 + 0.25 * 0.25) + 0.25)), kStart);
  w.m->opt.timestep = quarter / 1000;
  w.d->qpos[0] = w.d->qpos[2] = kStart;
  w.d->qpos[1] = -kStart;
  StepFor(w, quarter);
  EXPECT_NEAR(w.d->qpos[0], 0, 1e-6);
  StepFor(w, quarter);
  EXPECT_NEAR(w.d->qpos[0], -kStart, 1e-6);
}

// A tendon over a pulley: two tangents and an arc between them. Its moment about the pulley's axis is the radius.
TEST(Oracles, ATendonRunsOverAPulley) {
  constexpr double kRadius = 0.1, kArm = 0.3;
  World w(
      ModelFromText(R"(<mujoco><worldbody><geom name="pulley" type="cylinder" euler="90 0 0" size=".1 .1" contype="0"/>
    <site name="a" pos="-.3 0 0"/><site name="above" pos="0 0 .3"/><body><joint axis="0 1 0"/><geom size=".01" pos=".3 0 0"/>
    <site name="b" pos=".3 0 0"/></body></worldbody><tendon><spatial><site site="a"/>
    <geom geom="pulley" sidesite="above"/><site site="b"/></spatial></tendon></mujoco>)"));
  for (double angle = -0.5; angle < 0.5; angle += 0.05) {
    w.d->qpos[0] = angle;
    mj_forward(w.m.get(), w.d.get());
    const double arc = M_PI + angle - 2 * std::acos(kRadius / kArm);
    const double length = 2 * std::sqrt(kArm * kArm - kRadius * kRadius) + kRadius * arc;
    EXPECT_NEAR(w.d->ten_length[0], length, 1e-14) << angle;  // some roundings of numbers below 1
    EXPECT_NEAR(w.d->ten_J[0], kRadius, 1e-14) << angle;
  }
}

// A column of n links of length a with springs k between them (Hencky's bar chain), clamped below and loaded above,
// falls where P a / k > 4 sin^2(pi / (4 n + 2)): the least eigenvalue of second differences with one free end.
TEST(Oracles, AColumnBuckles) {
  constexpr int kLinks = 8;
  constexpr double kStiffness = 10, kLength = 0.125;
  std::string links;
  for (int i = 0; i < kLinks; ++i) {
    links += R"(<body pos="0 0 )" + std::string(i ? ".125" : "0") +
             R"("><joint axis="0 1 0" stiffness="10" damping="2"/><inertial pos="0 0 .0625" mass=".01"
             diaginertia="1e-5 1e-5 1e-5"/>)";
  }
  links += R"(<body pos="0 0 .125"><inertial pos="0 0 0" mass="1e-6" diaginertia="1e-9 1e-9 1e-9"/></body>)";
  for (int i = 0; i < kLinks; ++i) links += "</body>";
  const double critical = 4 * std::pow(std::sin(M_PI / (4 * kLinks + 2)), 2) * kStiffness / kLength;
  for (const double load : {0.999, 1.001}) {
    World w(ModelFromText(R"(<mujoco><option timestep=".01" integrator="implicitfast" gravity="0 0 0"/><worldbody>)" +
                          links + "</worldbody></mujoco>"));
    double before = 0, after = 0;
    for (int i = 0; i < kLinks; ++i) {  // a little in the shape in which it buckles
      const double beta = M_PI / (2 * kLinks + 1);
      before += w.d->qpos[i] = 1e-5 * (std::sin((i + 1) * beta) - std::sin(i * beta));
    }
    w.d->xfrc_applied[6 * (kLinks + 1) + 2] = -load * critical;
    StepFor(w, 5);
    for (int i = 0; i < kLinks; ++i) after += w.d->qpos[i];
    EXPECT_EQ(after > before, load > 1) << load;
  }
}

}  // namespace
}  // namespace sinew
