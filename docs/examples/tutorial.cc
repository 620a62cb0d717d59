// C++ in ten minutes: a cart balances a pole, and a batch of worlds finds out which feedback does it best.
#include <sinew/sinew.h>
#include <sinew/worlds.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr char kCart[] = R"(
<mujoco>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body name="cart">
      <joint name="slider" type="slide" axis="1 0 0" range="-2 2" damping="0.5"/>
      <geom type="box" size="0.15 0.1 0.05" mass="1"/>
      <body name="pole" pos="0 0 0.05">
        <joint name="hinge" axis="0 1 0" damping="0.002"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="force" joint="slider" ctrlrange="-20 20"/>
  </actuator>
</mujoco>)";

using Gains = std::array<double, 4>;  // of the positions and velocities of cart and pole

double Feedback(const Gains& gains, std::span<const double> qpos, std::span<const double> qvel) {
  return gains[0] * qpos[0] + gains[1] * qpos[1] + gains[2] * qvel[0] + gains[3] * qvel[1];
}

// How far the pole is from upright and the cart from the middle, summed over four seconds, for each set of gains.
std::vector<double> Costs(sinew::Batch& batch, const std::vector<Gains>& gains) {
  batch.Reset();
  const auto qpos = batch.State("qpos"), qvel = batch.State("qvel"), ctrl = batch.State("ctrl");
  for (int i = 0; i < batch.count(); ++i) qpos[i][1] = 0.3;  // the pole begins at 17 degrees
  std::vector<double> costs(gains.size(), 0.0);
  for (int step = 0; step < 200; ++step) {
    for (int i = 0; i < batch.count(); ++i) ctrl[i][0] = Feedback(gains[i], qpos[i], qvel[i]);
    batch.Step(4);
    for (int i = 0; i < batch.count(); ++i) {
      const double pole = 1 - std::cos(qpos[i][1]), cart = qpos[i][0];
      costs[i] += 0.02 * (pole + 0.1 * cart * cart + 1e-4 * ctrl[i][0] * ctrl[i][0]);
    }
  }
  return costs;
}

}  // namespace

int main() try {
  // 1. A model and a world: without control the pole falls.
  const sinew::Model model = sinew::Model::FromXmlText(kCart);
  sinew::Data data(model);
  data.joint("hinge").qpos()[0] = 0.3;
  while (data.time() < 1) data.Step();
  std::printf("without control the pole is at %.2f rad after a second\n", data.joint("hinge").qpos()[0]);

  // 2. Many worlds: each tries other gains; the best of them say where to look next.
  sinew::Batch batch(model, 256);
  std::mt19937 random(0);
  std::normal_distribution<double> normal;
  Gains mean{}, deviation{20, 60, 20, 20};
  std::vector<Gains> tried(256);
  double best = 0;
  for (int round = 0; round < 12; ++round) {
    for (Gains& gains : tried) {
      for (int k = 0; k < 4; ++k) gains[k] = mean[k] + deviation[k] * normal(random);
    }
    const std::vector<double> costs = Costs(batch, tried);
    std::vector<int> order(tried.size());
    for (int i = 0; i < 256; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](int a, int b) { return costs[a] < costs[b]; });
    best = costs[order[0]];
    for (int k = 0; k < 4; ++k) {
      double sum = 0, square = 0;
      for (int i = 0; i < 32; ++i) sum += tried[order[i]][k], square += tried[order[i]][k] * tried[order[i]][k];
      mean[k] = sum / 32;
      deviation[k] = std::sqrt(std::max(square / 32 - mean[k] * mean[k], 1e-6));
    }
  }
  std::printf("gains %.1f %.1f %.1f %.1f, cost %.4f\n", mean[0], mean[1], mean[2], mean[3], best);

  // 3. One world with these gains, and a push after two seconds.
  data.Reset();
  data.joint("hinge").qpos()[0] = 0.3;
  while (data.time() < 5) {
    data.actuator("force").ctrl() = Feedback(mean, data.qpos(), data.qvel());
    data.body("pole").xfrc_applied()[0] = data.time() > 2 && data.time() < 2.1 ? 2.0 : 0.0;  // N, along x
    data.Step();
  }
  const double angle = data.joint("hinge").qpos()[0], place = data.joint("slider").qpos()[0];
  std::printf("after a push: pole at %.3f rad, cart at %.3f m\n", angle, place);
  return std::abs(angle) < 0.05 ? 0 : 1;
} catch (const std::exception& error) {  // ModelError, NameError, EngineError
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
