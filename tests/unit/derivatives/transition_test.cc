#include "derivatives/transition.h"

#include <sinew/gradients.h>

#include <limits>

#include "core/error.h"
#include "tests/unit/derivatives/finite_difference/trees.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated, are exact to rounding / eps; the stiffest entries, of contacts, lose most.
constexpr double kTolerance = 1e-6;

std::string Floor(const std::string& bodies) {
  return "<mujoco><option timestep='.002'/><asset><mesh name='wedge' vertex='-.2 -.2 0  .3 -.2 0  0 .3 0  0 0 -.4  "
         "-.2 -.2 -.1'/></asset><worldbody><geom type='plane' size='5 5 .1'/>" +
         bodies + "</worldbody></mujoco>";
}

// A world after some steps from random velocities, without which entries vanish by symmetry.
World Moving(const std::string& xml, int steps, int seed = 1) {
  World w(ModelFromText(xml));
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.1 * uniform(random);
  for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.3 * uniform(random);
  for (int k = 0; k < steps; ++k) mj_step(w.m.get(), w.d.get());
  return w;
}

constexpr const char* kPendulum = R"(
  <mujoco><option timestep=".005"/><worldbody><body pos="0 0 1"><joint axis="0 1 0" damping=".1" stiffness="1"/>
    <geom type="capsule" fromto="0 0 0 .3 0 .1" size=".03"/>
    <body pos=".3 0 .1"><joint axis="1 0 0"/><joint axis="0 0 1" pos="0 .1 0"/>
      <geom type="box" size=".1 .05 .02" pos=".1 0 0"/></body></body></worldbody></mujoco>)";

// All joints, springs, tendons and actuators that have derivatives.
constexpr const char* kTree = R"(
  <mujoco><option timestep=".005"/>
    <default><joint armature=".01"/></default>
    <worldbody><body pos="0 0 3" gravcomp=".3"><freejoint/><geom type="box" size=".1 .2 .05"/>
      <site name="x" pos=".1 .1 .1"/>
      <body pos=".3 0 .1"><joint type="ball" name="b" stiffness="2" damping=".1"/>
        <geom type="box" size=".1 .05 .02" pos=".1 0 0"/><site name="y" pos=".1 .1 -.1"/>
        <geom name="round" size=".02" pos=".1 .05 0" contype="0" conaffinity="0"/>
        <body pos=".2 0 0"><joint type="slide" name="s" axis="1 0 1"/><joint name="h" axis="0 1 0"/>
          <geom size=".05" pos="0 .1 0"/><site name="z" pos="0 .15 .1"/></body></body></body></worldbody>
    <tendon>
      <fixed name="t" stiffness="3" damping=".2" springlength=".1">
        <joint joint="s" coef="2"/><joint joint="h" coef="-1"/></fixed>
      <spatial name="p" stiffness="5" damping=".3" springlength=".1"><site site="x"/><site site="y"/><site site="z"/>
      </spatial>
    </tendon>
    <actuator>
      <motor joint="h"/><position joint="s" kp="1" kv=".1"/>
      <general joint="h" dyntype="filter" dynprm=".05" gaintype="affine" gainprm=".3 .1 .02"/>
      <muscle tendon="p" lengthrange=".1 .9" force=".5"/>
      <motor joint="b" gear=".1 .02 .03"/><general jointinparent="b" gear=".1 .05 0"/><motor tendon="t" gear=".1"/>
      <general joint="s" dyntype="integrator" actlimited="true" actrange="-3 3" gainprm=".1"/>
      <general joint="s" dyntype="filterexact" gainprm=".1" dynprm=".03" actearly="true"/>
    </actuator></mujoco>)";

void ApplyForces(World& w) {
  for (int i = 6; i < 6 * w.m->nbody; ++i) w.d->xfrc_applied[i] = 0.1 * std::sin(i);
  for (int i = 0; i < w.m->nv; ++i) w.d->qfrc_applied[i] = 0.1 * std::cos(i);
  w.d->ctrl[3] = 0.6;  // away from the muscle's kink between activation and deactivation
}

// Against central differences of mjd_inverseFD's force.
void ExpectInverse(World& w, bool actuators) {
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const size_t nv = static_cast<size_t>(m->nv);
  mj_forward(m, d);
  for (int i = 0; i < m->nv; ++i) d->qacc[i] += 0.1 * std::sin(i);
  const Numbers a(d->qacc, d->qacc + nv), qpos(d->qpos, d->qpos + m->nq);
  Numbers D[3] = {Numbers(nv * nv), Numbers(nv * nv), Numbers(nv * nv)};
  LinearizeInverse(m, d, actuators, {D[0].data(), D[1].data(), D[2].data()});
  const auto force = [&](int part, int dof, double by) {
    Numbers direction(nv);
    direction[static_cast<size_t>(dof)] = 1;
    if (part == 0) mj_integratePos(m, d->qpos, direction.data(), by);
    (part == 1 ? d->qvel : d->qacc)[dof] += part == 0 ? 0 : by;
    mj_inverse(m, d);
    Numbers f(d->qfrc_inverse, d->qfrc_inverse + nv);
    if (actuators) mj_fwdActuation(m, d);
    for (size_t i = 0; actuators && i < nv; ++i) f[i] -= d->qfrc_actuator[i];
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    (part == 1 ? d->qvel : d->qacc)[dof] -= part == 0 ? 0 : by;
    return f;
  };
  // rounding of stiff contacts over eps, which is not extrapolated here
  constexpr double kEps = 1e-6, kRounding = 5e-6;
  for (int part = 0; part < 3; ++part) {
    double scale = 0, error = 0;
    for (int j = 0; j < m->nv; ++j) {
      const Numbers above = force(part, j, kEps), below = force(part, j, -kEps);
      for (size_t i = 0; i < nv; ++i) {
        const double slope = (above[i] - below[i]) / (2 * kEps);
        scale = std::max(scale, std::abs(slope));
        error = std::max(error, std::abs(slope - D[part][static_cast<size_t>(j) * nv + i]));
      }
    }
    EXPECT_LE(error / scale, kRounding) << part;
  }
}

TEST(LinearizeTest, Pendulum) {
  for (int integrator : {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4}) {
    World w = Moving(kPendulum, 30);
    w.m->opt.integrator = integrator;
    ExpectSameDerivatives(w, 1e-3, kTolerance, "integrator " + std::to_string(integrator));
  }
}

TEST(LinearizeTest, SmoothForces) {
  for (int integrator : {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4}) {
    World w = Moving(kTree, 20);
    w.m->opt.integrator = integrator;
    ApplyForces(w);
    ExpectSameDerivatives(w, 1e-3, kTolerance, "integrator " + std::to_string(integrator));
  }
}

// Both models of fluids, in wind, on bodies that turn with their parents; trees with translations, rotations, hinges.
TEST(LinearizeTest, Fluids) {
  for (const char* shape : {"", "<geom fluidshape='ellipsoid'/>"}) {
    for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
      std::string xml = kTree;
      const std::string defaults = "<default>";
      xml.insert(xml.find(defaults) + defaults.size(), shape);
      World w = Moving(xml, 20);
      // dense, so that forces are as large as weights
      w.m->opt.density = 500;
      w.m->opt.viscosity = 2;
      for (int k = 0; k < 3; ++k) w.m->opt.wind[k] = 0.5 - 0.4 * k;
      w.m->opt.integrator = integrator;
      ApplyForces(w);
      mj_step(w.m.get(), w.d.get());
      EXPECT_GT(std::abs(w.d->qfrc_fluid[6]), 0.01) << shape;
      ExpectSameDerivatives(w, 1e-4, kTolerance, shape + std::to_string(integrator));
      ExpectInverse(w, true);
    }
  }
}

// Free bodies follow the midpoint rule under implicit integrators: at rest, tumbling, with the centre of mass
// elsewhere, pulled by a tendon, in contact.
TEST(LinearizeTest, MidpointRuleOfFreeBodies) {
  const char* bodies = R"(
    <mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 .1"/><site name="o" pos="0 0 2"/>
      <body pos="0 0 .19"><freejoint/><geom type="capsule" size=".1 .2" euler="80 0 20"/>
        <geom size=".05" pos=".1 .2 .1" mass=".5"/><site name="s" pos=".1 0 .1"/></body>
      <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .2 .05"/></body>
      <body pos="2 0 1"><joint axis="0 1 0"/><geom type="box" size=".1 .2 .05" pos=".3 0 0"/></body></worldbody>
      <tendon><spatial name="t" damping="1" stiffness="20"><site site="o"/><site site="s"/></spatial></tendon>
      <actuator><motor tendon="t"/></actuator></mujoco>)";
  for (int integrator : {mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w = Moving(bodies, 30);
    w.m->opt.integrator = integrator;
    w.m->dof_armature[9] = 0.01;
    w.m->dof_damping[10] = 0.02;
    for (int k = 0; k < 3; ++k) w.d->qvel[9 + k] = 2 - 1.5 * k;
    mj_step(w.m.get(), w.d.get());
    ASSERT_GT(w.d->ncon, 0);
    ExpectSameDerivatives(w, 1e-5, kTolerance, "integrator " + std::to_string(integrator));
    std::fill_n(w.d->qvel + 6, 6, 0.0);
    ExpectSameDerivatives(w, 1e-5, kTolerance, "at rest, integrator " + std::to_string(integrator));
  }
}

// Paths slide over what they touch: a sphere, and a cylinder on the side that a site chooses.
TEST(LinearizeTest, TendonsThatWrap) {
  const std::string geoms[] = {"type='sphere' size='.06'", "type='cylinder' size='.06 .2' euler='90 10 0'"};
  for (const std::string& geom : geoms) {
    World w = Moving(
        "<mujoco><option timestep='.005'/><worldbody><site name='a' pos='-.3 .02 1'/>"
        "<body pos='0 0 1'><joint axis='0 1 0' armature='.01'/><geom name='pulley' " +
            geom +
            " contype='0' conaffinity='0' pos='.02 0 .01'/><site name='side' pos='0 0 .2'/>"
            "<body pos='0 0 -.02'><joint axis='0 1 0' damping='.05'/><joint axis='1 0 0' damping='.05'/>"
            "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' contype='0' conaffinity='0'/>"
            "<site name='b' pos='.3 .01 .01'/></body></body></worldbody><tendon>"
            "<spatial name='t' stiffness='40' damping='1' springlength='.3'><site site='a'/>"
            "<geom geom='pulley' sidesite='side'/><site site='b'/></spatial></tendon>"
            "<actuator><motor tendon='t' gear='2'/><muscle tendon='t' lengthrange='.4 .8'/></actuator>"
            "<sensor><tendonpos tendon='t'/><tendonvel tendon='t'/></sensor></mujoco>",
        20);
    w.d->ctrl[1] = 0.6;  // away from the muscle's kinks, between activation and deactivation and at zero
    w.d->act[0] = 0.3;
    mj_forward(w.m.get(), w.d.get());
    ASSERT_EQ(w.d->ten_wrapnum[0], 4) << geom;  // it touches
    ExpectSameDerivatives(w, 1e-4, kTolerance, geom, /*sensors=*/true);
  }
}

// Wrenches of sites, which turn with them, with a damper and with an activation; at joints that hold what actuators do.
TEST(LinearizeTest, ActuatorsOnSites) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w = Moving(R"(
      <mujoco><option timestep=".005"/><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .05"/>
        <site name="jet" pos=".1 .1 0" euler="20 30 0"/>
        <body pos=".2 0 0"><joint name="h" axis="0 1 0" actuatorfrcrange="-.01 .01"/><joint axis="1 0 0"/>
          <geom type="capsule" size=".03" fromto="0 0 0 .3 .05 0"/><site name="tip" pos=".3 .05 0" euler="0 40 0"/>
        </body></body></worldbody>
      <actuator><motor site="jet" gear="1 2 3 .1 .2 .3"/>
        <general name="pull" site="tip" gear="1 .5 2 0 0 0" gaintype="affine" gainprm="2 0 -.5"
          biastype="affine" biasprm=".3 0 -.4"/>
        <general site="tip" gear="0 0 0 .1 0 .2" dyntype="filter" dynprm=".1"/></actuator>
      <sensor><actuatorfrc actuator="pull"/></sensor></mujoco>)",
                     20);
    w.m->opt.integrator = integrator;
    for (int i = 0; i < 3; ++i) w.d->ctrl[i] = 0.7 - 0.2 * i;
    mj_forward(w.m.get(), w.d.get());
    EXPECT_EQ(std::abs(w.d->qfrc_actuator[6]), 0.01);  // held
    ExpectSameDerivatives(w, 1e-4, kTolerance, "integrator " + std::to_string(integrator), /*sensors=*/true);
  }
}

// Springs between sites, with orientations of their own: along axes of a reference that moves, or does not, in the same
// tree or in another; slider-cranks, also with a rod that is too short.
TEST(LinearizeTest, ActuatorsWithAReference) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w = Moving(R"(
      <mujoco><option timestep=".005"/><worldbody><site name="o" pos=".1 0 2" euler="10 20 30"/>
        <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .05"/><site name="base" pos=".1 .1 0" euler="20 30 0"/>
          <body pos=".2 0 0"><joint type="ball"/><geom type="capsule" size=".03" fromto="0 0 0 .3 .05 0"/>
            <site name="tip" pos=".3 .05 0" euler="0 40 0"/>
            <body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/><site name="end" pos=".2 0 .1"/></body>
          </body></body>
        <body pos="1 0 1"><joint axis="0 1 0"/><joint axis="1 0 1"/><geom type="box" size=".1 .2 .05" pos=".2 0 0"/>
          <site name="other" pos=".1 .2 0" euler="30 0 10"/></body></worldbody>
      <actuator>
        <general name="a" site="tip" refsite="base" gear="1 2 3 0 0 0" gainprm="2" biastype="affine" biasprm=".3 -4 -.4"/>
        <general site="end" refsite="base" gear="0 0 0 .3 .2 .1" gaintype="affine" gainprm="2 .1 0" biastype="affine"
          biasprm=".3 -1 -.1"/>
        <general site="end" refsite="o" gear=".1 .2 .3 .3 .2 .1" biastype="affine" biasprm="0 -2 -.1"/>
        <general site="other" refsite="tip" gear="1 0 .5 .1 0 .2" biastype="affine" biasprm="0 -2 -.1"/>
        <general name="crank" cranksite="end" slidersite="base" cranklength=".7" gear="2" biastype="affine"
          biasprm="0 -3 -.2"/>
        <general cranksite="other" slidersite="tip" cranklength=".1" gear="2" biastype="affine" biasprm="0 -1 -.2"/>
      </actuator>
      <sensor><actuatorpos actuator="a"/><actuatorvel actuator="a"/><actuatorfrc actuator="crank"/></sensor></mujoco>)",
                     20);
    w.m->opt.integrator = integrator;
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.7 - 0.2 * i;
    mj_forward(w.m.get(), w.d.get());
    ExpectSameDerivatives(w, 1e-4, kTolerance, "integrator " + std::to_string(integrator), /*sensors=*/true);
  }
}

// Motors without states: by voltage, position, velocity and torque, with cogging, friction, limits.
TEST(LinearizeTest, DirectCurrentMotors) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w = Moving(R"(
      <mujoco><option timestep=".002"/><default><dcmotor motorconst=".3" resistance="2" cogging=".05 7 .3"
        dryfriction=".02 .3"/></default><worldbody>
        <body pos="0 0 1"><joint name="a" axis="0 1 0" armature=".01"/><geom size=".1" pos=".2 0 0"/>
          <body pos=".2 0 0"><joint name="b" axis="1 0 1" armature=".01"/><geom size=".05" pos="0 .1 .1"/>
            <body pos=".2 0 0"><joint name="c" axis="0 0 1" armature=".01"/><geom size=".05" pos="0 .1 .1"/>
              <body pos=".2 0 0"><joint name="d" axis="0 1 1" armature=".01"/><geom size=".05" pos="0 .1 .1"/></body>
            </body></body></body></worldbody>
      <actuator><dcmotor joint="a" gear="3"/>
        <dcmotor joint="b" input="position" controller="2 0 .1"/>
        <dcmotor joint="c" input="velocity" controller="3 0 0"/>
        <dcmotor joint="d" input="ff" controller="0 0 0 0 0 1.5"/></actuator></mujoco>)",
                     20);
    w.m->opt.integrator = integrator;
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 0.7 - 0.15 * i;
    for (const bool limited : {false, true}) {
      w.m->actuator_forcelimited[0] = limited;
      w.m->actuator_forcerange[0] = -0.01;
      w.m->actuator_forcerange[1] = 0.01;
      mj_forward(w.m.get(), w.d.get());
      ExpectSameDerivatives(w, 1e-4, kTolerance, "integrator " + std::to_string(integrator));
    }
  }
}

// Along the axes of the parent, a ball's torque turns with the child.
TEST(LinearizeTest, SpringsOfBallsInTheirParents) {
  World w = Moving(R"(<mujoco><worldbody><body pos="0 0 1"><joint axis="1 0 0"/><geom size=".1"/>
      <body><joint type="ball" name="b"/><geom type="box" size=".1 .05 .02" pos=".1 .1 0"/></body></body></worldbody>
      <actuator><general jointinparent="b" gear=".1 .05 .2" biastype="affine" biasprm=".1 -3 -.1"/></actuator></mujoco>)",
                   50);
  ExpectSameDerivatives(w, 1e-4, kTolerance);
}

// Actuators of a tendon that limits the sum of their forces share what it lets through; delayed controls have no part
// in the step, but that the matrix of an implicit integrator takes the present ones. Tendons may join branches and
// trees.
TEST(LinearizeTest, LimitsOfTendonsAndDelays) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w = Moving(R"(
      <mujoco><option timestep=".005"/><worldbody>
        <body pos="0 0 1"><joint name="a" axis="0 1 0"/><geom type="box" size=".1 .2 .05" pos=".1 0 0"/>
          <site name="x" pos=".2 .1 0"/>
          <body pos=".2 0 0"><joint axis="1 0 0"/><geom size=".05" pos="0 .1 .1"/><site name="y" pos="0 .2 0"/></body>
          <body pos="-.2 0 0"><joint axis="1 0 1"/><geom size=".05" pos="0 .1 .1"/><site name="z" pos="0 .2 .1"/></body>
        </body>
        <body pos="1 0 1"><joint axis="0 1 0"/><geom size=".05" pos=".1 .1 0"/><site name="other" pos=".1 .1 0"/></body>
      </worldbody>
      <tendon><spatial name="t" actuatorfrclimited="true" actuatorfrcrange="-.8 .8" damping=".4" stiffness="3">
          <site site="y"/><site site="z"/><site site="other"/></spatial>
        <spatial name="free" actuatorfrclimited="true" actuatorfrcrange="-8 8"><site site="x"/><site site="y"/></spatial>
      </tendon>
      <actuator><motor tendon="t" gear="2"/>
        <general tendon="t" gear="-1" biastype="affine" biasprm="1 -2 -.3"/>
        <general tendon="t" gear="3" dyntype="filter" dynprm=".1" gaintype="affine" gainprm=".5 .2 .1"/>
        <general tendon="free" biastype="affine" biasprm="1 -2 -.3"/>
        <general joint="a" delay=".02" nsample="8" gaintype="affine" gainprm=".5 .2 .3"/>
        <general joint="a" delay=".01" nsample="4" dyntype="filter" dynprm=".1"/></actuator></mujoco>)",
                     20);
    w.m->opt.integrator = integrator;
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = 1.7 - 0.2 * i;
    for (int k = 0; k < 5; ++k) mj_step(w.m.get(), w.d.get());
    mj_forward(w.m.get(), w.d.get());
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += w.d->actuator_force[i];
    EXPECT_NEAR(sum, 0.8, 1e-12);  // held
    ExpectSameDerivatives(w, 1e-4, kTolerance, "integrator " + std::to_string(integrator));
  }
}

// Adhesion pulls along the normals of a body's contacts, also those in the gap.
TEST(LinearizeTest, Adhesion) {
  const std::string feet[] = {
      "<geom size='.1'/>",
      "<geom type='ellipsoid' size='.2 .15 .1' euler='0 5 0'/>",
      "<geom type='box' size='.2 .15 .1'/>",
      "<geom size='.1'/><geom size='.1' pos='.5 0 .012' margin='.03' gap='.03'/>",
  };
  for (const std::string& foot : feet) {
    for (int integrator : {mjINT_EULER, mjINT_IMPLICITFAST}) {
      const std::string what = foot + " integrator " + std::to_string(integrator);
      World w = Moving(
          "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='5 5 .1' euler='3 0 0'/>"
          "<body name='foot' pos='0 0 .101'><freejoint/>" +
              foot +
              "<body pos='0 0 .2'><joint axis='1 0 0'/><geom type='capsule' size='.05 .1'/></body></body>"
              "</worldbody><actuator><adhesion body='foot' gain='30' ctrlrange='0 1'/></actuator></mujoco>",
          40);
      w.m->opt.integrator = integrator;
      w.d->ctrl[0] = 0.6;
      mj_step(w.m.get(), w.d.get());
      EXPECT_GT(w.d->ncon, 0) << what;
      ExpectSameDerivatives(w, 3e-6, 2 * kTolerance, what);
    }
  }
}

TEST(LinearizeTest, ContactsWithAPlane) {
  const std::string bodies[] = {
      "<body pos='0 0 .1'><freejoint/><geom size='.1' condim='1'/></body>",
      "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body>",
      "<body pos='0 0 .2'><freejoint/><geom type='capsule' size='.1 .2' euler='80 0 20' friction='1 .01 .001' "
      "condim='6'/><body pos='.3 0 0'><joint type='ball'/><geom size='.12' pos='.1 0 0' condim='4'/></body></body>",
      "<body pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' euler='0 5 0'/></body>",
      "<body pos='1 0 .1'><freejoint/><geom type='cylinder' size='.1 .1' euler='0 30 0'/></body>",
      "<body pos='3 0 .1'><freejoint/><geom type='ellipsoid' size='.1 .15 .1'/></body>",
      "<body pos='1 0 .2'><freejoint/><geom type='mesh' mesh='wedge' euler='20 30 0'/></body>",
  };
  for (const std::string& body : bodies) {
    for (int cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
      World w = Moving(Floor(body), 50);
      w.m->opt.cone = cone;
      ExpectSameDerivatives(w, 3e-6, 2 * kTolerance, body + (cone ? " elliptic" : " pyramidal"));
    }
  }
}

// Surfaces that give way, with friction and damping: on a plane, of two bodies, in faces of boxes and round; a rod that
// slides along the floor keeps its solver's contacts beside them.
TEST(LinearizeTest, CompliantContacts) {
  const std::string law = "contactmodel='hertz' modulus='2e5' dissipation='.5' cfriction='.8 .5 .1' ";
  const std::string linear = "contactmodel='linear' stiffness='3e3' dissipation='.4' cfriction='.6 .5 0' ";
  const std::string bodies[] = {
      "<body pos='0 0 .097'><freejoint/><geom size='.1' " + law + "/></body>",
      "<body pos='0 0 .093'><freejoint/><geom type='box' size='.1 .1 .1' euler='0 3 0' " + linear + "/></body>",
      "<body pos='0 0 .097'><freejoint/><geom type='ellipsoid' size='.2 .15 .1' euler='0 5 0' " + law + "/></body>",
      "<body pos='0 0 .097'><freejoint/><geom size='.1' " + law +
          "/></body><body pos='0 .01 .29'><freejoint/><geom "
          "type='ellipsoid' size='.12 .1 .1' " +
          linear + "/><geom type='capsule' size='.02' fromto='.3 0 0 .3 0 -.27'/></body>",
  };
  for (const std::string& body : bodies) {
    for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
      World w = Moving(Floor(body), 0);
      w.m->opt.integrator = integrator;
      w.m->opt.timestep = 5e-4;
      for (int k = 0; k < 3; ++k) w.d->qvel[k] = 0.2 - 0.1 * k;
      for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
      int compliant = 0;
      for (int i = 0; i < w.d->ncon; ++i) compliant += w.d->contact[i].efc_address < 0 && w.d->contact[i].dist < 0;
      EXPECT_GT(compliant, 0) << body;
      ExpectSameDerivatives(w, 3e-5, 2 * kTolerance, body + " integrator " + std::to_string(integrator));
    }
  }
}

// Of simple bodies, implicitfast takes the diagonal of what damps them.
TEST(LinearizeTest, SimpleBodies) {
  for (const char* shape : {"", "fluidshape='ellipsoid'"}) {
    World w =
        Moving(std::string("<mujoco><option timestep='.005' density='500' viscosity='2' wind='.3 .1 0'/><worldbody>"
                           "<site name='o' pos='0 .1 2'/><body pos='0 0 1'><freejoint/>"
                           "<geom type='box' size='.1 .2 .05' ") +
                   shape +
                   "/><site name='s' pos='.1 .05 .02'/></body></worldbody><tendon><spatial name='t' damping='20'>"
                   "<site site='o'/><site site='s'/></spatial></tendon>"
                   "<actuator><general site='s' gear='1 2 .3 .1 .2 .3' gaintype='affine' gainprm='0 0 -3'/>"
                   "</actuator></mujoco>",
               10);
    ASSERT_NE(w.m->body_simple[1], 0);
    for (int integrator : {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
      w.m->opt.integrator = integrator;
      w.d->ctrl[0] = 0.5;
      for (int i = 0; i < 6; ++i) w.d->qvel[i] = 0.6 - 0.2 * i;
      mj_forward(w.m.get(), w.d.get());
      ExpectSameDerivatives(w, 1e-4, kTolerance, shape + std::to_string(integrator));
    }
  }
}

// Sweeps of PGS have to come as near to the minimum as rounding lets them, for differences of steps.
TEST(LinearizeTest, MinimumThatSweepsLookFor) {
  for (int cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
    World w = Moving(Floor("<body pos='0 0 .1'><freejoint/><geom size='.1'/>"
                           "<body pos='.3 0 0'><joint axis='0 1 0' damping='.1'/><geom size='.1'/></body></body>"),
                     50);
    w.m->opt.cone = cone;
    w.m->opt.solver = mjSOL_PGS;
    w.m->opt.tolerance = 0;
    w.m->opt.iterations = 5000;
    ExpectSameDerivatives(w, 3e-6, 2 * kTolerance, cone ? "elliptic" : "pyramidal");
  }
}

TEST(LinearizeTest, ContactsOfMovingBodies) {
  const std::string bodies[] = {
      "<body pos='3 0 .1'><freejoint/><geom size='.1'/></body><body pos='3 .01 .3'><freejoint/><geom "
      "size='.1'/></body>",
      "<body pos='3 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='3 .01 .28'><freejoint/><geom type='box' euler='0 0 10' size='.08 .08 .08'/></body>",
      "<body pos='3 0 .2'><freejoint/><geom type='mesh' mesh='wedge' euler='180 5 0'/></body>"
      "<body pos='3 .01 .48'><freejoint/><geom type='mesh' mesh='wedge' euler='0 20 10'/></body>",
      // two branches of one tree
      "<body pos='3 0 1'><freejoint/><geom size='.05'/><body pos='.2 0 0'><joint axis='0 1 0'/><geom size='.1'/></body>"
      "<body pos='.2 .19 0'><joint type='ball'/><geom type='capsule' size='.1 .1'/></body></body>",
  };
  for (const std::string& body : bodies) {
    World w = Moving(Floor(body), 30);
    ExpectSameDerivatives(w, 3e-6, 2 * kTolerance, body);
  }
}

TEST(LinearizeTest, LimitsAndFrictionLoss) {
  for (const char* joint :
       {"axis='0 1 0' limited='true' range='-.01 .01' frictionloss='.1'", "type='ball' limited='true' range='0 .01'"}) {
    World w = Moving(std::string("<mujoco><option timestep='.002'/><worldbody><body><joint ") + joint +
                         "/><geom type='capsule' size='.05 .05' pos='.2 .1 0'/></body></worldbody></mujoco>",
                     60);
    EXPECT_GT(w.d->nefc, 0);
    ExpectSameDerivatives(w, 1e-5, kTolerance, joint);
  }
}

// In the quadratic part of the friction, too.
TEST(LinearizeTest, FrictionThatHolds) {
  World w = Moving(
      "<mujoco><worldbody><body><joint axis='0 1 0' frictionloss='50'/><geom size='.05' pos='.2 0 0'/>"
      "</body></worldbody></mujoco>",
      5);
  ExpectSameDerivatives(w, 1e-5, kTolerance);
}

TEST(LinearizeTest, Equalities) {
  const std::string bodies = R"(<worldbody>
      <body name="a" pos="0 0 2"><joint axis="0 1 0"/><joint name="h1" axis="1 0 0"/>
        <geom type="box" size=".1 .1 .2" pos=".2 0 0"/>
        <body name="c" pos=".1 0 0"><joint name="h2" axis="0 0 1"/><geom type="box" size=".1 .05 .1"/></body></body>
      <body name="d" pos=".7 0 2"><freejoint/><geom type="box" size=".1 .1 .05"/></body></worldbody>
    <tendon><fixed name="t1"><joint joint="h1" coef="1"/></fixed><fixed name="t2"><joint joint="h2" coef="2"/></fixed>
    </tendon>)";
  for (const char* equality : {"<connect body1='a' body2='d' anchor='.15 .02 0' solref='.03 1'/>",
                               "<weld body1='c' body2='d' torquescale='.7' solref='.03 1'/>",
                               "<joint joint1='h1' joint2='h2' polycoef='.1 .5 .3 .2 0' solref='.05 1'/>",
                               "<tendon tendon1='t1' tendon2='t2' polycoef='.1 .5 .3 .2 0' solref='.05 1'/>"}) {
    World w = Moving("<mujoco>" + bodies + "<equality>" + equality + "</equality></mujoco>", 20);
    ExpectSameDerivatives(w, 1e-5, kTolerance, equality);
  }
}

// ---- inverse dynamics

TEST(LinearizeTest, InverseDynamics) {
  World tree = Moving(kTree, 20), scene = Scene();
  ApplyForces(tree);
  for (bool actuators : {false, true}) {
    ExpectInverse(tree, actuators);
    ExpectInverse(scene, actuators);
  }
  scene.m->opt.cone = mjCONE_ELLIPTIC;
  scene.d->qvel[0] = 0.5;
  ExpectInverse(scene, false);
}

// ---- contracts

TEST(LinearizeTest, StateIsLeftAlone) {
  World w = Moving(kTree, 10);
  const Numbers before = StateOf(w);
  StepTwin(w).Analytic();
  EXPECT_EQ(before, StateOf(w));
}

TEST(LinearizeTest, RefusesWithTheReason) {
  World w = Moving(kPendulum, 1);
  char error[300] = "";
  Numbers A(36, 7.0);
  const auto transition = [&] {
    return sinew_transition(w.m.get(), w.d.get(), A.data(), nullptr, nullptr, nullptr, error, sizeof(error));
  };
  const auto expect = [&](const char* part) {
    EXPECT_EQ(transition(), -1);
    EXPECT_NE(std::string(error).find(part), std::string::npos) << error;
    EXPECT_EQ(A, Numbers(36, 7.0));
  };
  w.d->qvel[1] = std::numeric_limits<double>::quiet_NaN();
  expect("qvel[1]");
  w.d->qvel[1] = 0;
  w.m->opt.noslip_iterations = 1;
  expect("noslip");
  w.m->opt.noslip_iterations = 0;
  EXPECT_EQ(transition(), 0) << error;
}

TEST(LinearizeTest, ObstacleNamesTheElement) {
  const ModelPtr m = ModelFromText(R"(
    <mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><general name="pull" joint="j" dyntype="user" actdim="2"/></actuator></mujoco>)");
  char text[200] = "";
  EXPECT_GT(sinew_transitionObstacle(m.get(), text, sizeof(text)), 0);
  EXPECT_NE(std::string(text).find("'pull'"), std::string::npos) << text;
  const ModelPtr plain = ModelFromText(kPendulum);
  EXPECT_EQ(sinew_transitionObstacle(plain.get(), text, sizeof(text)), 0);
  EXPECT_STREQ(text, "");
}

TEST(LinearizeTest, SolverThatWasStopped) {
  World w = Scene();
  w.m->opt.iterations = 1;
  w.d->qvel[2] = -3;
  std::fill_n(w.d->qacc_warmstart, w.m->nv, 0.0);
  EXPECT_THROW(StepTwin(w).Analytic(), Error);
}

}  // namespace
}  // namespace sinew
