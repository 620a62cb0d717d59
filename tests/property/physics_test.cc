// Motions and forces that mechanics gives in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "math/mat3.h"
#include "math/vec3.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

Vector RowOf(const mjtNum* rows, int row) { return LoadVec3(rows + 3 * row); }

// ---- a pendulum of finite swing

// Released at rest, it has a period of 2 pi / (w agm(1, cos(angle / 2))), w the frequency of small swings: the
// arithmetic-geometric mean is Gauss's form of the complete elliptic integral.
double PendulumPeriod(double frequency, double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 6; ++i) {  // converges quadratically
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * M_PI / (frequency * a);
}

// Time until a falling pendulum passes its lowest point. The last steps are as long as the way that is left takes
// (Henon's method), so that the crossing is met to the integrator's own error.
double TimeToLowestPoint(World& w) {
  while (w.d->qpos[0] > 0) mj_step(w.m.get(), w.d.get());
  for (int i = 0; i < 3; ++i) {
    w.m->opt.timestep = -w.d->qpos[0] / w.d->qvel[0];
    mj_step(w.m.get(), w.d.get());
  }
  return w.d->time;
}

TEST(Physics, PeriodOfAPendulumIsTheEllipticIntegral) {
  for (const double angle : {0.1, 1.0, 2.0, 3.0}) {
    World w(ModelFromText(R"(
      <mujoco><option timestep="0.001" integrator="RK4"/><worldbody><body><joint axis="0 1 0"/>
        <inertial pos="0 0 -.5" mass="2" diaginertia=".03 .02 .01"/></body></worldbody></mujoco>)"));
    w.d->qpos[0] = angle;
    const double frequency = std::sqrt(2 * 9.81 * .5 / (.02 + 2 * .5 * .5));
    const double period = PendulumPeriod(frequency, angle);
    EXPECT_NEAR(4 * TimeToLowestPoint(w), period, 1e-8 * period) << angle;
  }
}

// ---- a spinning box

// Angular momentum of body 1 about its centre of mass, in the world.
Vector AngularMomentum(World& w) {
  mj_forward(w.m.get(), w.d.get());
  mj_subtreeVel(w.m.get(), w.d.get());
  return RowOf(w.d->subtree_angmom, 1);
}

TEST(Physics, TorqueFreeBoxKeepsEnergyAndAngularMomentum) {
  World w(ModelFromText(R"(
    <mujoco><option timestep="0.001" integrator="RK4" gravity="0 0 0"><flag energy="enable"/></option><worldbody>
      <body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>)"));
  // about the middle axis, where rotation is unstable: the box tumbles
  const double spin[3] = {.01, 2, .02};
  std::copy_n(spin, 3, w.d->qvel + 3);
  const Vector momentum = AngularMomentum(w);
  const double energy = w.d->energy[1];
  bool tumbled = false;
  for (int i = 0; i < 10000; ++i) {
    mj_step(w.m.get(), w.d.get());
    tumbled = tumbled || w.d->qvel[4] < -1;
  }
  EXPECT_TRUE(tumbled);
  const Vector change = AngularMomentum(w) - momentum;
  EXPECT_NEAR(w.d->energy[1], energy, 1e-11 * energy);
  // The stages' angular velocities are averaged into one rotation. That neglects that rotations do not commute: an
  // error of the direction that is of second order in the step.
  EXPECT_LT(std::sqrt(Dot(change, change) / Dot(momentum, momentum)), 5e-9);
}

// ---- a free chain

// Rate of the linear and angular momentum of all bodies, about the world's origin, from their accelerations: Newton's
// and Euler's equations summed.
void MomentumRate(World& w, Vector* linear, Vector* angular, double* scale) {
  const mjModel* m = w.m.get();
  *linear = *angular = {0, 0, 0};
  for (int b = 1; b < m->nbody; ++b) {
    mjtNum velocity[6], acceleration[6];  // rotation first; of the centre of mass, along the axes of the world
    mj_objectVelocity(m, w.d.get(), mjOBJ_BODY, b, velocity, 0);
    mj_objectAcceleration(m, w.d.get(), mjOBJ_BODY, b, acceleration, 0);
    const Mat3<double> R_WI = LoadMat3(w.d->ximat + 9 * b);
    const auto inertia = [&](const Vector& v) {
      Vector local = MulTransposed(R_WI, v);
      for (int i = 0; i < 3; ++i) local[i] *= m->body_inertia[3 * b + i];
      return R_WI * local;
    };
    const Vector omega = LoadVec3(velocity), alpha = LoadVec3(acceleration);
    const Vector force = LoadVec3(acceleration + 3) * m->body_mass[b];
    const Vector torque = inertia(alpha) + Cross(omega, inertia(omega));
    *linear = *linear + force;
    *angular = *angular + torque + Cross(RowOf(w.d->xipos, b), force);
    *scale = std::max(*scale, std::sqrt(Dot(force, force) + Dot(torque, torque)));
  }
}

TEST(Physics, AFreeChainHasNoForceFromOutside) {
  World w(ModelFromText(R"(
    <mujoco><option gravity="0 0 0"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
      <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
        <body pos=".1 0 .3"><joint type="ball" damping=".5"/><geom type="capsule" fromto="0 0 0 .2 .1 .3" size=".03"/>
          <body pos=".2 .1 .3"><joint axis="1 1 0" stiffness="3"/><geom type="ellipsoid" pos="0 .1 0" size=".05 .1 .2"/>
            <body pos="0 .3 0"><joint type="slide" axis="1 0 1"/><geom size=".1"/></body></body></body></body>
    </worldbody></mujoco>)"));
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    for (int i = 0; i < w.m->nq; ++i) w.d->qpos[i] = normal(random);
    for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 3 * normal(random);
    mj_normalizeQuat(w.m.get(), w.d->qpos);
    mj_forward(w.m.get(), w.d.get());
    mj_rnePostConstraint(w.m.get(), w.d.get());
    Vector linear, angular;
    double scale = 0;
    MomentumRate(w, &linear, &angular, &scale);
    // to rounding: some hundred operations on terms of this size
    EXPECT_LT(std::sqrt(Dot(linear, linear)), 1e-12 * scale) << trial;
    EXPECT_LT(std::sqrt(Dot(angular, angular)), 1e-12 * scale) << trial;
  }
}

// ---- wrapping

// A tendon between two sites on either side of a hinge, around a geom at the hinge.
World WrapWorld(const std::string& geom) {
  return World(ModelFromText(
      "<mujoco><worldbody><site name='a' pos='-.3 .05 0'/>" + geom +
      "<body><joint axis='0 1 0'/><geom size='.01' mass='1' contype='0'/><site name='b' pos='.3 .04 0'/></body>"
      "</worldbody><tendon><spatial><site site='a'/><geom geom='w'/><site site='b'/></spatial></tendon></mujoco>"));
}

double LengthAt(World& w, double angle) {
  w.d->qpos[0] = angle;
  mj_fwdPosition(w.m.get(), w.d.get());
  return w.d->ten_length[0];
}

TEST(Physics, MomentArmIsTheDerivativeOfAContinuousLength) {
  for (const char* geom : {"<geom name='w' size='.1' contype='0'/>",
                           "<geom name='w' type='cylinder' size='.1 .2' zaxis='0 1 0' contype='0'/>"}) {
    World w = WrapWorld(geom);
    constexpr double kStep = 1e-6;
    int wrapped = 0, straight = 0;
    // Not over 0: there the path changes sides of the cylinder.
    for (double angle = 0.05; angle < 2.5; angle += 0.001) {
      const double before = LengthAt(w, angle - kStep), after = LengthAt(w, angle + kStep);
      LengthAt(w, angle);
      ++(w.d->ten_wrapnum[0] == 4 ? wrapped : straight);
      // Where the path leaves the geom, the moment arm has a kink: the error there is of the order of the step.
      ASSERT_NEAR(w.d->ten_J[0], (after - before) / (2 * kStep), 2 * kStep) << geom << " at " << angle;
    }
    EXPECT_GT(wrapped, 100);
    EXPECT_GT(straight, 100);
  }
}

// ---- muscles

TEST(Physics, MusclesNeverPush) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 100000; ++trial) {
    // range of normalized lengths, peak force, scale, lmin, lmax, vmax, fpmax, fvmax
    const mjtNum prm[9] = {.5 + .4 * uniform(random),
                           1.1 + .5 * uniform(random),
                           -1,
                           200,
                           .2 + .3 * uniform(random),
                           1.2 + uniform(random),
                           .5 + 2 * uniform(random),
                           3 * uniform(random),
                           1 + uniform(random)};
    const mjtNum lengthrange[2] = {.1, .1 + uniform(random)};
    const mjtNum length = 3 * uniform(random) - .5, velocity = 40 * uniform(random) - 20;
    const mjtNum gain = mju_muscleGain(length, velocity, lengthrange, 1, prm);
    const mjtNum bias = mju_muscleBias(length, lengthrange, 1, prm);
    ASSERT_LE(gain, 0) << "at " << length << ", " << velocity;
    ASSERT_LE(bias, 0) << "at " << length;
  }
}

}  // namespace
}  // namespace sinew
