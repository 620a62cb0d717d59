// Time of mj_step for one world alone, and for worlds in the lanes of a pack, on models given as files:
//
//   bench_lanes [--only TABLE] MODEL.xml ...      microseconds per world and step, the least of several runs
//
// Worlds start from a state that has settled for half a second under random controls, with some noise of their own, and
// get random controls at every step.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "model/state/state.h"
#include "model/storage/data.h"

namespace {

using sinew::LanePack;

constexpr int kWorlds = 16, kSteps = 200, kRuns = 7;

// Of the processor, as other programs run beside.
double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

class Controls {
 public:
  explicit Controls(const mjModel& m) : m_(m) {}
  void Draw(double* ctrl) {
    for (int i = 0; i < m_.nu; ++i) {
      const double *range = m_.actuator_ctrlrange + 2 * i, u = std::uniform_real_distribution<double>(0, 1)(random_);
      ctrl[i] = m_.actuator_ctrllimited[i] ? range[0] + u * (range[1] - range[0]) : 2 * u - 1;
    }
  }

 private:
  const mjModel& m_;
  std::mt19937 random_{1};
};

std::vector<std::vector<double>> StartStates(const mjModel& m) {
  sinew::DataPtr d(sinew::MakeData(m));
  mj_resetDataKeyframe(&m, d.get(), m.nkey > 0 ? 0 : -1);
  Controls controls(m);
  std::vector<std::vector<double>> states;
  const int settle = std::max(1, static_cast<int>(0.5 / m.opt.timestep));
  for (int world = 0; world < kWorlds; ++world) {
    for (int step = 0; step < settle; ++step) {
      if (step % 10 == 0) controls.Draw(d->ctrl);
      mj_step(&m, d.get());
    }
    states.emplace_back(static_cast<size_t>(sinew::StateSize(m, mjSTATE_INTEGRATION)));
    sinew::GetState(m, *d, states.back().data(), mjSTATE_INTEGRATION);
  }
  return states;
}

size_t CtrlBegin(const mjModel& m) { return static_cast<size_t>(sinew::StateSize(m, mjSTATE_CTRL - 1)); }

void Measure(const char* path, const char* only) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, nullptr, error, sizeof(error));
  if (!m) return static_cast<void>(std::printf("%s: %s\n", path, error));
  const auto start = StartStates(*m);
  std::printf("%s\n", path);

  sinew::DataPtr d(sinew::MakeData(*m));
  double alone = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    Controls controls(*m);
    double time = 0;
    for (const auto& state : start) {
      sinew::SetState(*m, d.get(), state.data(), mjSTATE_INTEGRATION);
      const double begin = Now();
      for (int step = 0; step < kSteps; ++step) {
        if (step % 10 == 0) controls.Draw(d->ctrl);
        mj_step(m, d.get());
      }
      time += Now() - begin;
    }
    alone = std::min(alone, time / (kWorlds * kSteps));
  }
  std::printf("  alone            %8.3f us\n", alone * 1e6);
  const char* obstacle = sinew::ObstacleToLanes(*m);
  if (obstacle) std::printf("  not in lanes: %s\n", obstacle);
  for (const sinew::LaneOps* ops : sinew::RunnableLanes()) {
    if (obstacle) break;
    if (only && std::strcmp(only, ops->name) != 0) continue;
    LanePack pack(*m, *ops);
    double packed = 1e9, contacts = 0, iterations = 0;
    for (int run = 0; run < kRuns; ++run) {
      Controls controls(*m);
      double time = 0;
      contacts = iterations = 0;
      for (int first = 0; first + ops->width <= kWorlds; first += ops->width) {
        auto states = start;
        const double begin = Now();
        for (int step = 0; step < kSteps; ++step) {
          for (int lane = 0; lane < ops->width; ++lane) {
            double* state = states[static_cast<size_t>(first + lane)].data();
            if (step % 10 == 0) controls.Draw(state + CtrlBegin(*m));
            pack.LoadState(lane, state);
          }
          pack.Step();
          for (int lane = 0; lane < ops->width; ++lane) {
            pack.SaveState(lane, states[static_cast<size_t>(first + lane)].data());
            contacts += pack.status(lane).contacts;
            iterations += pack.status(lane).iterations;
          }
        }
        time += Now() - begin;
      }
      packed = std::min(packed, time / (kWorlds * kSteps));
    }
    std::printf("  %-10s %4d  %8.3f us  %5.2f times as fast; %.1f contacts, %.1f iterations\n", ops->name, ops->width,
                packed * 1e6, alone / packed, contacts / (kWorlds * kSteps), iterations / (kWorlds * kSteps));
  }
  mj_deleteModel(m);
}

}  // namespace

int main(int argc, char** argv) {
  const bool chosen = argc > 2 && std::strcmp(argv[1], "--only") == 0;
  const int first = chosen ? 3 : 1;
  if (argc <= first) return std::fprintf(stderr, "usage: bench_lanes [--only TABLE] MODEL.xml ...\n"), 2;
  for (int i = first; i < argc; ++i) Measure(argv[i], chosen ? argv[2] : nullptr);
}
