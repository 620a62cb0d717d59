// Gravity compensation by the actuators of joints, within the limits of these.
#include "tests/unit/derivatives/rollout_scalar.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

constexpr double kTolerance = 1e-6, kEps = 1e-4;

constexpr const char* kArm = R"(
  <mujoco><option timestep=".005"/><default><joint armature=".01" damping=".1"/></default><worldbody>
    <body pos="0 0 1" gravcomp=".8"><joint name="a" axis="0 1 0" actuatorgravcomp="true"/>
      <geom type="capsule" fromto="0 0 0 .2 0 .05" size=".03"/>
      <body pos=".2 0 0" gravcomp="1.1"><joint name="ball" type="ball" actuatorgravcomp="true"/>
        <geom type="box" size=".1 .05 .02" pos=".1 .02 0"/>
        <body pos=".2 0 0" gravcomp=".5"><joint name="b" axis="1 0 .3"/><geom size=".06" pos="0 .1 .05"/></body>
      </body></body></worldbody>
  <actuator><position joint="a" kp="3"/><motor joint="ball" gear=".1 .2 .3"/><motor joint="b"/></actuator>
  <sensor><jointactuatorfrc joint="a"/><jointactuatorfrc joint="b"/></sensor></mujoco>)";

// `limit`: of the joint's actuators together, in N m.
World Arm(int integrator, double limit) {
  World w(ModelFromText(kArm));
  w.m->opt.integrator = integrator;
  w.m->jnt_actfrclimited[0] = true;
  w.m->jnt_actfrcrange[0] = -limit;
  w.m->jnt_actfrcrange[1] = limit;
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.3 * std::sin(i + 1);
  for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.3 - 0.1 * i;
  for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NE(w.d->qfrc_gravcomp[0], 0);
  return w;
}

TEST(CompensationTest, Steps) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    for (const double limit : {1000.0, 0.1}) {
      World w = Arm(integrator, limit);
      const std::string what = std::to_string(integrator) + " below " + std::to_string(limit);
      EXPECT_EQ(std::abs(w.d->qfrc_actuator[0]) == limit, limit < 1) << what;
      ExpectSameDerivatives(w, kEps, kTolerance, what, /*sensors=*/true);
      ExpectGradientsOfDifferences(w, 7, what);
    }
  }
}

// Without actuation their compensation is lost.
TEST(CompensationTest, WithoutActuation) {
  World w = Arm(mjINT_EULER, 1000);
  w.m->opt.disableflags |= mjDSBL_ACTUATION;
  ExpectSameDerivatives(w, kEps, kTolerance, "disabled", /*sensors=*/true);
}

TEST(CompensationTest, Masses) {
  for (const double limit : {1000.0, 0.1}) {
    World w = Arm(mjINT_EULER, limit);
    Scalar scalar(w, 9);
    Numbers mass(static_cast<size_t>(w.m->nbody));
    sinewParameterGradients parameters = {};
    parameters.body_mass = mass.data();
    GradientsOf(w, scalar, parameters);
    for (size_t b = 1; b < mass.size(); ++b) {
      ExpectRelative(scalar.SlopeBy(w.m->body_mass[b], 1e-4), mass[b], std::abs(mass[1]), "mass " + std::to_string(b));
    }
  }
}

// The force of inverse dynamics has the compensation of actuators in it; less theirs, it has not.
TEST(CompensationTest, InverseDynamics) {
  for (const bool subtract : {false, true}) {
    World w = Arm(mjINT_EULER, 0.1);
    const mjModel* m = w.m.get();
    mjData* d = w.d.get();
    const size_t nv = static_cast<size_t>(m->nv);
    const Numbers start = StateOf(w), a(d->qacc, d->qacc + nv);
    Numbers by_q(nv * nv);
    LinearizeInverse(m, d, subtract, {by_q.data(), nullptr, nullptr});
    const auto force = [&](int dof, double by) {
      mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
      Numbers direction(nv);
      direction[static_cast<size_t>(dof)] = 1;
      mj_integratePos(m, d->qpos, direction.data(), by);
      std::copy(a.begin(), a.end(), d->qacc);
      mj_inverse(m, d);
      Numbers f(d->qfrc_inverse, d->qfrc_inverse + nv);
      mj_fwdActuation(m, d);
      for (size_t i = 0; subtract && i < nv; ++i) f[i] -= d->qfrc_actuator[i];
      return f;
    };
    constexpr double kStep = 1e-5, kSquares = 1e-8;
    for (int j = 0; j < m->nv; ++j) {
      const Numbers above = force(j, kStep), below = force(j, -kStep);
      for (size_t i = 0; i < nv; ++i) {
        EXPECT_NEAR((above[i] - below[i]) / (2 * kStep), by_q[static_cast<size_t>(j) * nv + i], kSquares);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
