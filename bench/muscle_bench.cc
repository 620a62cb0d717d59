// Two legs with 18 muscles: what tendons cost, against `muscle` of 3.8.0 on the same paths.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <ctime>
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

double CpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double SecondsOf(const Legs& legs, int steps, int* k) {
  const double start = CpuSeconds();
  for (int i = 0; i < steps; ++i, ++*k) {
    if (*k % 100 == 0) {
      for (int u = 0; u < legs.m->nu; ++u) legs.d->ctrl[u] = (*k / 100 + u) % 7 < 2 ? 0.5 : 0.05;
    }
    mj_step(legs.m, legs.d);
  }
  return CpuSeconds() - start;
}

// What elastic tendons cost: the time of a step in multiples of that with `muscle`, both measured in turns.
void Ratio(benchmark::State& state, int integrator) {
  const Legs muscle(kMuscle, integrator), elastic(kElastic, integrator);
  if (!muscle.m || !elastic.m) return state.SkipWithError("no model");
  double muscle_time = 0, elastic_time = 0;
  int k = 0, l = 0;
  for (auto _ : state) {
    muscle_time += SecondsOf(muscle, 200, &k);
    elastic_time += SecondsOf(elastic, 200, &l);
  }
  state.counters["ratio"] = elastic_time / muscle_time;
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
BENCHMARK_CAPTURE(Ratio, elastic_euler, mjINT_EULER);
BENCHMARK_CAPTURE(Ratio, elastic_implicitfast, mjINT_IMPLICITFAST);
BENCHMARK_CAPTURE(Actuation, muscle, kMuscle, mjINT_EULER);
BENCHMARK_CAPTURE(Actuation, elastic, kElastic, mjINT_EULER);

}  // namespace
}  // namespace sinew
