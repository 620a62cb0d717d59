// Derivatives of a step through the C++ face: one world, a batch, and where there are none.
#include <gtest/gtest.h>
#include <sinew/sinew.h>
#include <sinew/worlds.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace {

constexpr const char* kArm = R"(
  <mujoco>
    <worldbody>
      <geom type="plane" size="5 5 .1"/>
      <body pos="0 0 .1"><freejoint/><geom size=".1"/></body>
      <body pos="1 0 1"><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <site name="tip" pos=".3 0 0"/></body>
    </worldbody>
    <actuator><general joint="hinge" dyntype="filter" dynprm=".1" gainprm="3"/></actuator>
    <sensor><framelinvel objtype="site" objname="tip"/></sensor>
  </mujoco>)";
constexpr int kWorlds = 3;

double SpeedOf(int world, size_t dof) { return 0.1 * static_cast<double>(world + 1) * static_cast<double>(dof + 1); }

std::vector<double> Part(const std::vector<double>& all, int part, int parts) {
  const auto size = static_cast<std::ptrdiff_t>(all.size()) / parts;
  return {all.begin() + part * size, all.begin() + (part + 1) * size};
}

sinew::Linearization Alone(const sinew::Model& model, int world) {
  sinew::Data data(model);
  for (size_t i = 0; i < data.qvel().size(); ++i) data.qvel()[i] = SpeedOf(world, i);
  return data.Linearize(/*sensors=*/true);
}

TEST(LinearizeTest, MatricesOfABatchAreThoseOfItsWorlds) {
  const sinew::Model model = sinew::Model::FromXmlText(kArm);
  sinew::Batch batch(model, kWorlds);
  for (int world = 0; world < kWorlds; ++world) {
    const auto qvel = batch.State("qvel")[world];
    for (size_t i = 0; i < qvel.size(); ++i) qvel[i] = SpeedOf(world, i);
  }
  const sinew::Linearization all = batch.Linearize(/*sensors=*/true);
  for (int world = 0; world < kWorlds; ++world) {
    const sinew::Linearization alone = Alone(model, world);
    EXPECT_EQ(Part(all.A, world, kWorlds), alone.A);
    EXPECT_EQ(Part(all.B, world, kWorlds), alone.B);
    EXPECT_EQ(Part(all.C, world, kWorlds), alone.C);
    EXPECT_EQ(Part(all.D, world, kWorlds), alone.D);
  }
  // Chosen worlds come one behind the other.
  const unsigned char mask[kWorlds] = {1, 0, 1};
  const sinew::Linearization chosen = batch.Linearize(false, mask);
  EXPECT_EQ(Part(chosen.A, 1, 2), Alone(model, 2).A);
  EXPECT_TRUE(chosen.C.empty());
}

// What the smoothed floor does to a ball that leaves it; without a width, nothing is smoothed.
TEST(LinearizeTest, SmoothedConstraints) {
  std::string near = kArm;
  const std::string ball = "<geom size=\".1\"";
  near.insert(near.find(ball) + ball.size(), " margin=\".01\"");
  const sinew::Model model = sinew::Model::FromXmlText(near);
  sinew::Batch batch(model, kWorlds);
  for (int world = 0; world < kWorlds; ++world) batch.State("qvel")[world][2] = 0.1;
  sinew::Data data(model);
  data.qvel()[2] = 0.1;
  const std::vector<double> sharp = data.Linearize().A, smooth = data.SmoothedLinearize(0.05).A;
  EXPECT_NE(sharp, smooth);
  EXPECT_EQ(sharp, data.SmoothedLinearize(0).A);
  EXPECT_EQ(Part(batch.SmoothedLinearize(0.05).A, 1, kWorlds), smooth);
  const std::vector<double> control(1), slopes(8 + 7 + 1, 1.0);
  std::vector<double> controls, all_slopes;
  for (int world = 0; world < kWorlds; ++world) {
    controls.insert(controls.end(), control.begin(), control.end());
    all_slopes.insert(all_slopes.end(), slopes.begin(), slopes.end());
  }
  const std::vector<double> start = data.SmoothedRolloutGradient(0.05, control, slopes).start;
  EXPECT_NE(start, data.RolloutGradient(control, slopes).start);
  EXPECT_EQ(Part(batch.SmoothedRolloutGradient(0.05, controls, all_slopes).start, 2, kWorlds), start);
}

// The site is 0.3 in front of the hinge, so that it falls by that much for each unit of the hinge's speed. Controls act
// through an activation, which the step that reads them only changes at its end.
TEST(LinearizeTest, SensorsReadTheStateBeforeTheStep) {
  const sinew::Model model = sinew::Model::FromXmlText(kArm);
  const sinew::Linearization at = sinew::Data(model).Linearize(/*sensors=*/true);
  const size_t columns = 2 * 7 + 1, hinge = 7 + 6;
  ASSERT_EQ(at.C.size(), 3 * columns);
  EXPECT_NEAR(at.C[2 * columns + hinge], -0.3, 1e-15);  // rounding
  EXPECT_EQ(at.D, std::vector<double>(3));
}

// How high a ball lies after some steps, by where it began and by its radius: of a batch as of a world alone.
TEST(LinearizeTest, GradientsOfRollouts) {
  sinew::Model model = sinew::Model::FromXmlText(kArm);
  constexpr size_t kSteps = 10, kSize = 8 + 7 + 1;
  std::vector<double> slopes(kSteps * kSize), controls(kSteps, 0.2), sizes(9);
  slopes[(kSteps - 1) * kSize + 2] = 1;
  sinewParameterGradients wanted = {};
  wanted.geom_size = sizes.data();
  constexpr double kStart = 0.0995;  // in contact, away from its beginning
  sinew::Data data(model);
  data.qpos()[2] = kStart;
  const sinew::RolloutGradients alone = data.RolloutGradient(controls, slopes, wanted);
  ASSERT_EQ(alone.start.size(), kSize);
  ASSERT_EQ(alone.controls.size(), kSteps);
  const auto height = [&] {
    sinew::Data world(model);
    world.qpos()[2] = kStart;
    world.ctrl()[0] = controls[0];
    for (size_t i = 0; i < kSteps; ++i) world.Step();
    return world.qpos()[2];
  };
  double& radius = const_cast<mjModel*>(static_cast<const mjModel*>(model))->geom_size[3];
  radius += 1e-6;
  const double above = height();
  radius -= 2e-6;
  const double below = height();
  radius += 1e-6;
  // the tolerance of the solver, 1e-8, and of its line search over the width of the difference
  EXPECT_NEAR(sizes[3], (above - below) / 2e-6, 1e-4);
  EXPECT_GT(sizes[3], 0);

  std::vector<double> all_slopes, all_controls, all_sizes(9 * kWorlds);
  for (int world = 0; world < kWorlds; ++world) {
    all_slopes.insert(all_slopes.end(), slopes.begin(), slopes.end());
    all_controls.insert(all_controls.end(), controls.begin(), controls.end());
  }
  wanted.geom_size = all_sizes.data();
  sinew::Batch batch(model, kWorlds);
  for (int world = 0; world < kWorlds; ++world) batch.State("qpos")[world][2] = kStart;
  const sinew::RolloutGradients all = batch.RolloutGradient(all_controls, all_slopes, wanted);
  for (int world = 0; world < kWorlds; ++world) {
    EXPECT_EQ(Part(all.start, world, kWorlds), alone.start);
    EXPECT_EQ(Part(all.controls, world, kWorlds), alone.controls);
    EXPECT_EQ(Part(all_sizes, world, kWorlds), sizes);
  }
  controls.pop_back();
  EXPECT_THROW(data.RolloutGradient(controls, slopes), sinew::EngineError);
}

TEST(LinearizeTest, ErrorsSayWhichWorldAndNumber) {
  const sinew::Model model = sinew::Model::FromXmlText(kArm);
  sinew::Batch batch(model, kWorlds);
  batch.State("qvel")[1][2] = std::numeric_limits<double>::quiet_NaN();
  const auto text = [](auto function) -> std::string {
    try {
      function();
    } catch (const sinew::EngineError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_NE(text([&] { batch.Linearize(); }).find("qvel[2]"), std::string::npos);
  sinew::Data data(model);
  data.qvel()[6] = std::numeric_limits<double>::infinity();
  EXPECT_NE(text([&] { data.Linearize(); }).find("qvel[6]"), std::string::npos);
}

}  // namespace
