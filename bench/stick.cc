// What contacts that hold their point cost in a step (docs/how/stick.md):
//
//   bench_stick [BOXES]      microseconds of a step without and with stick, medians of rounds in turn, and their ratio
//
// Boxes lie on a floor, each on four contacts, where the solver has nothing to do.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr int kSettle = 1000, kRounds = 60, kSteps = 200;

// Of the processor, as other programs run beside.
double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct World {
  mjModel* m;
  mjData* d;

  World(int boxes, const std::string& option) {
    std::string text = "<mujoco><option " + option + "/><worldbody><geom type='plane' size='9 9 1'/>";
    for (int i = 0; i < boxes; ++i) {
      text += "<body pos='" + std::to_string(0.5 * (i % 5)) + " " + std::to_string(0.5 * (i / 5)) +
              " .05'><freejoint/><geom type='box' size='.1 .1 .05'/></body>";
    }
    mjSpec* spec = mj_parseXMLString((text + "</worldbody></mujoco>").c_str(), nullptr, nullptr, 0);
    m = mj_compile(spec, nullptr);
    mj_deleteSpec(spec);
    d = mj_makeData(m);
    Step(kSettle);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  // Returns the microseconds that a step takes.
  double Step(int steps) {
    const double begin = Now();
    for (int i = 0; i < steps; ++i) mj_step(m, d);
    return 1e6 * (Now() - begin) / steps;
  }
};

double Median(std::vector<double>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int boxes = argc > 1 ? std::atoi(argv[1]) : 20;
  for (const std::string cone : {"pyramidal", "elliptic"}) {
    World without(boxes, "cone='" + cone + "'"), with(boxes, "cone='" + cone + "' stick='enable'");
    std::vector<double> times[2], ratios;
    for (int round = 0; round < kRounds; ++round) {
      const double a = without.Step(kSteps), b = with.Step(kSteps);
      times[0].push_back(a);
      times[1].push_back(b);
      ratios.push_back(b / a);
    }
    std::printf("%d boxes, %d contacts, %s: %.1f us, with stick %.1f us, ratio %.3f\n", boxes, with.d->ncon,
                cone.c_str(), Median(times[0]), Median(times[1]), Median(ratios));
  }
}
