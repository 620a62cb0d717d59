#include "derivatives/difference_transition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A unit mass with spring k and damper b, driven by a force and by a filter: linear, so that derivatives are known.
constexpr double kSpring = 30, kDamper = 2, kStep = 0.01, kTau = 0.05;

World Oscillator(const std::string& integrator = "Euler", const std::string& motor = "") {
  World w(ModelFromText(R"(
    <mujoco><option timestep=".01" gravity="0 0 0" integrator=")" +
                        integrator + R"("/>
      <worldbody><body><joint name="x" type="slide" stiffness="30" damping="2"/><geom size=".1" mass="1"/></body></worldbody>
      <actuator>
        <motor name="m" joint="x" ctrlrange="-1 1" )" +
                        motor + R"(/>
        <general joint="x" dyntype="filter" dynprm=".05"/>
      </actuator>
      <sensor><jointpos joint="x"/><actuatorfrc actuator="m"/></sensor>
    </mujoco>)"));
  w.d->qpos[0] = 0.2;
  w.d->qvel[0] = -0.3;
  w.d->ctrl[0] = 0.1;
  w.d->act[0] = 0.5;
  return w;
}

struct Matrices {
  double A[9], B[6], C[6], D[4];
  explicit Matrices(World& w, bool centered, double eps = 1e-6) {
    mjd_transitionFD(w.m.get(), w.d.get(), eps, centered, A, B, C, D);
  }
};
constexpr double kTolerance = 1e-9;  // rounding of differences of size 1e-6; the model is linear

TEST(TransitionTest, LinearOscillator) {
  for (bool centered : {false, true}) {
    World w = Oscillator();
    const Matrices fd(w, centered);
    const double X = 1 + kStep * kDamper, h = kStep;
    const double v_row[] = {-h * kSpring / X, 1 / X, h / X};  // of x, v, act
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(fd.A[j], (j == 0) + h * v_row[j], kTolerance);
      EXPECT_NEAR(fd.A[3 + j], v_row[j], kTolerance);
      EXPECT_NEAR(fd.A[6 + j], j == 2 ? 1 - h / kTau : 0, kTolerance);
      EXPECT_NEAR(fd.C[j], j == 0, kTolerance);  // jointpos
      EXPECT_NEAR(fd.C[3 + j], 0, kTolerance);   // force of the motor
    }
    EXPECT_NEAR(fd.B[0], h * h / X, kTolerance);
    EXPECT_NEAR(fd.B[2], h / X, kTolerance);
    EXPECT_NEAR(fd.B[5], h / kTau, kTolerance);
    EXPECT_NEAR(fd.D[2], 1, kTolerance);
  }
}

TEST(TransitionTest, IntegratorsAgreeOnALinearModel) {
  World euler = Oscillator("Euler"), implicit = Oscillator("implicit"), fast = Oscillator("implicitfast");
  const Matrices a(euler, true), b(implicit, true), c(fast, true);
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(a.A[k], b.A[k], kTolerance);
    EXPECT_NEAR(a.A[k], c.A[k], kTolerance);
  }
}

TEST(TransitionTest, ControlsStayWithinTheirRange) {
  World w = Oscillator();
  const double inside = Matrices(w, true).B[2];
  w.d->ctrl[0] = 1;  // only downwards
  EXPECT_NEAR(Matrices(w, false).B[2], inside, kTolerance);
  EXPECT_NEAR(Matrices(w, true).B[2], inside, kTolerance);
  w.d->ctrl[0] = 2;  // no effect
  EXPECT_EQ(Matrices(w, true).B[2], 0);
}

TEST(TransitionTest, StateIsRestored) {
  World w = Oscillator();
  w.d->time = 3;
  const Matrices fd(w, true);
  EXPECT_EQ(w.d->time, 3);
  EXPECT_EQ(w.d->qpos[0], 0.2);
  EXPECT_EQ(w.d->qvel[0], -0.3);
  EXPECT_EQ(w.d->act[0], 0.5);
  EXPECT_EQ(w.d->ctrl[0], 0.1);
}

TEST(TransitionTest, RefusesWhatItCannotDifferentiate) {
  static std::string message;
  mju_user_error = [](const char* text) { message = text; };
  World w = Oscillator("RK4");
  Matrices rk4(w, false);
  EXPECT_NE(message.find("RK4"), std::string::npos);
  message.clear();
  World delayed = Oscillator("Euler", R"(delay=".02" nsample="3")");
  Matrices history(delayed, false);
  EXPECT_NE(message.find("histories"), std::string::npos);
  mju_user_error = nullptr;
}

TEST(InverseDifferenceTest, LinearOscillator) {
  World w = Oscillator();
  double DfDq, DfDv, DfDa, DsDq[2], DmDq;
  mj_forward(w.m.get(), w.d.get());
  mjd_inverseFD(w.m.get(), w.d.get(), 1e-6, 0, &DfDq, &DfDv, &DfDa, DsDq, nullptr, nullptr, &DmDq);
  EXPECT_NEAR(DfDq, kSpring, 1e-8);  // forces of order 10
  EXPECT_NEAR(DfDv, kDamper, 1e-8);
  EXPECT_NEAR(DfDa, 1, 1e-8);
  EXPECT_NEAR(DsDq[0], 1, kTolerance);
  EXPECT_EQ(DmDq, 0);
}

}  // namespace
}  // namespace sinew
