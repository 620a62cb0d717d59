#include "constraint/reference.h"

#include <cmath>

#include "tests/unit/constraint/models.h"
#include "tests/unit/constraint/world.h"

namespace sinew {
namespace {

// Jdot v of row r, from  aref = -B vel - K d (pos - margin) - Jdot v
double VelocityBias(const mjData* d, int r) {
  const double* KBIP = d->efc_KBIP + 4 * r;
  return -d->efc_aref[r] - KBIP[1] * d->efc_vel[r] - KBIP[0] * KBIP[2] * (d->efc_pos[r] - d->efc_margin[r]);
}

std::string HingeAndBall(const std::string& equality) {
  return R"(<worldbody><body><joint axis="0 0 1"/><geom size=".1" mass="1"/>
      <body name="child" pos=".5 0 0"><joint type="ball"/><geom size=".1" mass="1"/></body></body></worldbody>
    <equality>)" +
         equality + "</equality>";
}

void SetState(mjData* d) {
  const double qpos[5] = {.2, std::cos(.15), std::sin(.15), 0, 0}, qvel[4] = {1, .5, -.3, .7};
  std::copy(qpos, qpos + 5, d->qpos);
  std::copy(qvel, qvel + 4, d->qvel);
}

TEST(Reference, OfAConnectHasTheVelocityTerm) {
  StagedWorld world(HingeAndBall("<connect body1='child' anchor='.1 .2 .3'/>"));
  SetState(world.d());
  world.Velocity();
  const double pos[3] = {-.032306025, .0195714279, .0457049881};
  const double bias[3] = {-.1980399163, -.801425184, -.170919244};
  for (int r = 0; r < 3; ++r) {
    EXPECT_NEAR(world.d()->efc_pos[r], pos[r], 1e-9);
    EXPECT_NEAR(VelocityBias(world.d(), r), bias[r], 1e-9);
  }
}

TEST(Reference, OfAWeldHasTheVelocityTerm) {
  StagedWorld world(HingeAndBall("<weld body1='child' torquescale='.5'/>"));
  SetState(world.d());
  world.Velocity();
  const double rotation[3] = {.0743457821, .0074594597, .0493561975};
  const double bias[6] = {.8282267239, .293765269, -.1450198701, .0534561296, .1295804553, -.0573226561};
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(world.d()->efc_pos[3 + r], rotation[r], 1e-9);
  for (int r = 0; r < 6; ++r) EXPECT_NEAR(VelocityBias(world.d(), r), bias[r], 1e-9);
}

// Jdot v is the change of J v along the motion with constant joint velocity.
TEST(Reference, VelocityTermIsTheDerivativeOfRowVelocity) {
  const double h = 1e-5;
  StagedWorld world(kLinked);
  const int nv = static_cast<int>(world.m()->nv), nq = static_cast<int>(world.m()->nq);
  for (int i = 0; i < nv; ++i) world.d()->qvel[i] = std::sin(1.0 + 3 * i);
  const std::vector<double> qpos = Values(world.d()->qpos, nq);
  const auto velocity_at = [&](double time) {
    std::copy(qpos.begin(), qpos.end(), world.d()->qpos);
    mj_integratePos(world.m(), world.d()->qpos, world.d()->qvel, time);
    world.Velocity();
    return Values(world.d()->efc_vel, world.d()->ne);
  };
  const std::vector<double> plus = velocity_at(h), minus = velocity_at(-h);
  velocity_at(0);
  ASSERT_EQ(world.d()->ne, 39);
  for (int r = 0; r < world.d()->ne; ++r) {
    // truncation h^2, rounding 1e-15 / h
    EXPECT_NEAR(VelocityBias(world.d(), r), (plus[r] - minus[r]) / (2 * h), 1e-8) << "row " << r;
  }
}

// A slide beyond its limit: aref of the impedance table's first line.
TEST(Reference, OfALimitIsASpringDamper) {
  StagedWorld world(R"(<option timestep=".002"/><worldbody><body>
      <joint type="slide" axis="1 0 0" range="-1 1" limited="true"/><geom size=".1" mass="2"/></body></worldbody>)");
  world.d()->qpos[0] = 1.0004;
  world.d()->qvel[0] = .3;
  world.Velocity();
  EXPECT_NEAR(world.d()->efc_R[0], .0458515284, 1e-10);
  EXPECT_DOUBLE_EQ(world.d()->efc_vel[0], -.3);
  EXPECT_NEAR(world.d()->efc_aref[0], 32.5939058, 1e-7);
}

}  // namespace
}  // namespace sinew
