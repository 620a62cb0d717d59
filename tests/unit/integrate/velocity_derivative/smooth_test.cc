#include "integrate/velocity_derivative/smooth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Every kind of joint, branches, dampers, tendons, muscles, motors and a medium.
constexpr char kModel[] = R"(
  <mujoco>
    <option integrator="implicit" density="12" viscosity=".5" wind="1 0 .5" gravity="0 0 -9.81"/>
    <worldbody>
      <body pos="0 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" pos=".1 .05 0" fluidshape="ellipsoid"/>
        <body pos=".4 0 0"><joint name="ball" type="ball" damping=".1 .5 .6"/>
          <geom type="box" size=".1 .05 .2" pos=".1 .1 0"/><site name="s0" pos=".2 .1 .1"/>
          <body pos=".3 0 0"><joint name="h1" axis="0 1 0" damping=".1 .2 .3"/><joint name="h2" axis="1 0 .3"/>
            <geom size=".1" pos=".2 0 0"/>
            <body pos=".4 0 0"><joint name="s" type="slide" axis="1 .2 0" damping="3"/>
              <geom type="capsule" size=".05 .1" pos=".1 0 0" fluidshape="ellipsoid"/><site name="s1" pos=".1 .2 0"/></body>
          </body>
          <body pos="0 .4 0"><joint name="h3" axis="1 1 0"/><geom size=".1" pos="0 .2 .1"/></body>
        </body>
      </body>
    </worldbody>
    <tendon>
      <spatial name="t" damping="2 3 1"><site site="s0"/><site site="s1"/></spatial>
      <fixed name="f" damping="1"><joint joint="h1" coef="1"/><joint joint="s" coef="-2"/></fixed>
    </tendon>
    <actuator>
      <velocity joint="h3" kv="3"/>
      <muscle tendon="t" lengthrange=".2 1.2"/>
      <general joint="h2" gaintype="affine" gainprm="3 .2 -.3" biastype="affine" biasprm="1 2 -3"/>
      <dcmotor joint="s" motorconst=".1" resistance="2"/>
      <motor joint="h1" damping=".5" gear="2"/>
    </actuator>
  </mujoco>)";

class SmoothDerivativeTest : public testing::Test {
 protected:
  SmoothDerivativeTest() : w_(ModelFromText(kModel)), nv_(static_cast<int>(w_.m->nv)) {
    const mjModel* m = w_.m.get();
    mjData* d = w_.d.get();
    std::vector<double> turn(nv_);
    for (int i = 0; i < nv_; ++i) {
      turn[i] = 0.3 * std::sin(1 + i);
      d->qvel[i] = std::cos(2 * i);
    }
    mj_integratePos(m, d->qpos, turn.data(), 1);
    for (int i = 0; i < m->nu; ++i) d->ctrl[i] = 0.5;
    for (int i = 0; i < m->na; ++i) d->act[i] = 0.4;
    mj_forward(m, d);
  }

  // Sum of the smooth forces, with or without the bias force, at the present velocity.
  std::vector<double> Force(bool with_bias) {
    mjData* d = w_.d.get();
    mj_fwdVelocity(w_.m.get(), d);
    mj_fwdActuation(w_.m.get(), d);
    std::vector<double> force(nv_);
    for (int i = 0; i < nv_; ++i) {
      force[i] = d->qfrc_passive[i] + d->qfrc_actuator[i] - (with_bias ? d->qfrc_bias[i] : 0);
    }
    return force;
  }

  // Central differences, column by column.
  std::vector<double> Differences(bool with_bias) {
    constexpr double kStep = 1e-5;
    std::vector<double> result(nv_ * nv_);
    for (int j = 0; j < nv_; ++j) {
      const double qvel = w_.d->qvel[j];
      w_.d->qvel[j] = qvel + kStep;
      const std::vector<double> above = Force(with_bias);
      w_.d->qvel[j] = qvel - kStep;
      const std::vector<double> below = Force(with_bias);
      w_.d->qvel[j] = qvel;
      for (int i = 0; i < nv_; ++i) result[i * nv_ + j] = (above[i] - below[i]) / (2 * kStep);
    }
    mj_forward(w_.m.get(), w_.d.get());
    return result;
  }

  std::vector<double> Derivative(bool with_bias) {
    const mjModel* m = w_.m.get();
    SmoothVelocityDerivative(m, w_.d.get(), with_bias);
    std::vector<double> result(nv_ * nv_);
    for (int i = 0; i < nv_; ++i) {
      for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; ++k) {
        result[i * nv_ + m->D_colind[k]] = w_.d->qDeriv[k];
      }
    }
    return result;
  }

  World w_;
  int nv_;
};

// Forces are of order 100 and smooth on a scale of 1: differences are good to about 1e-7.
constexpr double kTolerance = 1e-6;

TEST_F(SmoothDerivativeTest, EqualsFiniteDifferences) {
  const std::vector<double> expected = Differences(true), actual = Derivative(true);
  for (int i = 0; i < nv_ * nv_; ++i) EXPECT_NEAR(actual[i], expected[i], kTolerance) << i / nv_ << " " << i % nv_;
}

// Without the bias force only the ellipsoid model is not symmetric, and is made so.
TEST_F(SmoothDerivativeTest, WithoutBiasItIsTheSymmetricPart) {
  const std::vector<double> expected = Differences(false), actual = Derivative(false);
  for (int i = 0; i < nv_; ++i) {
    for (int j = 0; j < nv_; ++j) {
      EXPECT_NEAR(actual[i * nv_ + j], 0.5 * (expected[i * nv_ + j] + expected[j * nv_ + i]), kTolerance);
    }
  }
}

TEST_F(SmoothDerivativeTest, ImplicitSystemsAreSolved) {
  const mjModel* m = w_.m.get();
  mjData* d = w_.d.get();
  FactorImplicit(m, d);  // also computes the derivative
  const std::vector<double> Q = Derivative(true);
  std::vector<double> x(nv_), b(nv_);
  for (int i = 0; i < nv_; ++i) x[i] = std::sin(i);
  mj_mulM(m, d, b.data(), x.data());
  for (int i = 0; i < nv_; ++i) {
    for (int j = 0; j < nv_; ++j) b[i] -= m->opt.timestep * Q[i * nv_ + j] * x[j];
  }
  SolveImplicit(m, d, b.data());
  for (int i = 0; i < nv_; ++i) EXPECT_NEAR(b[i], x[i], 1e-11);  // condition number 1e3
}

}  // namespace
}  // namespace sinew
