// Contact sensors that tell how fast the objects slip, roll and part: data="linvel angvel".
#include <gtest/gtest.h>
#include <sinew/contact_data.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Two balls on a slope and against each other.
World Balls(const std::string& sensor) {
  World w(
      ModelFromText("<mujoco><worldbody><geom name='f' type='plane' size='3 3 1' euler='20 10 30'/><body pos='0 0 .1'>"
                    "<freejoint/><geom name='s' size='.13'/></body><body pos='.2 0 .12'><freejoint/><geom name='s2' "
                    "size='.13'/></body>"
                    "</worldbody><sensor><contact " +
                    sensor + "/></sensor></mujoco>"));
  const double velocity[] = {.1, .2, .3, 1, 2, 3, -.3, .2, .5, -1, .4, .7};
  std::copy_n(velocity, 12, w.d->qvel);
  mj_forward(w.m.get(), w.d.get());
  return w;
}

// The numbers are those of MuJoCo 4.0.0.
TEST(ContactVelocity, IsThatOfTheReference) {
  const auto expect = [](const char* pair, const double(&expected)[6]) {
    const World w = Balls(std::string(pair) + " data='linvel angvel'");
    ASSERT_EQ(w.m->nsensordata, 6);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(w.d->sensordata[i], expected[i], 1e-8) << pair << i;
  };
  expect("geom1='f' geom2='s'", {0.22762497, 0.34163826, 0.28400014, 2.27624974, 2.93839312, -0.42957303});
  expect("geom1='s' geom2='f'", {0.22762497, 0.34163826, -0.28400014, 2.27624974, 2.93839312, 0.42957303});
  expect("geom1='s' geom2='s2'", {-0.37811413, -0.37, 0.48000594, -2.21893293, -1.6, -2.0895781});
}

// A ball that rolls does not slip; one that slides does.
TEST(ContactVelocity, TellsRollingFromSliding) {
  const auto slip = [](double spin) {
    World w(
        ModelFromText("<mujoco><worldbody><geom name='f' type='plane' size='3 3 1'/><body pos='0 0 .0999'>"
                      "<freejoint/><geom name='s' size='.1'/></body></worldbody><sensor><contact geom1='f' "
                      "geom2='s' data='found linvel angvel'/></sensor></mujoco>"));
    w.d->qvel[0] = 0.5;
    w.d->qvel[4] = spin;
    mj_forward(w.m.get(), w.d.get());
    EXPECT_EQ(w.d->sensordata[0], 1);
    EXPECT_NEAR(std::hypot(w.d->sensordata[5], w.d->sensordata[6]), std::abs(spin), 1e-12);
    return std::hypot(w.d->sensordata[2], w.d->sensordata[3]);
  };
  EXPECT_NEAR(slip(0.5 / 0.1), 0, 5e-4);  // the point is at half of the depth of 0.1 mm
  EXPECT_NEAR(slip(0), 0.5, 1e-12);
}

TEST(ContactVelocity, FilesKeepIt) {
  char error[500] = "";
  const SpecPtr spec(
      mj_parseXMLString("<mujoco><worldbody><geom name='f' type='plane' size='3 3 1'/></worldbody>"
                        "<sensor><contact geom1='f' data='force linvel angvel'/></sensor></mujoco>",
                        nullptr, error, sizeof error));
  ASSERT_TRUE(spec) << error;
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->sensor_intprm[0], 1 << mjCONDATA_FORCE | 1 << sinewCONDATA_LINVEL | 1 << sinewCONDATA_ANGVEL);
  EXPECT_EQ(m->sensor_dim[0], 9);
  std::string text(20000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec.get(), text.data(), static_cast<int>(text.size()), error, sizeof error), 0) << error;
  EXPECT_NE(text.find("data=\"force linvel angvel\""), std::string::npos);
}

TEST(ContactVelocity, WrongAsksAreErrors) {
  EXPECT_THROW(Balls("geom1='s' data='linvel' reduce='netforce'"), std::runtime_error);
  EXPECT_THROW(Balls("geom1='s' data='linvel force'"), std::runtime_error);  // not in order
  EXPECT_THROW(Balls("geom1='s' data='speed'"), std::runtime_error);
}

}  // namespace
}  // namespace sinew
