#include "constraint/impedance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

constexpr double kDigits = 1e-9;  // of the tables, which have ten significant digits

struct Case {
  double pos;
  double solref[2], solimp[5];
  double K, B, d, P;
};

class ImpedanceTable : public testing::TestWithParam<Case> {};

// A slide that is `pos` beyond its limit, timestep 2 ms.
TEST_P(ImpedanceTable, GivesStiffnessDampingAndImpedance) {
  const Case& c = GetParam();
  mjModel m = {};
  m.opt.timestep = 0.002;
  const double replacement[2] = {0.02, 1};
  double solref[2];
  LegalSolref(&m, c.solref, replacement, solref);
  const Impedance impedance = EvaluateImpedance(c.solimp, c.pos, 0);
  EXPECT_NEAR(ReferenceStiffness(solref, impedance.dwidth), c.K, kDigits * std::fabs(c.K));
  EXPECT_NEAR(ReferenceDamping(solref, impedance.dwidth), c.B, kDigits * std::fabs(c.B));
  EXPECT_NEAR(impedance.value, c.d, kDigits);
  // dd/dr divides the difference of nearly equal positions by the width
  EXPECT_NEAR(impedance.slope, c.P, 1e-7 * std::fabs(c.P));
}

INSTANTIATE_TEST_SUITE_P(Limit, ImpedanceTable,
                         testing::Values(
                             // the midpoint of the curve: slope p at power p
                             Case{-.0004, {.02, 1}, {.9, .95, .001, .5, 2}, 2770.0831025, 105.2631579, .916, -80},
                             Case{-.0005, {.02, 1}, {.9, .95, .001, .5, 3}, 2770.0831025, 105.2631579, .925, -150},
                             // power 1 is linear, whatever the midpoint
                             Case{-.0004, {.02, 1}, {.9, .95, .001, .3, 1}, 2770.0831025, 105.2631579, .92, -50},
                             // values are clamped to [0.0001, 0.9999], powers to at least 1
                             Case{-.0004, {.02, 1}, {0, 1, .001, .5, 2}, 2500.500075, 100.010001, .32003600, -1599.68},
                             Case{-.0004, {.02, 1}, {-3, 2, .001, -1, .2}, 2500.500075, 100.010001, .40002, -999.8},
                             // a time constant below two timesteps
                             Case{-.0004, {.001, 1}, {.9, .95, .001, .5, 2}, 69252.07756, 526.3157895, .916, -80},
                             // direct form
                             Case{-.0004, {-1000, -50}, {.9, .95, .001, .5, 2}, 1108.033241, 52.6315789, .916, -80},
                             Case{-.0004, {0, -50}, {.9, .95, .001, .5, 2}, 0, 52.6315789, .916, -80},
                             // beyond the width
                             Case{-.05, {.02, 1}, {.9, .95, .001, .5, 2}, 2770.0831025, 105.2631579, .95, 0}));

TEST(Impedance, IsSymmetricAboutTheMargin) {
  const double solimp[5] = {.2, .9, .01, .3, 4};
  for (double x : {.001, .002, .004, .008}) {
    const Impedance below = EvaluateImpedance(solimp, .1 - x, .1), above = EvaluateImpedance(solimp, .1 + x, .1);
    EXPECT_NEAR(below.value, above.value, 1e-12);
    EXPECT_NEAR(below.slope, -above.slope, 1e-9);
  }
}

TEST(Impedance, SlopeIsTheDerivative) {
  const double solimp[5] = {.2, .9, .01, .3, 4}, h = 1e-7;
  for (double pos : {-.009, -.004, -.002, .001, .0025, .0095}) {
    const double difference =
        (EvaluateImpedance(solimp, pos + h, 0).value - EvaluateImpedance(solimp, pos - h, 0).value) / (2 * h);
    // central difference: h^2 times the third derivative, below 1e9 here, and rounding 1e-16 / h
    EXPECT_NEAR(EvaluateImpedance(solimp, pos, 0).slope, difference, 1e-4);
  }
}

TEST(Impedance, IsConstantWithoutWidth) {
  const double solimp[5] = {.8, .9, 0, .5, 2};
  EXPECT_NEAR(EvaluateImpedance(solimp, -.1, 0).value, .85, 1e-15);
  EXPECT_EQ(EvaluateImpedance(solimp, -.1, 0).slope, 0);
}

TEST(Impedance, StartsAtD0) {
  const double solimp[5] = {.8, .9, .001, .5, 2};
  EXPECT_EQ(EvaluateImpedance(solimp, 0, 0).value, .8);
  EXPECT_EQ(EvaluateImpedance(solimp, 0, 0).slope, 0);
}

TEST(LegalSolref, ReplacesMixedForms) {
  mjModel m = {};
  const double replacement[2] = {.02, 1};
  double legal[2];
  for (const auto& mixed : {std::pair{-1000., 5.}, std::pair{.02, 0.}}) {
    const double solref[2] = {mixed.first, mixed.second};
    LegalSolref(&m, solref, replacement, legal);
    EXPECT_EQ(legal[0], .02);
    EXPECT_EQ(legal[1], 1);
  }
}

TEST(LegalSolref, KeepsShortTimeConstantsWhenAsked) {
  mjModel m = {};
  m.opt.timestep = .002;
  m.opt.disableflags = mjDSBL_REFSAFE;
  const double solref[2] = {.001, 1}, replacement[2] = {.02, 1};
  double legal[2];
  LegalSolref(&m, solref, replacement, legal);
  EXPECT_EQ(legal[0], .001);
  m.opt.disableflags = 0;
  LegalSolref(&m, solref, replacement, legal);
  EXPECT_EQ(legal[0], .004);
}

}  // namespace
}  // namespace sinew
