// Actuators that look at their length: their moments are its gradients, where those of motors are gears.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// The moment of a servo is the gradient of its length, so that its spring has a potential. Central differences are off
// by 1e-12 in third derivatives and by 1e-10 in rounding.
void ExpectGradients(const World& w) {
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int k = 0; k < m->nq; ++k) d->qpos[k] += 0.4 * number(random);
  mj_normalizeQuat(m, d->qpos);
  const std::vector<double> start(d->qpos, d->qpos + m->nq);
  mj_forward(m, d);
  std::vector<double> moment(static_cast<size_t>(m->nu * m->nv));
  mju_sparse2dense(moment.data(), d->actuator_moment, static_cast<int>(m->nu), static_cast<int>(m->nv),
                   d->moment_rownnz, d->moment_rowadr, d->moment_colind);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < m->nv; ++i) {
    const auto lengths = [&](double step) {
      std::vector<double> v(static_cast<size_t>(m->nv));
      v[static_cast<size_t>(i)] = step;
      std::copy(start.begin(), start.end(), d->qpos);
      mj_integratePos(m, d->qpos, v.data(), 1);
      mj_forward(m, d);
      return std::vector<double>(d->actuator_length, d->actuator_length + m->nu);
    };
    const std::vector<double> above = lengths(kStep), below = lengths(-kStep);
    for (int u = 0; u < m->nu; ++u) {
      const double slope = (above[static_cast<size_t>(u)] - below[static_cast<size_t>(u)]) / (2 * kStep);
      EXPECT_NEAR(moment[static_cast<size_t>(u * m->nv + i)], slope, 1e-8) << "actuator " << u << ", dof " << i;
    }
  }
}

TEST(Servo, MomentsOfServosAreGradients) {
  ExpectGradients(World(ModelFromText(R"(<mujoco><worldbody>
      <body><joint name="s" type="ball"/><geom size=".1"/>
        <body pos=".3 0 0"><joint name="t" type="ball"/><joint axis="0 0 1" type="slide"/><geom size=".1"/>
          <site name="t" pos=".1 .2 0" euler="20 -30 10"/></body></body>
      <body pos="0 1 0"><freejoint/><geom size=".1"/><site name="r" euler="50 10 -20" pos=".1 0 .3"/></body></worldbody>
    <actuator><position joint="s" gear="1 0 0" kp="10"/><position jointinparent="s" gear=".3 2 -1" kp="10"/>
      <intvelocity joint="t" gear="0 1 1" kp="3" actrange="-1 1"/>
      <position site="t" refsite="r" gear="1 2 -1 0 0 0"/><position site="t" refsite="r" gear="0 0 0 1 -.5 2"/>
      <position site="r" refsite="t" gear="1 0 3 2 .5 1"/><muscle joint="s" gear="1 1 0" lengthrange="-1 1"/></actuator>
    </mujoco>)")));
}

// A motor does not look at its length: its gear is a torque in the child's axes, or in those of its parent.
TEST(Servo, MotorsKeepTheirAxes) {
  const World w(ModelFromText(R"(<mujoco><worldbody><body><joint name="s" type="ball"/><geom size=".1" pos=".1 0 0"/>
    </body></worldbody><actuator><motor joint="s" gear="1 2 3"/><velocity joint="s" gear="1 2 3"/></actuator></mujoco>)"));
  mju_axisAngle2Quat(w.d->qpos, std::array<double, 3>{0, .6, .8}.data(), 1.2);
  mj_forward(w.m.get(), w.d.get());
  for (int k = 0; k < 6; ++k) EXPECT_EQ(w.d->actuator_moment[k], 1 + k % 3);
}

// A servo about one axis of a ball is a spring: its energy and that of the motion stay, but for the error of the steps.
TEST(Servo, AServoAboutOneAxisOfABallIsPassive) {
  const World w(ModelFromText(R"(<mujoco><option gravity="0 0 0" timestep=".0005" integrator="RK4">
      <flag energy="enable"/></option>
    <worldbody><body><joint name="s" type="ball"/><geom type="box" size=".1 .05 .02" pos=".1 0 0"/></body></worldbody>
    <actuator><position joint="s" gear="1 0 0" kp="10"/></actuator></mujoco>)"));
  mju_axisAngle2Quat(w.d->qpos, std::array<double, 3>{.3, -.5, .81}.data(), 1.2);
  w.d->qvel[0] = 3, w.d->qvel[1] = 1, w.d->qvel[2] = -2;
  const auto energy = [&] {
    mj_forward(w.m.get(), w.d.get());
    return w.d->energy[1] + 5 * w.d->actuator_length[0] * w.d->actuator_length[0];
  };
  const double start = energy();
  double most = start, least = start;
  for (int i = 0; i < 4000; ++i) {
    mj_step(w.m.get(), w.d.get());
    if (i % 20 == 0) most = std::max(most, energy()), least = std::min(least, energy());
  }
  EXPECT_LT(most, start * (1 + 1e-4));  // of steps that cross the jump of the angle from pi to -pi
  EXPECT_GT(least, start * 0.97);
}

}  // namespace
}  // namespace sinew
