// Derivatives of steps with limit forces and ligaments; bushings, and their metric, are refused.
#include <string>

#include "core/error.h"
#include "tests/support/passive_tree.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Beyond the ranges of limits, and with ligaments stretched.
World Stretched(const std::string& option, bool bushings) {
  World w(ModelFromText(testing::PassiveTree(option, bushings)));
  w.d->qpos[0] = 0.42;
  w.d->qpos[1] = 0.035;
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.5 * std::sin(i + 1.0);
  mj_forward(w.m.get(), w.d.get());
  return w;
}

TEST(LinearizeTest, LimitForcesAndLigaments) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast", "RK4"}) {
    World w = Stretched("integrator='" + std::string(integrator) + "'", false);
    EXPECT_GT(std::abs(w.d->qfrc_spring[0]), 1);
    EXPECT_GT(std::abs(w.d->qfrc_damper[1]), 0.1);
    // differences over 1e-3, extrapolated
    ExpectSameDerivatives(w, 1e-3, 1e-6, integrator);
  }
}

TEST(LinearizeTest, WhatHasNoDerivativesIsRefused) {
  const World floating = Stretched("", true);
  EXPECT_NE(ObstacleToLinearize(floating.m.get()).find("bushings"), std::string::npos);
  const World discrete = Stretched("integrator='discrete'", false);
  EXPECT_NE(ObstacleToLinearize(discrete.m.get()).find("limit forces"), std::string::npos);
}

// mjd_transitionFD moves trees together that nothing joins; a bushing joins two of them.
TEST(LinearizeTest, DifferencesSeeBushings) {
  World w = Stretched("", true);
  const int n = 2 * static_cast<int>(w.m->nv);
  Numbers A(static_cast<size_t>(n * n));
  mjd_transitionFD(w.m.get(), w.d.get(), 1e-6, 1, A.data(), nullptr, nullptr, nullptr);
  StepMatrix twin = StepTwin(w).Differences(1e-3);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      largest = std::max(largest, std::abs(A[static_cast<size_t>(i * n + j)] - twin(i, j)));
    }
  }
  EXPECT_LT(largest, 1e-5);  // of differences over 1e-6
}

}  // namespace
}  // namespace sinew
