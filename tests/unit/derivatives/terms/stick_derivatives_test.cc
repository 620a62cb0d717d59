// Derivatives of steps with contacts that hold their point, at given anchors, against differences.
#include <sinew/stick.h>

#include "core/error.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated, are exact to rounding / eps, if no contact changes its mode within eps. Bodies of
// the large scene are 13 m away.
constexpr double kTolerance = 1e-6, kEps = 3e-6;

// A capsule on a plane, and a ball that rolls on the capsule, so that the normal of their contact turns from step to
// step. `large`: more dofs than slots have, for which the general engine works.
std::string Scene(const std::string& option, const std::string& condim, bool large = false) {
  std::string crowd;
  for (int i = 0; large && i < 12; ++i) {
    crowd += "<body pos='" + std::to_string(2 + i) + " 0 5'><freejoint/><geom size='.1'/></body>";
  }
  return "<mujoco><option timestep='.002' stick='enable' " + option + "/><default><geom friction='.6 .1 .05' condim='" +
         condim +
         "'/></default><worldbody><geom type='plane' size='5 5 .1' euler='3 2 0'/><body pos='0 0 "
         ".098'><freejoint/><geom "
         "type='capsule' size='.1 .2' euler='90 0 20'/></body><body pos='.03 .05 .27'><freejoint/><geom "
         "size='.08'/></body>" +
         crowd + "</worldbody></mujoco>";
}

// Steps on the way: anchors have been displaced, and friction holds them.
World Held(const std::string& text) {
  World w(ModelFromText(text));
  for (int i = 0; i < 12; ++i) w.d->qvel[i] = 0.1 * std::sin(i + 1);
  for (int k = 0; k < 25; ++k) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  return w;
}

// Returns the largest displacement of an anchor.
double Displaced(const World& w) {
  double most = 0;
  const auto* anchor = reinterpret_cast<const sinewAnchor*>(w.d->history);
  for (size_t i = 0; i < static_cast<size_t>(w.m->nhistory) / (sizeof(sinewAnchor) / sizeof(double)); ++i) {
    for (const double x : anchor[i].slide) most = std::max(most, std::abs(x));
  }
  return most;
}

TEST(StickDerivativesTest, StepsHaveThose) {
  for (const char* option : {"cone='elliptic'", "cone='pyramidal'", "cone='elliptic' impratio='5'"}) {
    for (const char* condim : {"3", "4", "6"}) {
      for (const bool large : {false, true}) {
        World w = Held(Scene(option, condim, large));
        ASSERT_GT(w.d->ncon, 1);
        ASSERT_GT(Displaced(w), 1e-6);
        ExpectSameDerivatives(w, kEps, kTolerance, std::string(option) + " condim " + condim + (large ? " large" : ""));
      }
    }
  }
}

TEST(StickDerivativesTest, OtherIntegratorsHaveThose) {
  for (const char* option :
       {"integrator='implicitfast'", "integrator='implicit'", "integrator='RK4'", "integrator='discrete'"}) {
    World w = Held(Scene(option, "4"));
    ExpectSameDerivatives(w, kEps, kTolerance, option);
  }
}

// The derivative sees the anchor: without it, a held block has another one.
TEST(StickDerivativesTest, AnchorsMatter) {
  World w = Held(Scene("cone='elliptic'", "3"));
  const size_t n = 2 * static_cast<size_t>(w.m->nv);
  Numbers with(n * n), without(n * n);
  LinearizeTransition(w.m.get(), w.d.get(), {with.data(), nullptr, nullptr, nullptr});
  std::fill(w.d->history, w.d->history + w.m->nhistory, 0.0);
  LinearizeTransition(w.m.get(), w.d.get(), {without.data(), nullptr, nullptr, nullptr});
  double most = 0;
  for (size_t i = 0; i < n * n; ++i) most = std::max(most, std::abs(with[i] - without[i]));
  EXPECT_GT(most, 1e-3);
}

// mjd_transitionFD repeats steps from the same anchors, and leaves them as they were.
TEST(StickDerivativesTest, FiniteDifferencesAgree) {
  for (const char* option : {"", "cone='elliptic' integrator='implicitfast'"}) {
    World w = Held(Scene(option, "4"));
    const Numbers before = StateOf(w);
    const size_t n = 2 * static_cast<size_t>(w.m->nv);
    Numbers A(n * n), analytic(n * n);
    mjd_transitionFD(w.m.get(), w.d.get(), 1e-6, 1, A.data(), nullptr, nullptr, nullptr);
    EXPECT_EQ(StateOf(w), before);
    LinearizeTransition(w.m.get(), w.d.get(), {analytic.data(), nullptr, nullptr, nullptr});
    EXPECT_EQ(StateOf(w), before);
    double scale = 0;
    for (const double x : analytic) scale = std::max(scale, std::abs(x));
    for (size_t i = 0; i < A.size(); ++i) EXPECT_NEAR(A[i], analytic[i], 1e-5 * scale) << i;  // rounding over 1e-6
  }
}

// Forces of contacts are seen by sensors.
TEST(StickDerivativesTest, SensorsHaveThose) {
  std::string text = Scene("", "3");
  text.insert(text.find("<geom size='.08'/>"), "<site name='s' size='.09'/>");
  text.insert(text.find("</mujoco>"), "<sensor><touch site='s'/><accelerometer site='s'/></sensor>");
  World w = Held(text);
  ExpectSameDerivatives(w, kEps, kTolerance, "sensors", /*sensors=*/true);
}

}  // namespace
}  // namespace sinew
