// Pictures by rays on one core, and of many worlds: the humanoid with two lights that cast shadows, over a floor that
// mirrors.
#include <benchmark/benchmark.h>
#include <sinew/sinew.h>

#include <memory>
#include <vector>

#include "tests/testing/models_folder.h"

namespace {

// The floor of our humanoid mirrors already; a second light casts shadows as the first does.
sinew::Model LoadScene() {
  sinew::Spec spec = sinew::Spec::FromXml(sinew::ModelsFile("humanoid.xml"));
  mjsLight* light = mjs_addLight(spec.world(), nullptr);
  light->type = mjLIGHT_SPOT;
  light->castshadow = 1;
  const double pos[3] = {1.5, -2.5, 4}, dir[3] = {-0.35, 0.6, -0.9};
  for (int i = 0; i < 3; ++i) {
    light->pos[i] = pos[i];
    light->dir[i] = dir[i];
  }
  return spec.Compile();
}

// Arguments: width, height, samples. The time is that of the process: pictures of this size use all processors, so
// that it is the time on one.
void Picture(benchmark::State& state) {
  const sinew::Model model = LoadScene();
  sinew::Data data(model);
  data.ResetToKeyframe(model.Id(mjOBJ_KEY, "squat"));
  data.Forward();
  sinew::Renderer renderer(model, {.width = static_cast<int>(state.range(0)),
                                   .height = static_cast<int>(state.range(1)),
                                   .samples = static_cast<int>(state.range(2))});
  for (auto _ : state) benchmark::DoNotOptimize(renderer.Render(data).rgb.data());
}
BENCHMARK(Picture)
    ->Args({64, 64, 1})
    ->Args({84, 84, 1})
    ->Args({84, 84, 4})
    ->Args({640, 480, 0})
    ->Args({640, 480, 4})
    ->ArgNames({"width", "height", "samples"})
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

void Worlds(benchmark::State& state) {
  const sinew::Model model = LoadScene();
  std::vector<std::unique_ptr<sinew::Data>> worlds;
  std::vector<mjData*> pointers;
  for (int i = 0; i < state.range(0); ++i) {
    worlds.push_back(std::make_unique<sinew::Data>(model));
    worlds.back()->ResetToKeyframe(0);
    for (int step = 0; step < i % 32; ++step) worlds.back()->Step();
    worlds.back()->Forward();
    pointers.push_back(*worlds.back());
  }
  sinew::Renderer renderer(model, {.width = 64, .height = 64, .samples = 1});
  for (auto _ : state) benchmark::DoNotOptimize(renderer.RenderBatch(pointers).rgb.data());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(Worlds)->Arg(1024)->ArgName("worlds")->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
