// What single precision costs in truth: how far worlds in it part from the same in double precision, and whether they
// fall alike.
#include <mujoco/mujoco.h>
#include <sinew/batch.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr char kUsage[] =
    "usage: bench_single_precision [--worlds N] [--fall HEIGHT] MODEL...\n\n"
    "Steps worlds (64) of each model in both precisions with the same random controls, a new one every 5 steps, and\n"
    "prints the median over the worlds of the largest difference of a position after 1, 10, 100 and 1000 steps.\n"
    "--fall: prints mean and spread of the time at which the third position falls below HEIGHT, instead.\n";

constexpr int kHeld = 5;  // steps with the same controls

struct Batch {
  sinewBatch* b;
  double *qpos, *qvel, *ctrl;

  Batch(const mjModel* m, int worlds, int precision) {
    char error[1000];
    const sinewBatchConfig config = {0, 0, precision, 0, sinewALWAYS};
    b = sinew_batch_make(m, worlds, &config, error, sizeof(error));
    if (!b) {
      std::fprintf(stderr, "%s\n", error);
      std::exit(1);
    }
    qpos = State("qpos");
    qvel = State("qvel");
    ctrl = State("ctrl");
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() { sinew_batch_delete(b); }

  double* State(const char* name) {
    char error[1000];
    sinewBatchArray array;
    if (sinew_batch_state(b, name, &array, error, sizeof(error))) std::exit(1);
    return static_cast<double*>(array.data);
  }
  void Step(int steps) {
    char error[1000];
    if (sinew_batch_step(b, nullptr, steps, mjSTAGE_NONE, error, sizeof(error)) < 0) std::exit(1);
  }
};

// Uniform in their ranges; those of motors without range within -1 and 1.
void DrawControls(const mjModel& m, int worlds, std::mt19937& random, double* ctrl) {
  for (int w = 0; w < worlds; ++w) {
    for (int u = 0; u < m.nu; ++u) {
      const double low = m.actuator_ctrllimited[u] ? m.actuator_ctrlrange[2 * u] : -1;
      const double high = m.actuator_ctrllimited[u] ? m.actuator_ctrlrange[2 * u + 1] : 1;
      ctrl[w * m.nu + u] = std::uniform_real_distribution<double>(low, high)(random);
    }
  }
}

void DrawStates(const mjModel& m, int worlds, std::mt19937& random, double* qvel) {
  for (int i = 0; i < worlds * m.nv; ++i) qvel[i] = std::uniform_real_distribution<double>(-0.01, 0.01)(random);
}

double Median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

void PrintDifferences(const mjModel& m, const char* name, int worlds) {
  std::mt19937 random(1);
  Batch exact(&m, worlds, sinewDOUBLE), single(&m, worlds, sinewFLOAT);
  DrawStates(m, worlds, random, exact.qvel);
  std::copy_n(exact.qvel, worlds * m.nv, single.qvel);
  std::printf("%-40s", name);
  int done = 0;
  for (const int steps : {1, 10, 100, 1000}) {
    for (; done < steps; ++done) {
      if (done % kHeld == 0) DrawControls(m, worlds, random, exact.ctrl);
      std::copy_n(exact.ctrl, worlds * m.nu, single.ctrl);
      exact.Step(1);
      single.Step(1);
    }
    std::vector<double> difference(static_cast<size_t>(worlds), 0.0);
    for (int i = 0; i < worlds * static_cast<int>(m.nq); ++i) {
      double& largest = difference[static_cast<size_t>(i / static_cast<int>(m.nq))];
      largest = std::max(largest, std::fabs(exact.qpos[i] - single.qpos[i]));
    }
    std::printf("  %8.1e", Median(difference));
  }
  std::printf("\n");
}

void PrintFalls(const mjModel& m, const char* name, int worlds, double height) {
  constexpr int kMost = 2000;  // calls of kHeld steps
  for (const int precision : {sinewDOUBLE, sinewFLOAT}) {
    std::mt19937 random(1);
    Batch batch(&m, worlds, precision);
    DrawStates(m, worlds, random, batch.qvel);
    std::vector<double> fall(static_cast<size_t>(worlds), -1.0);
    for (int call = 0, standing = worlds; call < kMost && standing > 0; ++call) {
      DrawControls(m, worlds, random, batch.ctrl);
      batch.Step(kHeld);
      for (int w = 0; w < worlds; ++w) {
        if (fall[static_cast<size_t>(w)] >= 0 || batch.qpos[w * m.nq + 2] >= height) continue;
        fall[static_cast<size_t>(w)] = (call + 1) * kHeld * m.opt.timestep;
        --standing;
      }
    }
    double mean = 0, square = 0;
    for (const double t : fall) mean += t / worlds;
    for (const double t : fall) square += (t - mean) * (t - mean) / worlds;
    std::printf("%-40s  %-6s  mean %.5f s  spread %.5f s\n", name, precision == sinewFLOAT ? "single" : "double", mean,
                std::sqrt(square));
  }
}

}  // namespace

int main(int argc, char** argv) {
  int worlds = 64;
  double height = -1;
  std::vector<const char*> models;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--worlds") && i + 1 < argc) {
      worlds = std::atoi(argv[++i]);
    } else if (!std::strcmp(argv[i], "--fall") && i + 1 < argc) {
      height = std::atof(argv[++i]);
    } else if (argv[i][0] == '-') {
      std::fputs(kUsage, !std::strcmp(argv[i], "--help") ? stdout : stderr);
      return !std::strcmp(argv[i], "--help") ? 0 : 2;
    } else {
      models.push_back(argv[i]);
    }
  }
  if (models.empty() || worlds < 1) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  if (height < 0) std::printf("%-40s  %8s  %8s  %8s  %8s\n", "model", "1", "10", "100", "1000 steps");
  for (const char* file : models) {
    char error[1000] = "";
    mjModel* m = mj_loadXML(file, nullptr, error, sizeof(error));
    if (!m) {
      std::fprintf(stderr, "%s\n", error);
      return 1;
    }
    const std::string name = std::string(file).substr(std::string(file).rfind('/') + 1);
    height < 0 ? PrintDifferences(*m, name.c_str(), worlds) : PrintFalls(*m, name.c_str(), worlds, height);
    mj_deleteModel(m);
  }
  return 0;
}
