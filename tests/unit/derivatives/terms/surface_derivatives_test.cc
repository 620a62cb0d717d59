// Derivatives of steps with surfaces that move and that stick, against differences.
#include <sinew/extensions.h>

#include "core/error.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// Differences over eps, extrapolated, are exact to rounding / eps; the stiffest entries, of contacts, lose most.
constexpr double kTolerance = 1e-6, kEps = 1e-4;

// A capsule on a plane, and a ball on the capsule; `bodies` of more dofs than slots have make the general engine work.
std::string Scene(const std::string& option, const std::string& condim, bool large = false) {
  std::string crowd;
  for (int i = 0; large && i < 12; ++i) {
    crowd += "<body pos='" + std::to_string(2 + i) + " 0 5'><freejoint/><geom size='.1'/></body>";
  }
  return "<mujoco><option timestep='.002' " + option + "/><default><geom friction='.6 .1 .05' condim='" + condim +
         "'/></default><worldbody><geom type='plane' size='5 5 .1' euler='3 2 0' surfacevel='.3 .2 0 .1 .2 1.5' "
         "adhesion='4'/><body pos='0 0 .098'><freejoint/><geom type='capsule' size='.1 .2' euler='90 0 20' "
         "surfacevel='.1 -.2 .3 .5 .2 -.7'/></body><body pos='.03 .05 .27'><freejoint/><geom size='.08' adhesion='2' "
         "surfacevel='0 0 0 1 2 3'/></body>" +
         crowd + "</worldbody></mujoco>";
}

World Moving(const std::string& text) {
  World w(ModelFromText(text));
  for (int i = 0; i < 12; ++i) w.d->qvel[i] = 0.1 * std::sin(i + 1);
  for (int k = 0; k < 20; ++k) mj_step(w.m.get(), w.d.get());
  return w;
}

TEST(SurfaceDerivativesTest, StepsHaveThose) {
  for (const char* option : {"cone='elliptic'", "cone='pyramidal'", "cone='elliptic' impratio='5'"}) {
    for (const char* condim : {"1", "3", "4", "6"}) {
      for (const bool large : {false, true}) {
        World w = Moving(Scene(option, condim, large));
        mj_forward(w.m.get(), w.d.get());
        ASSERT_GT(w.d->ncon, 1);
        ExpectSameDerivatives(w, kEps, kTolerance, std::string(option) + " condim " + condim + (large ? " large" : ""));
      }
    }
  }
}

TEST(SurfaceDerivativesTest, ImplicitStepsHaveThose) {
  for (const char* option : {"integrator='implicitfast'", "integrator='implicit'", "integrator='RK4'"}) {
    World w = Moving(Scene(option, "4"));
    ExpectSameDerivatives(w, kEps, kTolerance, option);
  }
}

// A contact that is torn apart still draws its bodies together, though no row pushes.
TEST(SurfaceDerivativesTest, ContactsThatAreTornHaveThose) {
  World w(
      ModelFromText("<mujoco><option timestep='.002'/><worldbody><geom type='sphere' size='1' pos='0 0 1.1' "
                    "adhesion='3'/><body pos='.02 .01 .001'><freejoint/><geom size='.1' mass='1'/></body>"
                    "</worldbody></mujoco>"));
  w.d->qfrc_applied[2] = -30;
  mj_forward(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 1);
  double force[6];
  mj_contactForce(w.m.get(), w.d.get(), 0, force);
  ASSERT_EQ(force[0], -3);
  ExpectSameDerivatives(w, kEps, kTolerance);
}

// mjd_transitionFD takes the residual's way, or repeats steps.
TEST(SurfaceDerivativesTest, FiniteDifferencesAgree) {
  for (const char* condim : {"3", "6"}) {
    World w = Moving(Scene("", condim));
    const int n = 2 * static_cast<int>(w.m->nv);
    Numbers A(static_cast<size_t>(n * n)), analytic(A.size());
    mjd_transitionFD(w.m.get(), w.d.get(), 1e-6, 1, A.data(), nullptr, nullptr, nullptr);
    LinearizeTransition(w.m.get(), w.d.get(), {analytic.data(), nullptr, nullptr, nullptr});
    double scale = 0;
    for (const double x : analytic) scale = std::max(scale, std::abs(x));
    for (size_t i = 0; i < A.size(); ++i) EXPECT_NEAR(A[i], analytic[i], 1e-5 * scale) << i;  // rounding over 1e-6
  }
}

TEST(SurfaceDerivativesTest, ForceSensorsOfContactsThatStickAreRefused) {
  World w(
      ModelFromText("<mujoco><worldbody><geom type='plane' size='1 1 1' adhesion='1'/><body><freejoint/><geom "
                    "size='.1'/><site name='s'/></body></worldbody><sensor><touch site='s'/></sensor></mujoco>"));
  Numbers C(static_cast<size_t>(2 * w.m->nv));
  EXPECT_THROW(LinearizeTransition(w.m.get(), w.d.get(), {nullptr, nullptr, C.data(), nullptr}), Error);
}

}  // namespace
}  // namespace sinew
