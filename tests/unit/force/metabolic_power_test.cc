// Metabolic power against OpenSim 4.6 (Umberger2010MuscleMetabolicsProbe, Bhargava2004MuscleMetabolicsProbe with their
// default settings, without basal rate), and the sensors of muscles that show forces, power and energy.
#include "force/metabolic_power.h"

#include <gtest/gtest.h>

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

struct Case {
  double excitation, activation, n, velocity, length_factor, active, passive;
  double umberger, bhargava;  // W
};

// A muscle of 3549 N and fibres of 0.05 m, 70 % of them slow, in states that OpenSim was set to: shortening,
// lengthening, faster than slow fibres can, long and short fibres, excitation below and above activation.
const std::vector<Case> kCases = {
    {0.5, 0.5, 1.0, -1.3706965806002573, 1.0, 976.4954006055387, -48.64602164550314, 108.99781311641509,
     141.39098872398358},
    {0.8, 0.6, 0.9, -1.2196165490261097, 0.9567598325429589, 1178.8891394253799, -43.284191324936636, 146.5438340134225,
     178.89665141846336},
    {0.3, 0.6, 0.9, -1.2196165490261097, 0.9567598325429589, 1178.8891394253799, -43.284191324936636,
     104.41744773042721, 120.41152438333809},
    {0.6, 0.7, 1.2, -1.37131514285201, 0.823680970871459, 1125.8216047007884, 127.68904077993065, 127.06909873000741,
     153.1975433576253},
    {0.6, 0.7, 1.15, -0.08800361957661144, 0.8924421054195116, 2119.7768091016424, 104.0357715819716, 49.27308550798483,
     70.47609009735196},
    {1.0, 0.9, 0.55, 299.7663438227893, 0.2739960473022271, 1225.2390845632608, 10638.707542270793, 15528.774961423576,
     0},
    {1.0, 0.9, 0.75, 0.07475258569951394, 0.826037536351327, 2736.158392411299, 2.6529692664757505, 69.73915706524458,
     88.85351404269153},
    {0.2, 0.9, 1.4, 22.05135899025177, 0.5437307271181908, 2431.4224416834986, 1715.598547742766, 0, 0},
    {0.0, 0.05, 1.0, 19.14396672156906, 1.0, 248.43, 679.4193789484862, 0, 0},
};

TEST(MetabolicPower, IsThatOfOpenSim) {
  for (const Case& c : kCases) {
    MetabolicState muscle;
    muscle.mass = 3549 / 0.25e6 * 1059.7 * 0.05;
    muscle.slow_share = 0.7;
    muscle.largest_velocity = 10;
    muscle.optimal_length = 0.05;
    muscle.excitation = c.excitation;
    muscle.activation = c.activation;
    muscle.n = c.n;
    muscle.velocity = c.velocity;
    muscle.length_factor = c.length_factor;
    muscle.active_force = c.active;
    muscle.passive_force = c.passive;
    // rounding of the work, which may be much larger than the sum
    const double rounding = 1e-13 * (1 + std::abs(c.active * c.velocity));
    EXPECT_NEAR(UmbergerPower(muscle), c.umberger, rounding + 1e-12 * c.umberger) << c.n;
    EXPECT_NEAR(BhargavaPower(muscle), c.bhargava, rounding + 1e-12 * c.bhargava) << c.n;
  }
}

// ---- sensors

std::string Slide(const std::string& muscle, const std::string& option = "") {
  return R"(<mujoco><option gravity="0 0 0" )" + option + R"(/><worldbody><site name="a"/><body pos="0 0 .3">
      <joint type="slide" axis="0 0 1"/><geom size=".05" mass="5" contype="0"/><site name="b"/></body></worldbody>
    <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
    <actuator><musculotendon name="m" tendon="t" force="3549" fiberlength=".05" slacklength=".25" pennation="25" )" +
         muscle + R"(/></actuator>
    <sensor><fiberforce actuator="m"/><fiberactiveforce actuator="m"/><fiberpassiveforce actuator="m"/>
      <fibervelocity actuator="m"/><fiberpower actuator="m"/><tendonenergy actuator="m"/>
      <umbergerpower actuator="m"/><bhargavapower actuator="m"/></sensor></mujoco>)";
}
enum Reading { kForce, kActive, kPassive, kVelocity, kPower, kEnergy, kUmberger, kBhargava };

World Pulling(const std::string& muscle, const std::string& option = "") {
  World w(ModelFromText(Slide(muscle, option)));
  w.d->qvel[0] = -0.3;
  w.d->ctrl[0] = 0.8;
  for (int i = 0; i < 20; ++i) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  return w;
}

TEST(MuscleSensors, PartsOfTheForceAndPower) {
  for (const char* muscle : {"", "compliance='rigid'", "curves='thelen' fiberdamping='0'"}) {
    const World w = Pulling(muscle);
    const double* s = w.d->sensordata;
    EXPECT_GT(s[kActive], 10) << muscle;
    EXPECT_NEAR(s[kActive] + s[kPassive], s[kForce], 1e-10) << muscle;
    EXPECT_NEAR(s[kPower], -s[kForce] * s[kVelocity], 1e-10) << muscle;
    EXPECT_GT(s[kUmberger], 0) << muscle;
    EXPECT_GT(s[kBhargava], 0) << muscle;
  }
}

// Metabolic power is proportional to the mass, while heat decides.
TEST(MuscleSensors, MetabolicPowerGrowsWithTheMass) {
  const double mass = 3549 / 0.25e6 * 1059.7 * 0.05;
  const auto at = [](const std::string& muscle) {
    World w(ModelFromText(Slide(muscle)));
    w.d->ctrl[0] = 0.5;
    mj_forward(w.m.get(), w.d.get());
    w.d->act[1] = 0.5;
    mj_forward(w.m.get(), w.d.get());
    return std::vector<double>{w.d->sensordata[kUmberger], w.d->sensordata[kBhargava],
                               w.d->sensordata[kActive] * w.d->sensordata[kVelocity]};
  };
  const auto usual = at(""), given = at("musclemass='" + std::to_string(mass) + "'"), fast = at("slowshare='0'");
  EXPECT_NEAR(usual[0], given[0], 1e-5 * usual[0]);  // six digits of the mass
  EXPECT_NEAR(usual[1], given[1], 1e-5 * usual[1]);
  EXPECT_GT(fast[0], usual[0]);
  EXPECT_GT(fast[1], usual[1] * 0.5);
}

// The force of the tendon is the slope of its energy by its length, and that of the whole muscle with a fibre that is
// held the slope of energy[0] by the path.
TEST(MuscleSensors, TheTendonsForceIsTheSlopeOfItsEnergy) {
  for (const char* curves : {"millard", "hyfydy", "degroote", "thelen"}) {
    World w(ModelFromText(Slide(std::string("curves='") + curves + "'", "integrator='Euler'")));
    for (const double n : {0.8, 1.3}) {
      for (const double q : {-0.02, 0.001, 0.01}) {
        constexpr double kStep = 1e-5;
        double tendon[2], total[2];
        for (const int side : {0, 1}) {
          w.d->qpos[0] = q + (side ? kStep : -kStep);
          w.d->act[0] = n;
          w.d->act[1] = 0.2;
          mj_forward(w.m.get(), w.d.get());
          mj_energyPos(w.m.get(), w.d.get());
          tendon[side] = w.d->sensordata[kEnergy];
          total[side] = w.d->energy[0];
        }
        w.d->qpos[0] = q;
        w.d->act[0] = n;
        mj_forward(w.m.get(), w.d.get());
        // differences over 1e-5 m: the curvature of the force of a tendon of 0.25 m gives a millionth of it
        EXPECT_NEAR((tendon[1] - tendon[0]) / (2 * kStep), -w.d->actuator_force[0],
                    1e-6 * std::max(3549.0, -w.d->actuator_force[0]))
            << curves << n << q;
        EXPECT_NEAR(total[1] - total[0], tendon[1] - tendon[0], 1e-12) << curves;
      }
    }
  }
}

// The passive fibre stores energy, too: its slope by the fibre is its elastic force, less that of the tendon along it.
TEST(MuscleSensors, EnergyHoldsThePassiveFibre) {
  World w(ModelFromText(Slide("fiberdamping='0.1' minact='0'", "integrator='Euler'")));
  constexpr double kStep = 1e-5;
  double energy[2], tendon[2];
  for (const int side : {0, 1}) {
    w.d->act[0] = 1.4 + (side ? kStep : -kStep);
    w.d->act[1] = 0;
    mj_forward(w.m.get(), w.d.get());
    mj_energyPos(w.m.get(), w.d.get());
    energy[side] = w.d->energy[0];
    tendon[side] = w.d->sensordata[kEnergy];
  }
  w.d->act[0] = 1.4;
  mj_forward(w.m.get(), w.d.get());
  const double damping = 0.1 * 3549 * w.d->sensordata[kVelocity] / (10 * 0.05);
  const double slope = (energy[1] - energy[0] - tendon[1] + tendon[0]) / (2 * kStep * 0.05);
  EXPECT_NEAR(slope, w.d->sensordata[kPassive] - damping, 1e-5 * 3549);
}

TEST(MuscleSensors, NumbersThatMakeNoSenseAreRefused) {
  for (const char* wrong : {"musclemass='-1'", "slowshare='1.5'", "slowshare='-.1'"}) {
    try {
      ModelFromText(Slide(wrong));
      ADD_FAILURE() << wrong;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string(wrong).substr(0, 9)), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace sinew
