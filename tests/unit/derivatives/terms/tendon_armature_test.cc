// Spatial tendons with armature: inertia that turns, and its bias force.
#include <sinew/gradients.h>

#include "tests/unit/derivatives/rollout_scalar.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

constexpr double kTolerance = 1e-6, kEps = 1e-4;

// A tendon over a pulley along a chain with a ball, one between two branches and one between two trees, whose products
// inertia has no place for; a free body that others hang on.
constexpr const char* kTendons = R"(
  <mujoco><option timestep=".004"/><default><joint damping=".1"/></default><worldbody><site name="o" pos=".2 .3 1.4"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .12 .05" pos=".02 0 0"/><site name="x" pos=".1 .1 .05"/>
      <body pos=".2 0 0"><joint type="ball"/><geom type="box" size=".08 .05 .03" pos=".05 .02 0"/>
        <site name="y" pos=".1 .05 .04"/>
        <body pos=".2 0 0"><joint axis="0 1 .2"/><geom size=".06" pos="0 .1 .05"/><site name="z" pos=".02 .1 .1"/></body>
      </body>
      <body pos="-.2 0 0"><joint axis="1 0 1"/><geom size=".05" pos="0 .1 .1"/><site name="w" pos="0 .2 .1"/></body>
    </body>
    <body pos="1 0 1"><joint axis="0 1 0"/><geom size=".05" pos=".1 .1 0"/><site name="other" pos=".1 .1 0"/></body>
  </worldbody>
  <tendon><spatial name="chain" armature=".6"><site site="o"/><site site="x"/><site site="y"/><pulley divisor="2"/>
      <site site="y"/><site site="z"/><site site="x"/></spatial>
    <spatial name="branches" damping=".2"><site site="z"/><site site="w"/></spatial>
    <spatial name="trees" armature=".3"><site site="y"/><site site="other"/></spatial>
  </tendon>
  <actuator><general tendon="branches" gear="2" armature=".1" biastype="affine" biasprm="1 -2 -.3"/></actuator>
  <sensor><e_kinetic/></sensor></mujoco>)";

World Moving(int integrator) {
  World w(ModelFromText(kTendons));
  w.m->opt.integrator = integrator;
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 1.2 * std::sin(2 * i + 1);
  w.d->ctrl[0] = 0.3;
  for (int k = 0; k < 10; ++k) mj_step(w.m.get(), w.d.get());
  mj_forward(w.m.get(), w.d.get());
  return w;
}

TEST(TendonArmatureTest, Steps) {
  for (int integrator : {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST}) {
    World w = Moving(integrator);
    ExpectSameDerivatives(w, kEps, kTolerance, "integrator " + std::to_string(integrator), /*sensors=*/true);
    ExpectGradientsOfDifferences(w, 9, "integrator " + std::to_string(integrator));
  }
}

TEST(TendonArmatureTest, InverseDynamics) {
  World w = Moving(mjINT_EULER);
  const mjModel* m = w.m.get();
  mjData* d = w.d.get();
  const size_t nv = static_cast<size_t>(m->nv);
  const Numbers start = StateOf(w), a(d->qacc, d->qacc + nv);
  Numbers by_q(nv * nv), by_v(nv * nv);
  LinearizeInverse(m, d, /*subtract_actuators=*/false, {by_q.data(), by_v.data(), nullptr});
  const auto force = [&](bool velocity, int dof, double by) {
    mj_setState(m, d, start.data(), mjSTATE_INTEGRATION);
    Numbers direction(nv);
    direction[static_cast<size_t>(dof)] = 1;
    if (velocity) d->qvel[dof] += by;
    if (!velocity) mj_integratePos(m, d->qpos, direction.data(), by);
    std::copy(a.begin(), a.end(), d->qacc);
    mj_inverse(m, d);
    return Numbers(d->qfrc_inverse, d->qfrc_inverse + nv);
  };
  constexpr double kStep = 1e-5, kSquares = 1e-7;
  for (int j = 0; j < m->nv; ++j) {
    for (const bool velocity : {false, true}) {
      const Numbers above = force(velocity, j, kStep), below = force(velocity, j, -kStep);
      const Numbers& found = velocity ? by_v : by_q;
      for (size_t i = 0; i < nv; ++i) {
        EXPECT_NEAR((above[i] - below[i]) / (2 * kStep), found[static_cast<size_t>(j) * nv + i], kSquares);
      }
    }
  }
}

// Where the path slides over a geom, and on a body that follows the midpoint rule.
TEST(TendonArmatureTest, IsRefusedByName) {
  const std::string body = R"(<mujoco><option integrator="implicitfast"/><worldbody><site name="o" pos="0 0 1"/>
    <body><freejoint/><geom name="g" size=".1"/><site name="s" pos=".1 .2 0"/></body></worldbody>)";
  const std::string tendons[] = {
      R"(<tendon><spatial name="t" armature="1"><site site="o"/><site site="s"/></spatial></tendon></mujoco>)",
      R"(<tendon><spatial name="t"><site site="o"/><geom geom="g"/><site site="s"/></spatial></tendon>
         <actuator><motor tendon="t" armature="1"/></actuator></mujoco>)"};
  for (const std::string& tendon : tendons) {
    const ModelPtr m = ModelFromText(body + tendon);
    char text[200] = "";
    EXPECT_GT(sinew_transitionObstacle(m.get(), text, sizeof(text)), 0);
    EXPECT_NE(std::string(text).find("'t'"), std::string::npos) << text;
    m->opt.integrator = mjINT_EULER;
    EXPECT_EQ(sinew_transitionObstacle(m.get(), text, sizeof(text)) == 0, &tendon == tendons) << text;
  }
}

}  // namespace
}  // namespace sinew
