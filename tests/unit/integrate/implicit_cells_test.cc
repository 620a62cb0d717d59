// Cells of flexes that are implicit in position (integrate/implicit_cells.h).
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A jelly of 27 points, moved by 8 or 27 nodes below a body with `joint`; `pin` holds nodes to that body.
std::string Jelly(const std::string& option, const std::string& dof, const std::string& joint, const std::string& pin) {
  return "<mujoco><option " + option + "</option><worldbody><body name='b' pos='0 0 1' euler='10 20 30'>" + joint +
         "<geom size='.05' mass='.2' contype='0' conaffinity='0'/>"
         "<flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01' mass='1' dof='" +
         dof + "'>" + pin + "<elasticity young='5e4' poisson='.2' damping='.001'/><contact selfcollide='none'/>" +
         "</flexcomp></body></worldbody></mujoco>";
}

// Deforms the jelly and lets it swing.
void Disturb(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; ++i) {
    const double x = std::sin(12.9898 * (i + 1));
    if (m->nq == m->nv) d->qpos[i] += .01 * x;
    d->qvel[i] += .2 * std::sin(78.233 * (i + 1));
  }
}

struct Case {
  const char *integrator, *dof, *joint, *pin;
};

class ImplicitCellsTest : public testing::TestWithParam<Case> {
 protected:
  World Make(const std::string& more) const {
    const Case& c = GetParam();
    return World(ModelFromText(Jelly(std::string("integrator='") + c.integrator + "' " + more, c.dof, c.joint, c.pin)));
  }
};

// A wave crosses an element of this jelly in 0.6 ms: explicit steps of 5 ms blow up.
TEST_P(ImplicitCellsTest, EnergyDoesNotGrowInLargeSteps) {
  const World w = Make("timestep='0.005' gravity='0 0 0'><flag energy='enable'/>");
  Disturb(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  const double before = w.d->energy[1];
  for (int step = 0; step < 400; ++step) mj_step(w.m.get(), w.d.get());
  for (int i = 0; i < w.m->nq; ++i) ASSERT_TRUE(std::isfinite(w.d->qpos[i])) << i;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->warning[mjWARN_BADQACC].number, 0);
  // kinetic energy: what the elastic deformation held at first is at most as much again as the motion
  EXPECT_LT(w.d->energy[1], 2 * before);
}

TEST_P(ImplicitCellsTest, SmallStepsApproachTheForwardAcceleration) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const World w = Make(std::string("timestep='") + (k == 0 ? "1e-7" : "1e-8") + "'>");
    Disturb(w.m.get(), w.d.get());
    mj_forward(w.m.get(), w.d.get());
    const std::vector<double> velocity(w.d->qvel, w.d->qvel + w.m->nv);
    const std::vector<double> forward(w.d->qacc, w.d->qacc + w.m->nv);
    mj_step(w.m.get(), w.d.get());
    error[k] = 0;
    for (int i = 0; i < w.m->nv; ++i) {
      const double taken = (w.d->qvel[i] - velocity[i]) / w.m->opt.timestep;
      error[k] = std::max(error[k], std::abs(taken - forward[i]) / (1 + std::abs(forward[i])));
    }
  }
  EXPECT_LT(error[1], 0.2 * error[0]) << "of first order in the time step";
}

// The forces that inverse dynamics finds for the velocities of a step are those that were applied.
TEST_P(ImplicitCellsTest, InverseDynamicsKnowsTheStep) {
  const World w = Make("timestep='0.002'><flag invdiscrete='enable'/>");
  Disturb(w.m.get(), w.d.get());
  for (int i = 0; i < w.m->nv; ++i) w.d->qfrc_applied[i] = std::sin(3.0 * i);
  mj_forward(w.m.get(), w.d.get());
  const World after(ModelPtr(mj_copyModel(nullptr, w.m.get())));
  mj_copyData(after.d.get(), w.m.get(), w.d.get());
  mj_step(after.m.get(), after.d.get());
  for (int i = 0; i < w.m->nv; ++i) w.d->qacc[i] = (after.d->qvel[i] - w.d->qvel[i]) / w.m->opt.timestep;
  mj_inverse(w.m.get(), w.d.get());
  // velocities of 0.2 are rounded to 3e-17, and accelerations of steps of 2 ms to 1e-14; X has entries up to 1e3
  for (int i = 0; i < w.m->nv; ++i) EXPECT_NEAR(w.d->qfrc_inverse[i], w.d->qfrc_applied[i], 1e-9) << i;
}

constexpr char kHinge[] = "<joint type='hinge' axis='0 1 0'/>", kPin[] = "<pin id='0 1'/>";
INSTANTIATE_TEST_SUITE_P(
    Cells, ImplicitCellsTest,
    testing::Values(Case{"implicit", "trilinear", "", ""}, Case{"implicitfast", "trilinear", "", ""},
                    Case{"implicitfast", "quadratic", "", ""}, Case{"implicit", "trilinear", kHinge, ""},
                    Case{"implicitfast", "trilinear", kHinge, ""}, Case{"implicit", "quadratic", kHinge, kPin},
                    Case{"implicitfast", "trilinear", kHinge, kPin}));

}  // namespace
}  // namespace sinew
