#include "force/passive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A box of half sizes .1 .2 .3 and mass 2 that floats in a medium.
ModelPtr FloatingBox(const std::string& geom_attributes) {
  return ModelFromText(R"(
    <mujoco>
      <option density="1.2" viscosity=".5" wind="1 0 .5"/>
      <worldbody><body pos="0 0 1"><freejoint/>
        <geom type="box" size=".1 .2 .3" mass="2" )" +
                       geom_attributes + R"(/>
      </body></worldbody>
    </mujoco>)");
}

void ExpectFluidForce(const std::string& geom_attributes, const double (&expected)[6]) {
  World w(FloatingBox(geom_attributes));
  const double qvel[] = {0.3, -0.2, 0.5, 1, 2, -1.5};
  for (int i = 0; i < 6; ++i) w.d->qvel[i] = qvel[i];
  mj_forward(w.m.get(), w.d.get());
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(w.d->qfrc_fluid[i], expected[i], 2e-9);  // rounded quadrature weights
}

TEST(PassiveTest, FluidOnTheInertiaBox) {
  ExpectFluidForce("", {1.390028914508, 0.379871118431, 0, -0.101112964915, -0.20499792983, 0.151484947372});
}

TEST(PassiveTest, FluidOnAnEllipsoid) {
  ExpectFluidForce(R"(fluidshape="ellipsoid")",
                   {1.377712000907, 0.358937921027, -0.019097771136, -0.112086246917, -0.222405780676, 0.170176250164});
}

constexpr char kSprings[] = R"(
  <mujoco>
    <worldbody>
      <body><joint type="ball" stiffness="2 3 4"/><geom size=".1"/></body>
      <body pos="1 0 0" gravcomp="1"><joint name="arm" axis="0 1 0" damping="1 5 6"/>
        <geom size=".1" pos=".3 0 0" mass="2"/><site name="hand" pos=".3 0 0"/></body>
      <site name="wall" pos="1 0 .5"/>
    </worldbody>
    <tendon><spatial stiffness="10" springlength=".2 .5"><site site="wall"/><site site="hand"/></spatial></tendon>
  </mujoco>)";

TEST(PassiveTest, BallSpringPullsBackAlongTheRotationVector) {
  World w(ModelFromText(kSprings));
  const double half = 0.25;  // .5 rad about (0, .6, .8)
  const double q[] = {std::cos(half), 0, 0.6 * std::sin(half), 0.8 * std::sin(half)};
  for (int i = 0; i < 4; ++i) w.d->qpos[i] = -2 * q[i];  // neither sign nor norm matters
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qfrc_spring[0], 0, 1e-14);
  EXPECT_NEAR(w.d->qfrc_spring[1], -1.35, 1e-14);
  EXPECT_NEAR(w.d->qfrc_spring[2], -1.8, 1e-14);
}

TEST(PassiveTest, TendonIsSlackWithinItsRange) {
  World w(ModelFromText(kSprings));
  mj_forward(w.m.get(), w.d.get());  // length sqrt(.09 + .25) = .583
  const double length = std::sqrt(0.34);
  EXPECT_NEAR(w.d->qfrc_spring[3], -10 * (length - 0.5) * w.d->ten_J[0], 1e-13);
  w.d->qpos[4] = -0.7;  // hand towards the wall
  mj_forward(w.m.get(), w.d.get());
  ASSERT_GT(w.d->ten_length[0], 0.2);
  ASSERT_LT(w.d->ten_length[0], 0.5);
  EXPECT_EQ(w.d->qfrc_spring[3], 0);
}

TEST(PassiveTest, GravityCompensationCarriesTheWeight) {
  World w(ModelFromText(kSprings));
  mj_forward(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qfrc_gravcomp[3], w.d->qfrc_bias[3], 1e-13);
  w.m->opt.disableflags |= mjDSBL_GRAVITY;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->qfrc_gravcomp[3], 0);
}

TEST(PassiveTest, FlagsSwitchSpringsAndDampersOff) {
  World w(ModelFromText(kSprings));
  w.d->qvel[3] = -0.7;
  w.m->opt.disableflags = mjDSBL_SPRING;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->qfrc_spring[3], 0);
  EXPECT_NEAR(w.d->qfrc_damper[3], 5.208, 1e-14);
  EXPECT_NE(w.d->qfrc_gravcomp[3], 0);

  // without both there are no passive forces of any kind
  w.m->opt.disableflags |= mjDSBL_DAMPER;
  mj_forward(w.m.get(), w.d.get());
  for (int i = 0; i < w.m->nv; ++i) {
    EXPECT_EQ(w.d->qfrc_damper[i], 0);
    EXPECT_EQ(w.d->qfrc_gravcomp[i], 0);
    EXPECT_EQ(w.d->qfrc_passive[i], 0);
  }
}

TEST(PassiveTest, CallbackComesAfterTheSum) {
  World w(ModelFromText(kSprings));
  mjcb_passive = [](const mjModel*, mjData* d) { d->qfrc_passive[3] += 100; };
  mj_forward(w.m.get(), w.d.get());
  mjcb_passive = nullptr;
  EXPECT_DOUBLE_EQ(w.d->qfrc_passive[3], w.d->qfrc_spring[3] + w.d->qfrc_damper[3] + w.d->qfrc_gravcomp[3] + 100);
}

}  // namespace
}  // namespace sinew
