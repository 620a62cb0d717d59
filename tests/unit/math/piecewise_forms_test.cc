// Functions in pieces that are made of others.
#include "math/piecewise_forms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/piecewise.h"

namespace sinew {
namespace {

double ValueAt(const std::vector<double>& f, double x) { return Evaluate(PiecewiseAt(f, 0), x).value; }

TEST(PiecewiseForms, TheIntegralHasTheFunctionAsItsSlope) {
  const std::vector<double> x = {-1, 0, 0.5, 2}, y = {1, -2, 0.3, 4};
  for (const std::vector<double>& f : {SplinePieces(x, y, SplineEnds::kNatural), PolylinePieces(x, y)}) {
    const std::vector<double> F = IntegralPieces(f, 0.25);
    EXPECT_NEAR(ValueAt(F, 0.25), 0, 1e-15);
    for (double at = -2; at < 3; at += 0.01) {
      const Jet<double> jet = Evaluate(PiecewiseAt(F, 0), at);
      EXPECT_NEAR(jet.slope, ValueAt(f, at), 1e-13) << at;
      EXPECT_NEAR(jet.curvature, Evaluate(PiecewiseAt(f, 0), at).slope, 1e-12) << at;
    }
    for (const double end : x) EXPECT_NEAR(ValueAt(F, end - 1e-9), ValueAt(F, end + 1e-9), 1e-7) << end;  // no jump
  }
}

TEST(PiecewiseForms, APartBeginsAtAPlace) {
  const std::vector<double> x = {0, 1, 2}, y = {0, 2, 3};
  const std::vector<double> f = PiecesFrom(0.3, 5, 0.2, PolylinePieces(x, y));
  EXPECT_EQ(ValueAt(f, 0.29), 0);
  EXPECT_NEAR(ValueAt(f, 0.31), 5 * (2 + 0.55), 1e-13);
  EXPECT_NEAR(ValueAt(f, 0.4), 15, 1e-13);
}

TEST(PiecewiseForms, StepsRiseSmoothlyOnEitherSide) {
  for (const double width : {0.5, -0.5}) {
    const std::vector<double> step = SmoothStepPieces(1, width, 3), ramp = SmoothRampPieces(1, width, 3);
    for (const double t : {-0.5, 0.0, 0.2, 0.5, 0.9, 1.0, 2.0}) {
      const double x = 1 + width * t, s = t <= 0 ? 0 : t >= 1 ? 1 : t * t * t * (10 - 15 * t + 6 * t * t);
      EXPECT_NEAR(ValueAt(step, x), 3 * s, 1e-13) << t;
      EXPECT_NEAR(ValueAt(ramp, x), 3 * s * (x - 1), 1e-13) << t;
    }
  }
}

}  // namespace
}  // namespace sinew
