#include "constraint/body_forces.h"

#include <gtest/gtest.h>

#include "tests/support/two_links.h"

namespace sinew::testing {
namespace {

// The accelerations are known to twelve digits, near 20.
constexpr double kKnown = 1e-10;

TEST(RnePostConstraint, WorkedModel) {
  const TwoLinks links;
  const double qacc[] = {17.98252834514, -9.148265786804, -17.916761116407, -13.440958945846};
  for (int i = 0; i < 4; ++i) links.d->qacc[i] = qacc[i];
  RnePostConstraint(links.m.get(), links.d.get());

  const double wrench[] = {-.378514445062, 1.667540993706, -.347221435306,
                           -7.54278907242, -.250620250633, 6.711593908591};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(links.d->cfrc_int[6 + k], wrench[k], kKnown);
  EXPECT_EQ(links.d->flg_rnepost, 1);
}

// A body without joints is carried by the world: it feels its weight, and a force on it comes off that.
TEST(RnePostConstraint, FixedBody) {
  TreeSpec spec;
  BodySpec body;
  body.mass = 2;
  spec.bodies = {body};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  d->xfrc_applied[6 + 2] = 5;
  RnePostConstraint(m.get(), d.get());
  EXPECT_EQ(d->cacc[6 + 5], 9.81) << "at rest a body accelerates upwards";
  EXPECT_EQ(d->cfrc_ext[6 + 5], 5);
}

}  // namespace
}  // namespace sinew::testing
