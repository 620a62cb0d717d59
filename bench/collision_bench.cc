// How the cost of collision detection grows with the number of bodies.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Spheres in a cube, at a density at which each touches about one other.
World Cloud(int count) {
  const double half = 0.1 * std::cbrt(static_cast<double>(count));
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> coordinate(-half, half);
  std::string xml = "<mujoco><size memory='200M'/><worldbody>";
  for (int i = 0; i < count; ++i) {
    xml += "<body pos='" + std::to_string(coordinate(generator)) + " " + std::to_string(coordinate(generator)) + " " +
           std::to_string(coordinate(generator)) + "'><joint type='slide'/><geom size='.05'/></body>";
  }
  World w(ModelFromText(xml + "</worldbody></mujoco>"));
  mj_fwdPosition(w.m.get(), w.d.get());
  return w;
}

void Collision(benchmark::State& state) {
  const World w = Cloud(static_cast<int>(state.range(0)));
  for (auto _ : state) mj_collision(w.m.get(), w.d.get());
  state.SetComplexityN(state.range(0));
  state.counters["contacts"] = w.d->ncon;
}
BENCHMARK(Collision)->RangeMultiplier(10)->Range(100, 10000)->Arg(300)->Arg(3000)->Complexity(benchmark::oNLogN);

}  // namespace
}  // namespace sinew
