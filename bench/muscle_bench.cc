// Two legs with 18 muscles: what tendons cost, against `muscle` of 3.8.0 on the same paths.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

enum Kind { kMuscle, kElastic, kRigid };

std::string Text(Kind kind) {
  std::ifstream file(ModelsFile("muscle/legs18.xml"));
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  if (kind == kRigid)
    text = std::regex_replace(text, std::regex("<musculotendon name"), "<musculotendon compliance=\"rigid\" name");
  if (kind == kMuscle) {
    text = std::regex_replace(text, std::regex("<musculotendon vmax[^>]*>"), "");
    text = std::regex_replace(
        text, std::regex("<musculotendon( name=\"[^\"]*\" tendon=\"[^\"]*\" force=\"[^\"]*\")[^>]*>"), "<muscle$1/>");
  }
  return text;
}

struct Legs {
  mjModel* m = nullptr;
  mjData* d = nullptr;

  Legs(Kind kind, int integrator) {
    char error[1000] = "";
    mjSpec* spec = mj_parseXMLString(Text(kind).c_str(), nullptr, error, sizeof(error));
    m = spec ? mj_compile(spec, nullptr) : nullptr;
    mj_deleteSpec(spec);
    if (!m) return;
    m->opt.integrator = integrator;
    m->opt.gravity[2] = 0;
    d = mj_makeData(m);
    for (int i = 0; i < m->nu; ++i) d->ctrl[i] = 0.2 + 0.01 * i;
    for (int k = 0; k < 200; ++k) mj_step(m, d);
  }
  ~Legs() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
};

void Step(benchmark::State& state, Kind kind, int integrator) {
  const Legs legs(kind, integrator);
  if (!legs.m) return state.SkipWithError("no model");
  int k = 0;
  for (auto _ : state) {
    // excitations move, so that fibres do
    if (++k % 100 == 0) {
      for (int i = 0; i < legs.m->nu; ++i) legs.d->ctrl[i] = (k / 100 + i) % 7 < 2 ? 0.5 : 0.05;
    }
    mj_step(legs.m, legs.d);
  }
}

void Actuation(benchmark::State& state, Kind kind, int integrator) {
  const Legs legs(kind, integrator);
  if (!legs.m) return state.SkipWithError("no model");
  for (auto _ : state) mj_fwdActuation(legs.m, legs.d);
}

BENCHMARK_CAPTURE(Step, muscle_euler, kMuscle, mjINT_EULER);
BENCHMARK_CAPTURE(Step, rigid_euler, kRigid, mjINT_EULER);
BENCHMARK_CAPTURE(Step, elastic_euler, kElastic, mjINT_EULER);
BENCHMARK_CAPTURE(Step, muscle_implicitfast, kMuscle, mjINT_IMPLICITFAST);
BENCHMARK_CAPTURE(Step, elastic_implicitfast, kElastic, mjINT_IMPLICITFAST);
BENCHMARK_CAPTURE(Actuation, muscle, kMuscle, mjINT_EULER);
BENCHMARK_CAPTURE(Actuation, elastic, kElastic, mjINT_EULER);

}  // namespace
}  // namespace sinew
