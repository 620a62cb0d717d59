#include "derivatives/rollout.h"

#include "core/error.h"
#include "tests/unit/derivatives/rollout_scalar.h"

namespace sinew {
namespace {

// An arm with a ball joint, that pushes a block over a plane.
constexpr const char* kPush = R"(
  <mujoco><option timestep=".005" tolerance="1e-14" iterations="100" cone="elliptic"/><worldbody>
    <geom type="plane" size="5 5 .1" friction=".02"/>
    <body name="block" pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" friction=".05"/></body>
    <body pos="-.2 0 .1"><joint name="push" type="slide" axis="1 0 0" damping="2" stiffness="5" armature=".1"
      frictionloss=".2"/><geom size=".08"/>
      <body pos="0 .3 .3"><joint type="ball" damping=".01"/><geom size=".03" pos="0 .1 0"/></body></body>
  </worldbody><actuator><position joint="push" kp="30" kv="2"/><general joint="push" dyntype="filter" dynprm=".1"/>
  </actuator></mujoco>)";

TEST(RolloutTest, StartAndControls) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w(ModelFromText(kPush));
    w.m->opt.integrator = integrator;
    for (int k = 0; k < 30; ++k) mj_step(w.m.get(), w.d.get());
    ExpectGradientsOfDifferences(w, 23, "integrator " + std::to_string(integrator));
  }
}

void ExpectParameters(int integrator) {
  World w(ModelFromText(kPush));
  mjModel* m = w.m.get();
  m->opt.integrator = integrator;
  for (int k = 0; k < 30; ++k) mj_step(m, w.d.get());
  Scalar scalar(w, 40);
  const auto numbers = [](mjtSize n) { return Numbers(static_cast<size_t>(n)); };
  Numbers mass = numbers(m->nbody), inertia = numbers(3 * m->nbody), damping = numbers(m->nv),
          armature = numbers(m->nv), loss = numbers(m->nv), stiffness = numbers(m->njnt), gain = numbers(3 * m->nu),
          bias = numbers(3 * m->nu), friction = numbers(m->ngeom);
  GradientsOf(w, scalar,
              {mass.data(), inertia.data(), damping.data(), armature.data(), loss.data(), stiffness.data(), gain.data(),
               bias.data(), friction.data(), nullptr});
  double scale = 0;
  const auto expect = [&](double& x, double gradient, const std::string& what) {
    const double slope = scalar.SlopeBy(x, 1e-5 * std::max(1.0, std::abs(x)));
    scale = std::max(0.1, std::abs(slope));
    ExpectRelative(slope, gradient, scale, what);
  };
  // the block's inertia is kept in dof_M0 as well, as of all bodies whose matrix is diagonal
  ASSERT_NE(m->body_simple[1], 0);
  const auto slope_by = [&](double& x) {
    const double kept = x;
    const auto set = [&](double value) {
      x = value;
      m->body_subtreemass[1] = m->body_mass[1];  // else it would not be alone, and follow another rule
      for (int k = 0; k < 3; ++k) {
        m->dof_M0[k] = m->body_mass[1];
        m->dof_M0[3 + k] = m->body_inertia[3 + k];
      }
    };
    const double slope = scalar.Slope([&](double e) { set(kept + e); }, 1e-5);
    set(kept);
    return slope;
  };
  for (int b = 1; b < m->nbody; ++b) {
    const double by_mass = slope_by(m->body_mass[b]), by_inertia = slope_by(m->body_inertia[3 * b + 1]);
    ExpectRelative(by_mass, mass[static_cast<size_t>(b)], 0.1, "mass " + std::to_string(b));
    ExpectRelative(by_inertia, inertia[static_cast<size_t>(3 * b + 1)], 0.1, "inertia " + std::to_string(b));
  }
  const int slide = 6;
  ASSERT_EQ(m->jnt_type[m->dof_jntid[slide]], mjJNT_SLIDE);
  expect(m->dof_damping[slide], damping[slide], "damping");
  expect(m->dof_armature[slide], armature[slide], "armature");
  expect(m->dof_frictionloss[slide], loss[slide], "frictionloss");
  expect(m->jnt_stiffness[1], stiffness[1], "stiffness");
  expect(m->actuator_gainprm[0], gain[0], "gain");
  expect(m->actuator_biasprm[1], bias[1], "bias by length");
  expect(m->actuator_biasprm[2], bias[2], "bias by velocity");
  // of the contact with the plane, the block's friction decides
  const double slope =
      scalar.Slope([&, kept = m->geom_friction[3]](double e) { m->geom_friction[3] = kept + e; }, 1e-5);
  m->geom_friction[3] = 0.05;
  EXPECT_NE(slope, 0);
  ExpectRelative(slope, friction[1], std::abs(slope), "friction");
  EXPECT_EQ(friction[0], 0);
}

TEST(RolloutTest, Parameters) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    SCOPED_TRACE("integrator " + std::to_string(integrator));
    ExpectParameters(integrator);
  }
}

// Two bodies that press against each other, the lower one on a spring, or a plane. They keep their contacts for some
// steps.
std::string Touching(const std::string& lower, const std::string& upper, const std::string& cone) {
  const bool plane = lower.find("plane") != std::string::npos;
  const std::string below = plane ? "<geom " + lower + "/>"
                                  : "<body><joint type='slide' axis='0 .3 1' stiffness='300' damping='5'/><joint axis='"
                                    "1 .2 0' stiffness='20' damping='.3'/><geom " +
                                        lower + " mass='1'/></body>";
  return "<mujoco><option timestep='.002' tolerance='1e-14' iterations='100' ccd_tolerance='1e-14' cone='" + cone +
         "'/><worldbody>" + below + "<body><freejoint/><geom " + upper + " mass='.5'/></body></worldbody></mujoco>";
}

// Sizes by differences of rollouts: contacts move, turn and press more or less with them.
TEST(RolloutTest, SizesOfGeoms) {
  const struct {
    std::string lower, upper;
  } pairs[] = {
      {"type='plane' size='1 1 .1'", "size='.1' pos='0 0 .099'"},
      {"type='plane' size='1 1 .1'", "type='capsule' size='.1 .2' pos='0 0 .098' euler='0 88 0'"},
      {"type='plane' size='1 1 .1'", "type='ellipsoid' size='.1 .2 .15' pos='0 0 .147' euler='10 0 0'"},
      {"type='plane' size='1 1 .1'", "type='cylinder' size='.1 .2' pos='0 0 .14' euler='0 70 20'"},
      {"type='plane' size='1 1 .1'", "type='box' size='.1 .2 .15' pos='0 0 .149' euler='.05 .02 30'"},
      {"size='.2'", "size='.1' pos='.05 .1 .275'"},
      {"size='.2'", "type='capsule' size='.1 .2' pos='.03 .05 .29' euler='5 88 0'"},
      {"size='.2'", "type='cylinder' size='.1 .3' pos='.03 .05 .29' euler='5 88 0'"},
      {"size='.2'", "type='box' size='.3 .3 .1' pos='.03 .05 .298' euler='3 2 40'"},
      {"type='capsule' size='.1 .3' euler='0 85 0'", "type='capsule' size='.08 .2' pos='.05 .02 .17' euler='80 10 0'"},
      {"type='capsule' size='.1 .3' euler='0 85 0'", "type='box' size='.2 .3 .1' pos='.05 .02 .197' euler='3 5 20'"},
      {"type='box' size='.3 .3 .1'", "type='capsule' size='.1 .2' pos='.05 .02 .195' euler='3 88 20'"},
      {"type='box' size='.3 .3 .1'", "type='box' size='.2 .1 .1' pos='.05 .02 .197' euler='.4 .3 20'"},
      {"type='box' size='.3 .3 .1'", "type='ellipsoid' size='.2 .1 .15' pos='.05 .02 .245' euler='3 5 20'"},
  };
  for (const std::string cone : {"elliptic", "pyramidal"}) {
    for (const auto& [lower, upper] : pairs) {
      const std::string what = lower + " | " + upper + " | " + cone;
      World w(ModelFromText(Touching(lower, upper, cone)));
      mjModel* m = w.m.get();
      for (int i = 0; i < m->nv; ++i) w.d->qvel[i] = 0.02 * std::sin(i);
      for (int k = 0; k < 2; ++k) mj_step(m, w.d.get());
      ASSERT_GT(w.d->ncon, 0) << what;
      Scalar scalar(w, 6);
      Numbers sizes(static_cast<size_t>(3 * m->ngeom));
      sinewParameterGradients wanted = {};
      wanted.geom_size = sizes.data();
      GradientsOf(w, scalar, wanted);
      double scale = 0;
      for (double x : sizes) scale = std::max(scale, std::abs(x));
      EXPECT_GT(scale, 0) << what;
      for (size_t i = 0; i < sizes.size(); ++i) {
        ExpectRelative(scalar.SlopeBy(m->geom_size[i], 1e-5), sizes[i], scale, what + " size " + std::to_string(i));
      }
    }
  }
}

// The friction of a block, found from how a push moves it: the secant method on the gradient of the squared distance
// to the motion that was seen. The gradient is that of differences, which take two rollouts each.
TEST(RolloutTest, FrictionOfAPushedBlock) {
  World w(ModelFromText(kPush));
  mjModel* m = w.m.get();
  mjData* d = w.d.get();
  constexpr int kSteps = 120;
  const Numbers start = StateOf(w);
  const Numbers controls(static_cast<size_t>(m->nu * kSteps), 0.3);
  const size_t size = static_cast<size_t>(m->nq + m->nv + m->na);
  const auto path = [&] {
    Numbers x;
    mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
    for (int t = 0; t < kSteps; ++t) {
      std::copy_n(controls.data() + t * m->nu, m->nu, d->ctrl);
      mj_step(m, d);
      x.push_back(d->qpos[0]);
    }
    mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
    return x;
  };
  const Numbers seen = path();
  EXPECT_GT(seen.back(), 0.05);  // it was pushed
  const auto loss = [&](double friction) {
    m->geom_friction[3] = friction;
    const Numbers x = path();
    double sum = 0;
    for (size_t t = 0; t < x.size(); ++t) sum += 0.5 * (x[t] - seen[t]) * (x[t] - seen[t]);
    return sum;
  };
  const auto gradient = [&](double friction) {
    m->geom_friction[3] = friction;
    const Numbers x = path();
    Numbers weights(size * kSteps), by_friction(static_cast<size_t>(m->ngeom));
    for (size_t t = 0; t < x.size(); ++t) weights[t * size] = x[t] - seen[t];
    sinewParameterGradients wanted = {};
    wanted.geom_friction = by_friction.data();
    DifferentiateRollout(m, d, {kSteps, controls.data(), weights.data()}, nullptr, nullptr, wanted);
    return by_friction[1];
  };

  double before = 0.09, now = 0.08, slope = gradient(before);
  const double twin = (loss(before + 1e-6) - loss(before - 1e-6)) / 2e-6;
  EXPECT_NEAR(slope, twin, 1e-4 * std::abs(twin));  // contacts of the box's edge with the pusher come and go
  for (int iteration = 0; iteration < 12 && std::abs(now - before) > 1e-9; ++iteration) {
    const double next_slope = gradient(now), next = now - next_slope * (now - before) / (next_slope - slope);
    before = now;
    slope = next_slope;
    now = next;
  }
  EXPECT_NEAR(now, 0.05, 1e-6);
}

// Gradient descent on the controls of a push, through contact: the block has to come to a place.
TEST(RolloutTest, PushToAPlaceByGradientDescent) {
  World w(ModelFromText(kPush));
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  constexpr int kSteps = 100;
  const size_t size = static_cast<size_t>(m->nq + m->nv + m->na), nu = static_cast<size_t>(m->nu);
  const Numbers start = StateOf(w);
  Numbers controls(nu * kSteps, 0.2), slopes(controls.size());
  const auto end = [&] {
    mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
    for (int t = 0; t < kSteps; ++t) {
      std::copy_n(controls.data() + static_cast<size_t>(t) * nu, nu, d->ctrl);
      mj_step(m, d);
    }
    const double x = d->qpos[0];
    mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
    return x;
  };
  const double wanted = 0.3;
  ASSERT_GT(std::abs(end() - wanted), 0.05);
  for (int iteration = 0; iteration < 50 && std::abs(end() - wanted) > 1e-3; ++iteration) {
    Numbers weights(size * kSteps);
    weights[size * (kSteps - 1)] = 1;
    DifferentiateRollout(m, d, {kSteps, controls.data(), weights.data()}, nullptr, slopes.data(), {});
    // the step along the slope that closes half of the gap, to first order
    double square = 0;
    for (double s : slopes) square += s * s;
    const double scale = 0.5 * (wanted - end()) / square;
    for (size_t k = 0; k < controls.size(); ++k) controls[k] += scale * slopes[k];
  }
  EXPECT_NEAR(end(), wanted, 1e-3);
}

TEST(RolloutTest, UnstableRolloutsAreErrors) {
  World w(ModelFromText(kPush));
  w.d->qvel[3] = w.d->qvel[4] = 1e9;
  Scalar scalar(w, 5);
  try {
    GradientsOf(w, scalar);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("unstable"), std::string::npos) << error.what();
  }
}

// Masses and inertias make the box that stands for a body in a fluid; sizes make ellipsoids.
TEST(RolloutTest, ParametersInAFluid) {
  for (const char* shape : {"none", "ellipsoid"}) {
    for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
      const std::string what = shape + std::string(" integrator ") + std::to_string(integrator);
      World w(ModelFromText(std::string(R"(<mujoco><option timestep=".005" density="300" viscosity="2" wind="1 .5 .2"/>
        <default><geom fluidshape=")") +
                            shape + R"("/></default><worldbody><body>
        <joint axis="0 1 0"/><geom type="box" size=".1 .2 .05" pos=".1 0 0"/><body pos=".3 0 .1">
        <joint axis="1 0 1"/><joint type="slide" axis="0 1 0"/><geom type="ellipsoid" size=".1 .05 .2" pos=".1 0 0"/>
        </body></body></worldbody></mujoco>)"));
      mjModel* m = w.m.get();
      m->opt.integrator = integrator;
      for (int i = 0; i < m->nv; ++i) w.d->qvel[i] = 1 + 0.3 * i;
      Scalar scalar(w, 10);
      Numbers mass(static_cast<size_t>(m->nbody)), inertia(3 * mass.size()), size(static_cast<size_t>(3 * m->ngeom));
      sinewParameterGradients wanted = {};
      wanted.body_mass = mass.data();
      wanted.body_inertia = inertia.data();
      wanted.geom_size = size.data();
      GradientsOf(w, scalar, wanted);
      const auto expect = [&](double* x, const Numbers& gradient, size_t first) {
        double scale = 0;
        for (double g : gradient) scale = std::max(scale, std::abs(g));
        for (size_t i = first; i < gradient.size(); ++i) {
          ExpectRelative(scalar.SlopeBy(x[i], 1e-4 * x[i]), gradient[i], scale, what + " " + std::to_string(i));
        }
        return scale;
      };
      EXPECT_GT(expect(m->body_mass, mass, 1), 0) << what;
      EXPECT_GT(expect(m->body_inertia, inertia, 3), 0) << what;
      EXPECT_EQ(expect(m->geom_size, size, 0) > 0, shape == std::string("ellipsoid")) << what;
    }
  }
}

// Tendons around a sphere and a cylinder: springs, muscles and limits feel the lengths.
TEST(RolloutTest, SizesOfWrappedGeoms) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICITFAST}) {
    World w(ModelFromText(R"(<mujoco><option timestep=".005" tolerance="1e-14" iterations="100"/><worldbody>
      <site name="a" pos="-.3 0 .5"/><geom name="ball" size=".08" pos="0 0 .5" contype="0" conaffinity="0"/>

      <body pos=".1 0 .4"><joint axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
        <geom name="roll" type="cylinder" size=".06 .1" pos=".2 0 .05" euler="90 0 0" contype="0" conaffinity="0"/>
        <body pos=".4 0 0"><joint axis="0 1 0" damping=".1"/><geom size=".05" pos=".1 0 0"/>
          <site name="b" pos=".1 0 .03"/></body></body></worldbody>
      <tendon><spatial name="t" stiffness="30" damping="2" springlength=".5" limited="true" range="0 .7">
        <site site="a"/><geom geom="ball"/><geom geom="roll"/><site site="b"/></spatial></tendon>
      <actuator><position tendon="t" kp="20" kv="1"/></actuator></mujoco>)"));
    mjModel* m = w.m.get();
    m->opt.integrator = integrator;
    mj_forward(m, w.d.get());
    ASSERT_GE(w.d->ten_wrapnum[0], 6);  // it touches both
    Scalar scalar(w, 15);
    Numbers size(static_cast<size_t>(3 * m->ngeom));
    sinewParameterGradients wanted = {};
    wanted.geom_size = size.data();
    GradientsOf(w, scalar, wanted);
    for (int geom : {0, 2}) {
      const size_t i = static_cast<size_t>(3 * geom);
      EXPECT_NE(size[i], 0);
      ExpectRelative(scalar.SlopeBy(m->geom_size[i], 1e-5), size[i], 0.1, "geom " + std::to_string(geom));
    }
  }
}

TEST(RolloutTest, NoStepsGiveNoSlopes) {
  World w(ModelFromText(kPush));
  Scalar scalar(w, 0);
  for (double x : GradientsOf(w, scalar).start) EXPECT_EQ(x, 0);
}

// Controls that act later: on the sample before, between two on a line and on cubic polynomials, after fractions of a
// step, with an activation, in its range and beyond, and of motors and muscles; some act as they were before the start.
TEST(RolloutTest, Delays) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w(ModelFromText(R"(
      <mujoco><option timestep=".005"/><worldbody><site name="o" pos="0 0 1.4"/>
        <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="box" size=".1 .2 .05" pos=".1 0 0"/>
          <body pos=".2 0 0"><joint name="b" axis="1 0 0" damping=".1"/><geom size=".05" pos="0 .1 .1"/>
            <site name="x" pos="0 .1 .1"/></body></body></worldbody>
      <tendon><spatial name="t"><site site="o"/><site site="x"/></spatial></tendon>
      <actuator>
        <motor joint="a" delay=".02" nsample="8"/>
        <motor joint="b" delay=".0125" nsample="8" interp="linear"/>
        <motor joint="a" gear="2" delay=".0112" nsample="6" interp="cubic"/>
        <general joint="b" delay=".01" nsample="4" dyntype="filter" dynprm=".1" ctrlrange="0 .3" gaintype="affine"
          gainprm="1 .2 .3"/>
        <dcmotor joint="a" delay=".015" nsample="4" motorconst=".3" resistance="2" inductance=".02"/>
        <musculotendon tendon="t" delay=".01" nsample="4" force="3" fiberlength=".1" slacklength=".3"/>
      </actuator></mujoco>)"));
    w.m->opt.integrator = integrator;
    mj_forward(w.m.get(), w.d.get());
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.2 + 0.05 * i;
    for (int k = 0; k < 6; ++k) mj_step(w.m.get(), w.d.get());
    ExpectGradientsOfDifferences(w, 15, "integrator " + std::to_string(integrator));
  }
}

// The matrix of an implicit integrator has the present control in the place of the one that acts.
TEST(RolloutTest, DelayedGainsThatChangeWithVelocityAreRefused) {
  World w(ModelFromText(R"(<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>
      <general name="late" joint="j" delay=".01" nsample="6" gaintype="affine" gainprm="1 0 1"/></actuator></mujoco>)"));
  const Scalar scalar(w, 3);
  EXPECT_NO_THROW(GradientsOf(w, scalar));
  w.m->opt.integrator = mjINT_IMPLICIT;
  EXPECT_THROW(GradientsOf(w, scalar), Error);
}

}  // namespace
}  // namespace sinew
