// Muscles with tendons, whose states depend on positions and velocities.
#include "core/error.h"
#include "derivatives/rollout.h"
#include "tests/unit/derivatives/rollout_scalar.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Curves are C2, and extrapolation wants more: eps is narrow. Searches of fibres end with errors of 1e-12, over eps.
constexpr double kTolerance = 1e-6, kEps = 1e-5;

// An arm with muscles of all curves, one around a sphere, one with a rigid tendon; and a body that a muscle holds
// alone, which follows the midpoint rule under implicit integrators.
constexpr const char* kArm = R"(
  <mujoco><option timestep=".002"/>
    <default><musculotendon force="60" fiberlength=".06" slacklength=".25" pennation="20"/></default>
    <worldbody><site name="top" pos="0 0 1.3"/><site name="side" pos=".1 .1 1.25"/><site name="far" pos=".6 0 1.3"/>
      <body pos="0 0 1"><joint name="a" axis="0 1 0"/><joint name="x" axis="1 0 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="upper" pos=".05 .02 .03"/>
        <geom name="round" size=".03" pos=".2 0 0"/><site name="over" pos=".2 0 .06"/>
        <body pos=".2 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
          <site name="lower" pos=".12 0 .03"/></body></body>
      <body pos=".6 0 1"><freejoint/><geom type="box" size=".03 .05 .04"/><site name="held" pos=".01 .02 .03"/></body>
    </worldbody>
    <tendon>
      <spatial name="long"><site site="upper"/><geom geom="round" sidesite="over"/><site site="lower"/></spatial>
      <spatial name="top"><site site="top"/><site site="upper"/></spatial>
      <spatial name="side"><site site="side"/><site site="upper"/></spatial>
      <spatial name="held"><site site="far"/><site site="held"/></spatial>
    </tendon>
    <actuator>
      <musculotendon name="long" tendon="long" slacklength=".22"/>
      <musculotendon name="top" tendon="top" curves="hyfydy"/>
      <musculotendon name="side" tendon="side" curves="degroote" slacklength=".17" force="40"/>
      <musculotendon name="rigid" tendon="top" compliance="rigid" force="20"/>
      <musculotendon name="held" tendon="held" slacklength=".2" force="30" tausmooth=".1"/>
      <musculotendon name="geyer" tendon="side" curves="geyer" slacklength=".17" force="15" fiberdamping=".05"/>
    </actuator>
    <sensor><fiberlength actuator="long"/><fibervelocity actuator="long"/><fiberforce actuator="side"/>
      <pennation actuator="top"/><tendonstrain actuator="held"/><fiberforce actuator="rigid"/>
      <fibervelocity actuator="rigid"/><actuatorfrc actuator="long"/><actuatorfrc actuator="rigid"/><jointactuatorfrc joint="b"/></sensor>
  </mujoco>)";

World PulledOf(ModelPtr m, int steps) {
  World w(std::move(m));
  mj_forward(w.m.get(), w.d.get());
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.2 * std::sin(i + 1);
  for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.8 - 0.1 * i;
  for (int k = 0; k < steps; ++k) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  return w;
}

World Pulled(int integrator, int steps) {
  ModelPtr m = ModelFromText(kArm);
  m->opt.integrator = integrator;
  return PulledOf(std::move(m), steps);
}

constexpr int kIntegrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};

TEST(FibersTest, Steps) {
  for (int integrator : kIntegrators) {
    World w = Pulled(integrator, 20);
    for (int i = 0; i < w.m->nu; ++i) EXPECT_LT(w.d->actuator_force[i], -1) << i << " pulls";
    ExpectSameDerivatives(w, kEps, kTolerance, "integrator " + std::to_string(integrator), /*sensors=*/true);
  }
}

// Muscles are in the metric of `discrete`. A free body that they hold would have a metric of its own: it is hinged
// here.
TEST(FibersTest, StepsOfDiscrete) {
  std::string text = kArm;
  const auto replace = [&](const std::string& before, const std::string& after) {
    text.replace(text.find(before), before.size(), after);
  };
  replace("<freejoint/>", "<joint axis='0 1 0' pos='.1 0 .05'/><joint type='slide' axis='.3 0 1'/>");
  for (const char* timestep : {"'.002'", "'.01'"}) {
    std::string model = text;
    model.replace(model.find("timestep=\".002\""), 15, std::string("integrator='discrete' timestep=") + timestep);
    // before activations have reached their controls, where their rates have a kink
    World w = PulledOf(ModelFromText(model), 4);
    ExpectSameDerivatives(w, kEps, kTolerance, timestep, /*sensors=*/true);
  }
}

// Activations that begin beyond their range, on both sides, and a force that is held.
TEST(FibersTest, Ranges) {
  for (int integrator : kIntegrators) {
    for (const double act : {0.005, 1.2}) {
      World w = Pulled(integrator, 20);
      for (int i = 0; i < w.m->nu; ++i) w.d->act[w.m->actuator_actadr[i] + w.m->actuator_actnum[i] - 1] = act;
      for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.9 - 0.1 * i;
      w.m->actuator_forcelimited[0] = 1;
      w.m->actuator_forcerange[0] = -1;
      ExpectSameDerivatives(w, kEps, kTolerance, "integrator " + std::to_string(integrator));
    }
  }
}

// A range of the model holds fibres as well as activations: an activation, a fibre that it shortens before the step, a
// rigid one's activation; the rest is within theirs.
TEST(FibersTest, RangesOfTheModel) {
  // errors of 1e-12 in fibres that are stepped, over eps, beside slopes of 1e-3; implicit integrators search from the
  // rate that they have foretold to a part of the step
  constexpr double kWide = 3e-5, kSearch = 2e-5;
  for (int integrator : kIntegrators) {
    World w = Pulled(integrator, 20);
    const double* const act = w.d->act;
    const double range[][2] = {{0, 0.3}, {0, 0.99 * act[2]}, {0, 3}, {0, 0.1}, {0, 3}, {0, 3}};
    ASSERT_EQ(w.m->nu, static_cast<int>(std::size(range)));
    EXPECT_GT(act[1], 0.31);
    for (int i = 0; i < w.m->nu; ++i) {
      w.m->actuator_actlimited[i] = 1;
      std::copy_n(range[i], 2, w.m->actuator_actrange + 2 * i);
    }
    mj_forward(w.m.get(), w.d.get());
    ExpectSameDerivatives(w, kWide, kSearch, "integrator " + std::to_string(integrator));
    w.m->opt.disableactuator = 1;
    ExpectSameDerivatives(w, kWide, kSearch, "disabled, integrator " + std::to_string(integrator));
  }
}

TEST(FibersTest, DisabledMusclesRest) {
  World w = Pulled(mjINT_EULER, 10);
  w.m->opt.disableactuator = 1;
  ExpectSameDerivatives(w, kEps, kTolerance, "disabled");
  w.m->opt.disableactuator = 0;
  w.m->opt.disableflags |= mjDSBL_ACTUATION;
  ExpectSameDerivatives(w, kEps, kTolerance, "without actuation");
}

TEST(FibersTest, Rollouts) {
  for (int integrator : kIntegrators) {
    World w = Pulled(integrator, 10);
    ExpectGradientsOfDifferences(w, 23, "integrator " + std::to_string(integrator));
  }
}

// Forces of inverse dynamics less those of the muscles, by positions and velocities.
TEST(FibersTest, InverseDynamics) {
  for (int integrator : {mjINT_EULER, mjINT_IMPLICITFAST}) {
    World w = Pulled(integrator, 20);
    const mjModel* m = w.m.get();
    mjData* d = w.d.get();
    const size_t nv = static_cast<size_t>(m->nv);
    const Numbers start = StateOf(w), a(d->qacc, d->qacc + nv);
    Numbers D[2] = {Numbers(nv * nv), Numbers(nv * nv)};
    LinearizeInverse(m, d, /*subtract_actuators=*/true, {D[0].data(), D[1].data(), nullptr});
    const auto force = [&](int part, int dof, double by) {
      mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
      Numbers direction(nv);
      direction[static_cast<size_t>(dof)] = 1;
      if (part == 0) mj_integratePos(m, d->qpos, direction.data(), by);
      if (part == 1) d->qvel[dof] += by;
      std::copy(a.begin(), a.end(), d->qacc);
      mj_inverse(m, d);
      Numbers f(d->qfrc_inverse, d->qfrc_inverse + nv);
      mj_fwdActuation(m, d);
      for (size_t i = 0; i < nv; ++i) f[i] -= d->qfrc_actuator[i];
      return f;
    };
    constexpr double kNarrow = 1e-6, kRounding = 5e-6;
    for (int part = 0; part < 2; ++part) {
      double scale = 0, error = 0;
      for (int j = 0; j < m->nv; ++j) {
        const Numbers above = force(part, j, kNarrow), below = force(part, j, -kNarrow);
        for (size_t i = 0; i < nv; ++i) {
          const double slope = (above[i] - below[i]) / (2 * kNarrow);
          scale = std::max(scale, std::abs(slope));
          error = std::max(error, std::abs(slope - D[part][static_cast<size_t>(j) * nv + i]));
        }
      }
      EXPECT_LE(error / scale, kRounding) << "integrator " << integrator << " part " << part;
    }
  }
}

// A length of zero stands for rest, of which the step is no smooth function.
TEST(FibersTest, FibreWithoutLengthIsAnError) {
  World w(ModelFromText(kArm));
  try {
    StepTwin(w).Analytic();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'long'"), std::string::npos) << error.what();
  }
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NO_THROW(StepTwin(w).Analytic());
}

TEST(FibersTest, SizesOfWrappedGeomsAreRefused) {
  World w = Pulled(mjINT_EULER, 2);
  const Scalar scalar(w, 3);
  Numbers size(static_cast<size_t>(3 * w.m->ngeom));
  sinewParameterGradients parameters = {};
  parameters.geom_size = size.data();
  EXPECT_THROW(GradientsOf(w, scalar, parameters), Error);
}

}  // namespace
}  // namespace sinew
