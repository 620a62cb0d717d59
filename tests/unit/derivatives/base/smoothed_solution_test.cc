// Derivatives with smoothed constraints: of the mean law, and of the step that it makes.
#include <sinew/gradients.h>

#include "derivatives/base/smoothed_rows.h"
#include "derivatives/make_residual_derivative.h"
#include "derivatives/rollout.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// ---- rows

// A row of each kind, and an elliptic contact.
struct Rows {
  static constexpr int kCount = 6;
  mjContact contact = {};
  int type[kCount] = {mjCNSTR_EQUALITY,         mjCNSTR_FRICTION_DOF,     mjCNSTR_LIMIT_JOINT,
                      mjCNSTR_CONTACT_ELLIPTIC, mjCNSTR_CONTACT_ELLIPTIC, mjCNSTR_CONTACT_ELLIPTIC};
  int id[kCount] = {};
  double D[kCount] = {2, 3, 4, 5, 0, 0}, R[kCount], loss[kCount] = {0, 1.2, 0, 0, 0, 0};

  Rows() {
    contact.dim = 3;
    contact.mu = 0.8;
    contact.friction[0] = 0.6;
    contact.friction[1] = 0.9;
    // of a cone that is a circle in its coordinates
    const double K = D[3] / (contact.mu * contact.mu);
    for (int j = 1; j < 3; ++j) D[3 + j] = K * contact.friction[j - 1] * contact.friction[j - 1];
    for (int i = 0; i < kCount; ++i) R[i] = 1 / D[i];
  }
  RowSet set() { return {kCount, 1, 1, type, id, D, R, loss, &contact}; }
};

using Six = std::vector<double>;

Six SmoothedForce(Rows& rows, const Six& x, double scale, Six* weight = nullptr) {
  Six force(Rows::kCount), own(Rows::kCount);
  int state[Rows::kCount];
  EvaluateSmoothedRows(rows.set(), scale, x.data(), force.data(), (weight ? *weight : own).data(), state);
  return force;
}

Six SharpForce(Rows& rows, const Six& x) {
  Six force(Rows::kCount);
  int state[Rows::kCount];
  EvaluateRows(rows.set(), x.data(), force.data(), state, /*cone_hessian=*/false);
  return force;
}

// Residuals in all modes, and at kinks.
std::vector<Six> Residuals() {
  std::vector<Six> all;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  for (int k = 0; k < 40; ++k) {
    Six x(Rows::kCount);
    for (double& v : x) v = uniform(random);
    all.push_back(x);
  }
  all.push_back(Six(Rows::kCount, 0.0));
  all.push_back({0, 0.4, 0, -0.3, 0, 0});
  return all;
}

TEST(SmoothedRows, AreTheMeanUnderNoiseOfResiduals) {
  Rows rows;
  constexpr double kScale = 0.2;
  for (const Six& x : Residuals()) {
    const Six smoothed = SmoothedForce(rows, x, kScale);
    // the logistic distribution at the middles of equal parts of its probability
    constexpr int kParts = 200000;
    Six mean(Rows::kCount);
    for (int k = 0; k < kParts; ++k) {
      const double p = (k + 0.5) / kParts, noise = kScale * std::log(p / (1 - p));
      Six moved = x;
      for (int i = 0; i < 4; ++i) moved[static_cast<size_t>(i)] += noise;  // of the contact, the normal row
      const Six force = SharpForce(rows, moved);
      for (size_t i = 0; i < mean.size(); ++i) mean[i] += force[i] / kParts;
    }
    // the parts at the ends are wider than the law is smooth
    for (size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(smoothed[i], mean[i], 1e-4) << i;
  }
}

TEST(SmoothedRows, WeightsAndHessiansAreSlopesOfForces) {
  Rows rows;
  constexpr double kScale = 0.1, kEps = 1e-6;
  for (const Six& x : Residuals()) {
    Six weight(Rows::kCount);
    SmoothedForce(rows, x, kScale, &weight);
    const mjContact at = rows.contact;
    for (size_t j = 0; j < x.size(); ++j) {
      Six above = x, below = x;
      above[j] += kEps;
      below[j] -= kEps;
      const Six up = SmoothedForce(rows, above, kScale), down = SmoothedForce(rows, below, kScale);
      for (size_t i = 0; i < x.size(); ++i) {
        const bool cone = i >= 3 && j >= 3;
        const double expected = cone ? at.H[3 * (i - 3) + (j - 3)] : i == j ? weight[i] : 0;
        // at the tip of a cone, the curvature has a kink
        EXPECT_NEAR(expected, -(up[i] - down[i]) / (2 * kEps), 1e-5) << i << " by " << j;
      }
    }
  }
}

TEST(SmoothedRows, NarrowNoiseLeavesTheLawAsItIs) {
  Rows rows;
  for (const Six& x : Residuals()) {
    const Six sharp = SharpForce(rows, x), smoothed = SmoothedForce(rows, x, 1e-12);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(sharp[i], smoothed[i], 1e-9) << i;
  }
}

TEST(SmoothedRows, SlopeByFrictionLoss) {
  constexpr double kScale = 0.1, kEps = 1e-6;
  for (const double x : {-0.9, -0.4, 0.0, 0.3, 0.5}) {
    const auto force = [&](double loss) {
      Rows rows;
      rows.loss[1] = loss;
      return SmoothedForce(rows, {0, x, 0, 0, 0, 0}, kScale)[1];
    };
    EXPECT_NEAR((force(1.2 + kEps) - force(1.2 - kEps)) / (2 * kEps), SmoothedForceByLoss(3, 1.2, kScale, x), 1e-8);
  }
}

// ---- steps

struct Scenario {
  std::string xml;
  double width;
};

// The links of the last have no equality under integrators that hold equalities, where there are no derivatives.
std::vector<Scenario> Scenarios(int integrator = mjINT_EULER) {
  const bool holds = integrator == mjINT_IMPLICIT || integrator == mjINT_IMPLICITFAST;
  const std::string equality = holds ? "" : "<equality><joint joint1='a' joint2='b' polycoef='0 .5 0 0 0'/></equality>";
  const std::string floor = "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='5 5 .1'/>";
  return {
      {floor + "<body pos='0 0 .2'><freejoint/><geom type='capsule' size='.1 .2' euler='80 0 20' friction='1 .01 .001' "
               "condim='6'/><body pos='.3 0 0'><joint type='ball' limited='true' range='0 .05'/>"
               "<geom size='.12' pos='.1 0 0' condim='4'/></body></body></worldbody></mujoco>",
       .05},
      // above the floor, within the margin
      {floor + "<body pos='0 0 .1'><freejoint/><geom size='.1' margin='.02'/></body></worldbody></mujoco>", .1},
      {"<mujoco><option timestep='.005'/><worldbody><body><joint name='a' axis='0 1 0' limited='true' range='-.01 .01' "
       "frictionloss='.1'/><geom type='capsule' size='.05 .05' pos='.2 .1 0'/><body pos='.3 0 0'>"
       "<joint name='b' axis='0 1 0' frictionloss='.05'/><geom size='.05' pos='.1 0 0'/></body></body></worldbody>" +
           equality + "<actuator><motor joint='a'/></actuator></mujoco>",
       .02},
  };
}

World After(const std::string& xml, int steps) {
  World w(ModelFromText(xml));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.1 * uniform(random);
  for (int k = 0; k < steps; ++k) mj_step(w.m.get(), w.d.get());
  w.m->opt.tolerance = 0;
  w.m->opt.iterations = 100;
  return w;
}

// The velocity after a step with smoothed constraints.
Numbers NextVelocity(World& w, double width) {
  const std::unique_ptr<ResidualDerivative> derivative = MakeResidualDerivative(w.m.get(), w.d.get(), Smoothing{width});
  const ResidualDerivative& at = *derivative;
  Numbers next(w.d->qvel, w.d->qvel + w.m->nv);
  for (size_t i = 0; i < next.size(); ++i) next[i] += w.m->opt.timestep * at.point().b[i];
  return next;
}

TEST(Smoothing, MatricesAreThoseOfTheSmoothedStep) {
  for (int cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
    for (int integrator : {mjINT_EULER, mjINT_IMPLICIT}) {
      for (const Scenario& scenario : Scenarios(integrator)) {
        const double width = scenario.width;
        World w = After(scenario.xml, 40);
        w.m->opt.cone = cone;
        w.m->opt.integrator = integrator;
        w.m->opt.enableflags |= mjENBL_INVDISCRETE;  // velocities follow from b
        const int nv = static_cast<int>(w.m->nv), n = 2 * nv, nu = static_cast<int>(w.m->nu);
        Numbers A(static_cast<size_t>(n * n)), B(static_cast<size_t>(n * nu));
        LinearizeTransition(w.m.get(), w.d.get(), {A.data(), B.data(), nullptr, nullptr}, Smoothing{width});
        const Numbers start = StateOf(w);
        double scale = 0, error = 0;
        for (int c = 0; c < n + nu; ++c) {
          const auto after = [&](double by) {
            mj_setState(w.m.get(), w.d.get(), start.data(), mjSTATE_INTEGRATION);
            Numbers direction(static_cast<size_t>(nv));
            direction[static_cast<size_t>(c % nv)] = 1;
            if (c < nv) mj_integratePos(w.m.get(), w.d->qpos, direction.data(), by);
            if (c >= nv && c < n) w.d->qvel[c - nv] += by;
            if (c >= n) w.d->ctrl[c - n] += by;
            return NextVelocity(w, width);
          };
          constexpr double kEps = 1e-5;
          const Numbers a = after(kEps), b = after(-kEps), c2 = after(kEps / 2), d2 = after(-kEps / 2);
          for (int i = 0; i < nv; ++i) {
            const size_t k = static_cast<size_t>(i);
            const double one = (a[k] - b[k]) / (2 * kEps), two = (c2[k] - d2[k]) / kEps, slope = (4 * two - one) / 3;
            const double found =
                c < n ? A[static_cast<size_t>((nv + i) * n + c)] : B[static_cast<size_t>((nv + i) * nu + c - n)];
            scale = std::max(scale, std::abs(slope));
            error = std::max(error, std::abs(slope - found));
          }
        }
        mj_setState(w.m.get(), w.d.get(), start.data(), mjSTATE_INTEGRATION);
        EXPECT_LE(error / scale, 2e-7) << cone << " integrator " << integrator << " " << scenario.xml;
      }
    }
  }
}

TEST(Smoothing, NarrowWidthsGiveTheDerivativesOfWhatActs) {
  for (int cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
    for (const Scenario& scenario : Scenarios()) {
      World w = After(scenario.xml, 40);
      w.m->opt.cone = cone;
      const size_t n = static_cast<size_t>(2 * w.m->nv);
      Numbers sharp(n * n), narrow(n * n);
      LinearizeTransition(w.m.get(), w.d.get(), {sharp.data(), nullptr, nullptr, nullptr});
      LinearizeTransition(w.m.get(), w.d.get(), {narrow.data(), nullptr, nullptr, nullptr}, Smoothing{1e-10});
      double scale = 0, error = 0;
      for (size_t i = 0; i < sharp.size(); ++i) {
        scale = std::max(scale, std::abs(sharp[i]));
        error = std::max(error, std::abs(sharp[i] - narrow[i]));
      }
      EXPECT_LE(error / scale, 1e-7) << scenario.xml;
    }
  }
}

// What does not act has a part: a ball that leaves the floor would be slowed if it came back.
TEST(Smoothing, WhatIsAboutToActHasAPart) {
  World w(
      ModelFromText("<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .1199'><joint "
                    "type='slide' axis='0 0 1'/><geom size='.1' margin='.02'/></body></worldbody></mujoco>"));
  w.d->qvel[0] = 0.1;  // leaves
  double A[4];
  char error[200] = "";
  ASSERT_EQ(sinew_transition(w.m.get(), w.d.get(), A, nullptr, nullptr, nullptr, error, sizeof(error)), 0) << error;
  EXPECT_EQ(A[3], 1);
  double last = 1;
  for (const double width : {0.003, 0.006, 0.012}) {
    ASSERT_EQ(sinew_smoothTransition(w.m.get(), w.d.get(), width, A, nullptr, error, sizeof(error)), 0) << error;
    EXPECT_LT(A[3], last - 1e-3) << width;
    last = A[3];
  }
}

// A rollout of one step has the slopes of its matrices, by all integrators.
TEST(Smoothing, RolloutsPullThroughTheSmoothedStep) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    const auto [xml, width] = Scenarios(integrator).back();
    World w = After(xml, 40);
    w.m->opt.integrator = integrator;
    const size_t n = static_cast<size_t>(2 * w.m->nv), nu = static_cast<size_t>(w.m->nu);
    Numbers A(n * n), B(n * nu), slopes(n), start(n), by_control(nu), control(nu, 0.2);
    w.d->ctrl[0] = 0.2;
    for (size_t i = 0; i < n; ++i) slopes[i] = std::sin(1.0 + static_cast<double>(i));
    LinearizeTransition(w.m.get(), w.d.get(), {A.data(), B.data(), nullptr, nullptr}, Smoothing{width});
    DifferentiateRollout(w.m.get(), w.d.get(), {1, control.data(), slopes.data()}, start.data(), by_control.data(), {},
                         Smoothing{width});
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (size_t i = 0; i < n; ++i) sum += slopes[i] * A[i * n + j];
      EXPECT_NEAR(start[j], sum, 1e-9 * std::max(1.0, std::abs(sum))) << integrator << " " << j;
    }
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += slopes[i] * B[i * nu];
    EXPECT_NEAR(by_control[0], sum, 1e-9) << integrator;
  }
}

// Implicit integrators hold equalities by forces whose slopes are not known.
TEST(Smoothing, HeldEqualitiesAreRefused) {
  const auto [xml, width] = Scenarios().back();
  World w = After(xml, 2);
  const size_t n = static_cast<size_t>(2 * w.m->nv);
  char error[200] = "";
  for (const int integrator : {mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    w.m->opt.integrator = integrator;
    Numbers A(n * n, 7.0);
    const Numbers before = A;
    for (const double smoothed : {0.0, width}) {
      EXPECT_EQ(sinew_smoothTransition(w.m.get(), w.d.get(), smoothed, A.data(), nullptr, error, sizeof(error)), -1);
      EXPECT_NE(std::string(error).find("holds equalities"), std::string::npos) << error;
    }
    EXPECT_EQ(A, before);
    mjd_transitionFD(w.m.get(), w.d.get(), 1e-6, 1, A.data(), nullptr, nullptr, nullptr);
    EXPECT_NE(A, before);
  }
}

TEST(Smoothing, WidthsAreVelocities) {
  World w = After(Scenarios().back().xml, 2);
  char error[200] = "";
  for (const double width : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(sinew_smoothTransition(w.m.get(), w.d.get(), width, nullptr, nullptr, error, sizeof(error)), -1);
    EXPECT_NE(std::string(error).find("width"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace sinew
