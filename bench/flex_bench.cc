// How the cost of a step grows with the vertices of a cloth.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A cloth of a metre with n x n points has fallen on a sphere; constraints hold its edges.
World Cloth(int n) {
  const std::string count = std::to_string(n), step = std::to_string(1.0 / n), radius = std::to_string(0.25 / n);
  World w(ModelFromText(
      "<mujoco><option timestep='.002' tolerance='1e-6' integrator='implicitfast'/><size memory='300M'/>"
      "<worldbody><geom type='plane' size='2 2 .1'/><geom size='.25' pos='0 0 .3'/><flexcomp name='cloth'"
      " type='grid' dim='2' count='" +
      count + " " + count + " 1' spacing='" + step + " " + step + " " + step + "' pos='0 0 .57' radius='" + radius +
      "' mass='.3'><edge equality='true' damping='.05'/>"
      "<contact selfcollide='none' solref='.005'/></flexcomp></worldbody></mujoco>"));
  while (w.d->time < .2) mj_step(w.m.get(), w.d.get());
  return w;
}

void ClothOnSphere(benchmark::State& state) {
  const World w = Cloth(static_cast<int>(state.range(0)));
  for (auto _ : state) mj_step(w.m.get(), w.d.get());
  state.SetComplexityN(state.range(0) * state.range(0));  // vertices
  state.counters["rows"] = w.d->nefc;
  state.counters["iterations"] = w.d->solver_niter[0];
}
BENCHMARK(ClothOnSphere)->DenseRange(10, 60, 10)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace
}  // namespace sinew
