#include "solve/dual_problem.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

// The state of an elliptic contact with friction of its own in each direction.
class StateOfForce {
 public:
  // `impratio` scales the friction of the regularized cone, which is not the one that bounds the force.
  StateOfForce(const std::vector<double>& friction, double impratio) {
    contact_.dim = static_cast<int>(friction.size()) + 1;
    for (size_t j = 0; j < friction.size(); ++j) contact_.friction[j] = friction[j];
    contact_.mu = friction[0] / std::sqrt(impratio);
    type_.fill(mjCNSTR_CONTACT_ELLIPTIC);
  }

  int operator()(std::vector<double> force) {
    Problem p{};
    p.rows.nefc = contact_.dim;
    p.rows.type = type_.data();
    p.rows.id = id_.data();
    p.rows.contact = &contact_;
    p.force = force.data();
    p.state = state_.data();
    UpdateDualStates(p);
    return state_[0];
  }

 private:
  mjContact contact_{};
  std::array<int, 6> type_{}, id_{}, state_{};
};

TEST(DualState, AForceInsideOfItsConeIsSatisfied) {
  for (const double friction : {0.3, 1.5}) {
    for (const double impratio : {1.0, 10.0}) {
      StateOfForce state({friction, friction}, impratio);
      EXPECT_EQ(state({1, 0.9 * friction, 0}), mjCNSTRSTATE_SATISFIED);
      EXPECT_EQ(state({1, 1.1 * friction, 0}), mjCNSTRSTATE_CONE);
      EXPECT_EQ(state({0, 0, 0}), mjCNSTRSTATE_SATISFIED);
    }
  }
}

// Rounding puts about every seventh of these outside.
TEST(DualState, AForceOnTheSideOfItsConeIsSatisfied) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 100; ++i) {
    const double friction = 1 + 0.9 * uniform(random), torsion = 0.02 + 0.01 * uniform(random);
    std::vector<double> force = {50 + 40 * uniform(random), uniform(random), uniform(random), 0.01 * uniform(random)};
    double square = 0;
    for (size_t j = 1; j < 4; ++j) {
      const double mu = j < 3 ? friction : torsion;
      square += force[j] * force[j] / (mu * mu);
    }
    for (size_t j = 1; j < 4; ++j) force[j] *= force[0] / std::sqrt(square);
    EXPECT_EQ(StateOfForce({friction, friction, torsion}, 2)(force), mjCNSTRSTATE_SATISFIED);
  }
}

}  // namespace
}  // namespace sinew
