// Limit forces, ligaments and bushings: their laws, that forces are the slopes of their energy, that dampers take
// energy, that bodies push one another equally, and that stiff ones are stable.
#include <gtest/gtest.h>

#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/passive_tree.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Numbers = std::vector<double>;

void Randomize(const World& w, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < w.m->nq; ++i) w.d->qpos[i] = w.m->qpos0[i] + 0.4 * number(random);
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = number(random);
  mj_normalizeQuat(w.m.get(), w.d->qpos);
}

// Of springs alone.
World WithoutGravity(const std::string& xml) {
  World w(ModelFromText(xml));
  for (double& g : w.m->opt.gravity) g = 0;
  return w;
}

double PotentialAt(const World& w) {
  mj_forward(w.m.get(), w.d.get());
  mj_energyPos(w.m.get(), w.d.get());
  return w.d->energy[0];
}

// Central differences of the energy over 1e-5 in each direction; their error is of the order of its square.
void ExpectSlopesOfEnergy(const World& w) {
  constexpr double kStep = 1e-5, kTolerance = 1e-6;
  const Numbers qpos(w.d->qpos, w.d->qpos + w.m->nq);
  PotentialAt(w);
  const Numbers force(w.d->qfrc_spring, w.d->qfrc_spring + w.m->nv);
  for (int i = 0; i < w.m->nv; ++i) {
    Numbers direction(static_cast<size_t>(w.m->nv));
    direction[static_cast<size_t>(i)] = 1;
    double energy[2];
    for (const int side : {0, 1}) {
      std::copy(qpos.begin(), qpos.end(), w.d->qpos);
      mj_integratePos(w.m.get(), w.d->qpos, direction.data(), side ? kStep : -kStep);
      energy[side] = PotentialAt(w);
    }
    const double expected = -(energy[1] - energy[0]) / (2 * kStep);
    EXPECT_NEAR(force[static_cast<size_t>(i)], expected, kTolerance * (1 + std::abs(expected))) << "dof " << i;
  }
  std::copy(qpos.begin(), qpos.end(), w.d->qpos);
}

TEST(PassiveElements, ForcesAreSlopesOfTheEnergy) {
  const World w = WithoutGravity(testing::PassiveTree());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Randomize(w, seed);
    ExpectSlopesOfEnergy(w);
  }
}

TEST(PassiveElements, DampersTakeEnergy) {
  const World w = WithoutGravity(testing::PassiveTree());
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Randomize(w, seed);
    mj_forward(w.m.get(), w.d.get());
    EXPECT_LT(mju_dot(w.d->qfrc_damper, w.d->qvel, static_cast<int>(w.m->nv)), 0);
  }
}

// ---- laws

World Hinge(const std::string& limit) {
  return World(ModelFromText("<mujoco><option gravity='0 0 0'/><worldbody><body><joint axis='0 0 1' armature='1'>" +
                             limit + "</joint><geom size='.1'/></body></worldbody></mujoco>"));
}

constexpr double kDegree = 3.14159265358979323846 / 180;

// The values are those of OpenSim 4.6, CoordinateLimitForce with upper_limit 30, upper_stiffness 10, lower_limit -20,
// lower_stiffness 5, damping 0.5, transition 8.
TEST(PassiveElements, ALimitForceRisesSmoothlyBeyondTheRange) {
  char limit[300];
  std::snprintf(limit, sizeof limit,
                "<limitforce range='%.17g %.17g' stiffness='%.17g %.17g' damping='%.17g' transition='%.17g'/>",
                -20 * kDegree, 30 * kDegree, 5 / kDegree, 10 / kDegree, 0.5 / kDegree, 8 * kDegree);
  const World w = Hinge(limit);
  const double expected[][4] = {{25, 0, 0, 0},
                                {31, 0, -0.16052246093750094, 0.0005798082144686838},
                                {34, 0, -20.00000000000009, 0.33659921288462263},
                                {45, 0, -150.00000000000003, 18.039224483112825},
                                {34, 2, -48.64788975654133, 0.33659921288462263},
                                {45, 2, -207.29577951308235, 18.039224483112825},
                                {-22, 0, 1.0351562499999987, 0.0077916484464032485},
                                {-25, 1, -2.6439630651200083, 0.4113632755211683},
                                {-40, 1, 71.35211024345884, 16.6554277190316}};
  for (const auto& [degrees, velocity, force, energy] : expected) {
    w.d->qpos[0] = degrees * kDegree;
    w.d->qvel[0] = velocity;
    EXPECT_NEAR(PotentialAt(w), energy, 1e-12 * (1 + std::abs(energy))) << degrees;
    EXPECT_NEAR(w.d->qfrc_passive[0], force, 1e-12 * (1 + std::abs(force))) << degrees;
  }
}

// joint_force_pnld of Hyfydy's manual: the spring is linear from the end of the range on, and its torque grows by one
// plus c times the velocity away from the range. joint_force_pd: the damping is there at once.
TEST(PassiveElements, ASharpLimitIsALinearSpringWithDampingOfItsForce) {
  const World w = Hinge("<limitforce range='-.3 .5' stiffness='100' forcedamping='2.5' damping='3' transition='0'/>");
  const auto torque = [](double q, double v) {
    const double beyond = q < -0.3 ? q + 0.3 : q > 0.5 ? q - 0.5 : 0;
    const double away = beyond < 0 ? -v : v;
    return beyond == 0 ? 0 : -100 * beyond * (1 + 2.5 * away) - 3 * v;
  };
  for (const double q : {-0.7, -0.31, 0.0, 0.49, 0.51, 0.9}) {
    for (const double v : {-0.4, 0.0, 0.3}) {
      w.d->qpos[0] = q;
      w.d->qvel[0] = v;
      const double beyond = q < -0.3 ? q + 0.3 : q > 0.5 ? q - 0.5 : 0;
      EXPECT_NEAR(PotentialAt(w), 50 * beyond * beyond, 1e-13) << q;  // rounding
      EXPECT_NEAR(w.d->qfrc_passive[0], torque(q, v), 1e-13 * 100) << q << " " << v;
    }
  }
}

// With a transition the damping of the force follows the force, and adds to that of the velocity.
TEST(PassiveElements, DampingOfTheForceFollowsTheTransition) {
  const auto force = [](const char* damping, double q, double v) {
    const World w =
        Hinge((std::string("<limitforce range='-.1 .1' stiffness='30 40' transition='.2' ") + damping + "/>").c_str());
    w.d->qpos[0] = q;
    w.d->qvel[0] = v;
    mj_forward(w.m.get(), w.d.get());
    return w.d->qfrc_passive[0];
  };
  for (const double q : {-0.6, -0.2, 0.05, 0.25, 0.8}) {
    const double spring = force("", q, 0), away = q < 0 ? -1 : 1, v = 0.3;
    EXPECT_NEAR(force("forcedamping='2'", q, v), spring * (1 + 2 * away * v), 1e-13) << q;  // rounding
    EXPECT_NEAR(force("forcedamping='2' damping='5'", q, v),
                spring * (1 + 2 * away * v) + force("damping='5'", q, v) - spring, 1e-13)
        << q;
  }
}

TEST(PassiveElements, ALimitForceOfOneSideHasNoneOnTheOther) {
  const World w = Hinge("<limitforce range='-.1 .1' stiffness='0 20' damping='1' transition='.1'/>");
  w.d->qpos[0] = -1;
  w.d->qvel[0] = 1;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->qfrc_passive[0], 0);
  w.d->qpos[0] = 1;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qfrc_passive[0], -20 * 0.9 - 1, 1e-13);
}

// A slide at x pulls a path of length x.
World Slide(const std::string& ligament) {
  return World(ModelFromText(
      "<mujoco><option gravity='0 0 0'/><worldbody><site name='a'/><body><joint type='slide' axis='1 0 0'/>"
      "<geom size='.01'/><site name='b'/></body></worldbody><tendon><spatial><site site='a'/>"
      "<site site='b'/>" +
      ligament + "</spatial></tendon></mujoco>"));
}

// The values are those of OpenSim 4.6, Blankevoort1991Ligament.
TEST(PassiveElements, ALigamentHasAToe) {
  const World w = Slide("<ligament slacklength='.1' stiffness='1000'/>");
  const double expected[][4] = {
      {0.09, 1, 0, 0},       {0.1001, 0, 1 / 120.0, 1 / 3.6e6}, {0.103, 0, 7.5, 0.0075}, {0.106, 0, 30, 0.06},
      {0.12, 0, 170, 1.46},  {0.103, 1, 7.53, 0.0075},          {0.12, 1, 170.03, 1.46}, {0.12, -1, 170, 1.46},
      {0.3, 0, 1970, 194.06}};
  for (const auto& [length, velocity, force, energy] : expected) {
    w.d->qpos[0] = length;
    w.d->qvel[0] = velocity;
    EXPECT_NEAR(PotentialAt(w), energy, 1e-11 * (1 + energy)) << length;
    EXPECT_NEAR(w.d->qfrc_passive[0], -force, 1e-11 * (1 + force)) << length;
  }
}

TEST(PassiveElements, ALigamentFollowsACurve) {
  const World w = Slide("<ligament slacklength='.2' force='500' x='1 1.5 2' y='0 .3 1'/>");
  for (const auto& [length, share] : std::vector<std::pair<double, double>>{{0.1, 0}, {0.3, 0.3}, {0.4, 1}}) {
    w.d->qpos[0] = length;
    mj_forward(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->qfrc_passive[0], -500 * share, 1e-11) << length;
    ExpectSlopesOfEnergy(w);
  }
}

constexpr char kTwoFloats[] = R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="a"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
    <site name="a" pos=".1 0 .2" euler="10 20 30">
      <bushing site="b" stiffness="10 3 2 100 50 70" damping="1 2 3 4 5 6"/></site></body>
  <body name="b" pos=".2 .1 .3"><freejoint/><geom type="box" size=".2 .1 .1" mass="2"/>
    <site name="b" pos=".1 0 .1" euler="-20 5 10"/></body></worldbody></mujoco>)";

// Nothing but the bushing acts, so that momentum and angular momentum do not change.
TEST(PassiveElements, ABushingPushesBothBodiesEqually) {
  const World w(ModelFromText(kTwoFloats));
  Randomize(w, 3);
  mj_forward(w.m.get(), w.d.get());
  const double* f = w.d->qfrc_passive;
  double force[3], moment[3] = {0, 0, 0};
  EXPECT_GT(std::abs(f[0]), 1);
  for (int k = 0; k < 3; ++k) force[k] = f[k] + f[6 + k];
  for (int body = 0; body < 2; ++body) {
    // the force at the origin of the body, and the torque in its axes
    double torque[3], arm[3];
    mju_mulMatVec3(torque, w.d->xmat + 9 * (body + 1), f + 6 * body + 3);
    mju_cross(arm, w.d->xpos + 3 * (body + 1), f + 6 * body);
    for (int k = 0; k < 3; ++k) moment[k] += torque[k] + arm[k];
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(force[k], 0, 1e-12);
    EXPECT_NEAR(moment[k], 0, 1e-12);
  }
}

// A rotation about one axis and a shift along another one, where angles and translations are plain.
TEST(PassiveElements, ABushingIsLinearInAnglesAndTranslations) {
  const World w(ModelFromText(R"(<mujoco><option gravity="0 0 0"/><worldbody><site name="w"><bushing site="b"
      stiffness="10 3 2 100 50 70" damping="1 2 3 4 5 6"/></site>
    <body><joint axis="0 1 0"/><joint type="slide" axis="0 0 1" armature="1"/><geom size=".1"/><site name="b"/></body>
    </worldbody></mujoco>)"));
  w.d->qpos[0] = 0.3;
  w.d->qpos[1] = 0.2;
  w.d->qvel[0] = -1;
  w.d->qvel[1] = 0.5;
  mj_forward(w.m.get(), w.d.get());
  // the slide turns with the hinge in front of it, and pushes along both x and z of the world
  const double s = std::sin(0.3), c = std::cos(0.3), x = 0.2 * s, z = 0.2 * c;
  const double vx = 0.5 * s - 0.2 * c, vz = 0.5 * c + 0.2 * s;
  const double fx = -(100 * x + 4 * vx), fz = -(70 * z + 6 * vz);
  EXPECT_NEAR(w.d->qfrc_passive[1], fx * s + fz * c, 1e-12);
  EXPECT_NEAR(w.d->qfrc_passive[0], -(3 * 0.3 + 2 * -1) + fx * z - fz * x, 1e-12);
}

// What a bushing does to a body is no force inside of joints: a free joint carries none.
TEST(PassiveElements, JointsDoNotCarryWhatBushingsDo) {
  const World w([] {
    std::string xml = kTwoFloats;
    return ModelFromText(
        xml.insert(xml.find("</worldbody>") + 12, "<sensor><framelinacc objtype='body' objname='a'/></sensor>"));
  }());
  Randomize(w, 5);
  mj_forward(w.m.get(), w.d.get());
  mj_rnePostConstraint(w.m.get(), w.d.get());
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(w.d->cfrc_int[6 + k], 0, 1e-11) << k;
}

// ---- steps

// The matrix that implicit integrators take in is the derivative of the forces.
TEST(PassiveElements, ImplicitIntegratorsKnowTheDampers) {
  // one branch, where no product of dofs is left out
  const World w(ModelFromText(R"(<mujoco><option integrator="implicit" gravity="0 0 0"/><worldbody>
    <site name="w" pos="0 .2 .1" euler="5 10 0"><bushing site="b" stiffness="1 1 1 9 9 9" damping="1 2 3 4 5 6"/></site>
    <body><joint name="h" axis="0 1 .2"><limitforce range="-.1 .1" stiffness="9" damping="2" transition=".3"/></joint>
      <geom size=".1"/><body pos=".3 0 0"><joint type="ball"/><geom type="box" size=".1 .05 .02" pos=".1 0 0"/>
      <site name="b" pos=".2 0 0"/></body></body></worldbody>
    <tendon><spatial><site site="w"/><site site="b"/><ligament slacklength=".1" stiffness="9" damping="3"/></spatial>
    </tendon></mujoco>)"));
  Randomize(w, 2);
  mj_forward(w.m.get(), w.d.get());
  mj_step(w.m.get(), w.d.get());
  Randomize(w, 2);
  const int nv = static_cast<int>(w.m->nv);
  mj_forward(w.m.get(), w.d.get());
  mj_implicit(w.m.get(), w.d.get());
  Numbers derivative(static_cast<size_t>(nv * nv));
  for (int i = 0; i < nv; ++i) {
    for (int k = w.m->D_rowadr[i]; k < w.m->D_rowadr[i] + w.m->D_rownnz[i]; ++k) {
      derivative[static_cast<size_t>(nv * i + w.m->D_colind[k])] = w.d->qDeriv[k];
    }
  }
  Randomize(w, 2);
  for (int j = 0; j < nv; ++j) {
    constexpr double kStep = 1e-5;
    Numbers smooth[2];
    for (const int side : {0, 1}) {
      const double before = w.d->qvel[j];
      w.d->qvel[j] += side ? kStep : -kStep;
      mj_forward(w.m.get(), w.d.get());
      for (int i = 0; i < nv; ++i) smooth[side].push_back(w.d->qfrc_passive[i] - w.d->qfrc_bias[i]);
      w.d->qvel[j] = before;
    }
    for (int i = 0; i < nv; ++i) {
      const auto at = static_cast<size_t>(i);
      // forces are polynomials of second degree in velocities, so that differences have rounding alone
      EXPECT_NEAR(derivative[at * static_cast<size_t>(nv) + static_cast<size_t>(j)],
                  (smooth[1][at] - smooth[0][at]) / (2 * kStep), 1e-8)
          << i << ' ' << j;
    }
  }
}

// Springs so stiff that an explicit step of 5 ms would diverge: a body of 1 kg at 1e6 N/m has 1000 rad/s.
TEST(PassiveElements, DiscreteStepsBearStiffOnes) {
  const char* const bodies[] = {
      // a body on the world, a chain of two, a pendulum
      R"(<body><freejoint/><geom size=".05" mass="1"/><site name="a"><bushing site="w" stiffness="900 900 900 1e6 1e6 1e6"
           damping="1 1 1 10 10 10"/></site></body>)",
      R"(<body><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0" mass="1" contype="0"/>
         <site name="a" pos=".1 0 0"><bushing site="c" stiffness="900 900 900 1e6 1e6 1e6" damping="1 1 1 10 10 10"/>
         <bushing site="w" stiffness="9 9 9 1e3 1e3 1e3" damping="1 1 1 10 10 10"/></site>
         <body pos=".1 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="ball"/>
         <geom size=".05" mass="1" contype="0"/><site name="c"/></body></body>)",
      R"(<body><joint axis="0 1 0"><limitforce range="-.01 .01" stiffness="1e5" transition=".001" damping="1e3"/></joint>
         <geom size=".05" pos=".1 0 0" mass="1"/></body>)"};
  for (const char* body : bodies) {
    const World w(ModelFromText(std::string("<mujoco><option timestep='.005' integrator='discrete'/><worldbody>"
                                            "<site name='w'/>") +
                                body + "</worldbody></mujoco>"));
    for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.1 * (i + 1);
    double largest = 0;
    for (int step = 0; step < 2000; ++step) {
      mj_step(w.m.get(), w.d.get());
      for (int i = 0; i < w.m->nv; ++i) largest = std::max(largest, std::abs(w.d->qvel[i]));
    }
    EXPECT_LT(largest, 5) << body;
    double rest = 0;
    for (int i = 0; i < w.m->nv; ++i) rest = std::max(rest, std::abs(w.d->qvel[i]));
    EXPECT_LT(rest, 0.3) << body;
    EXPECT_EQ(w.d->warning[mjWARN_BADQACC].number, 0);
  }
}

// Two bodies that a bushing joins fall as one falls, also in implicit steps.
TEST(PassiveElements, ABushingDoesNotResistCommonMotion) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast", "discrete"}) {
    std::string xml = kTwoFloats;
    const std::string before = "gravity=\"0 0 0\"";
    xml.replace(xml.find(before), before.size(), std::string("integrator=\"") + integrator + "\"");
    const World w(ModelFromText(xml));
    for (int step = 0; step < 50; ++step) mj_step(w.m.get(), w.d.get());
    mj_forward(w.m.get(), w.d.get());
    mj_subtreeVel(w.m.get(), w.d.get());
    EXPECT_NEAR(w.d->subtree_linvel[2], -9.81 * w.d->time, 1e-3) << integrator;
  }
}

// Without damping and gravity Runge-Kutta keeps the energy: at 1 ms its error over a second is far below 1e-6.
TEST(PassiveElements, TheEnergyIsKept) {
  std::string xml = testing::PassiveTree("integrator='RK4'");
  for (const char* damping : {"damping"}) {
    for (size_t at = 0; (at = xml.find(std::string(damping) + "=\"", at)) != std::string::npos;) {
      const size_t begin = at + 9, end = xml.find('"', begin);
      const bool six = xml.substr(begin, end - begin).find(' ') != std::string::npos;
      xml.replace(begin, end - begin, six ? "0 0 0 0 0 0" : "0");
      at = begin;
    }
  }
  const World w = WithoutGravity(xml);
  w.m->opt.timestep = 1e-3;
  w.m->opt.disableflags |= mjDSBL_CONTACT;
  Randomize(w, 4);
  const auto energy = [&] {
    PotentialAt(w);
    mj_energyVel(w.m.get(), w.d.get());
    return w.d->energy[0] + w.d->energy[1];
  };
  const double before = energy();
  for (int step = 0; step < 1000; ++step) mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(energy(), before, 1e-4 * before);
}

}  // namespace
}  // namespace sinew
