// Two legs with 18 muscles: what tendons cost, against `muscle` of 3.8.0 on the same paths; and a walker with steps of
// bounded error.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include <algorithm>
#include <cmath>
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

// The walker falls on its feet, excited in the rhythm of a gait: simulated seconds in CPU time, and internal steps and
// evaluations of all forces for each simulated second.
void Walker(benchmark::State& state, int integrator, int evaluations) {
  constexpr double kSeconds = 0.6, kStride = 1.2, kTurn = 2 * 3.14159265358979;
  char error[1000] = "";
  mjModel* m = mj_loadXML(ModelsFile("muscle/walker18.xml").c_str(), nullptr, error, sizeof(error));
  if (!m) return state.SkipWithError(error);
  m->opt.integrator = integrator;
  mjData* d = mj_makeData(m);
  double simulated = 0, spent = 0, accepted = 0, rejected = 0;
  for (auto _ : state) {
    mj_resetData(m, d);
    const double start = CpuSeconds();
    while (d->time < kSeconds - 1e-9) {
      for (int i = 0; i < m->nu; ++i) {
        const double phase = kTurn * (d->time / kStride + 0.5 * (i / 9));  // both legs half a stride apart
        d->ctrl[i] = std::max(0.02, 0.15 + 0.25 * std::sin(phase + 0.7 * (i % 9)));
      }
      mj_step(m, d);
    }
    spent += CpuSeconds() - start;
    simulated += kSeconds;
    const auto* control = reinterpret_cast<const sinewErrorControl*>(d->history + m->nhistory - 4);
    accepted += control->accepted;
    rejected += control->rejected;
  }
  state.counters["times_real_time"] = simulated / spent;
  state.counters["steps_per_s"] = accepted / simulated;
  state.counters["rejected_per_s"] = rejected / simulated;
  // the first stage of a step that is tried again is there already
  const double all = evaluations * accepted + (evaluations - 1) * rejected;
  state.counters["us_per_evaluation"] = 1e6 * spent / all;
  mj_deleteData(d);
  mj_deleteModel(m);
}

BENCHMARK_CAPTURE(Walker, merson, sinewINT_MERSON, 5);
BENCHMARK_CAPTURE(Walker, rk3, sinewINT_RK3, 3);
BENCHMARK_CAPTURE(Walker, euler2, sinewINT_EULER2, 2);
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
