// What speculative contacts cost in a step (docs/how/speculative.md):
//
//   bench_speculative [MODEL...]      microseconds of a step without and with the flag, medians of rounds in turn, and
//                                     their ratio; and that both runs are the same as long as nothing is fast
//
// Without models, 20 boxes lie on a floor.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr int kRounds = 60, kSteps = 200, kSpeculative = 1 << 7;

// Of the processor, as other programs run beside.
double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

mjModel* Boxes() {
  std::string text = "<mujoco><worldbody><geom type='plane' size='9 9 1'/>";
  for (int i = 0; i < 20; ++i) {
    text += "<body pos='" + std::to_string(0.5 * (i % 5)) + " " + std::to_string(0.5 * (i / 5)) +
            " .05'><freejoint/><geom type='box' size='.1 .1 .05'/></body>";
  }
  mjSpec* spec = mj_parseXMLString((text + "</worldbody></mujoco>").c_str(), nullptr, nullptr, 0);
  mjModel* m = mj_compile(spec, nullptr);
  mj_deleteSpec(spec);
  return m;
}

double Median(std::vector<double>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

// Returns the microseconds of a step.
double Step(const mjModel* m, mjData* d) {
  const double begin = Now();
  for (int i = 0; i < kSteps; ++i) mj_step(m, d);
  return 1e6 * (Now() - begin) / kSteps;
}

void Compare(const char* name, mjModel* m) {
  mjModel* with = mj_copyModel(nullptr, m);
  with->opt.enableflags |= kSpeculative;
  mjData *d = mj_makeData(m), *e = mj_makeData(with);
  std::vector<double> times[2], ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double a = Step(m, d), b = Step(with, e);
    times[0].push_back(a);
    times[1].push_back(b);
    ratios.push_back(b / a);
  }
  const bool same = std::memcmp(d->qpos, e->qpos, sizeof(mjtNum) * static_cast<size_t>(m->nq)) == 0;
  std::printf("%s, %d contacts: %.2f us, speculative %.2f us, ratio %.3f, %s\n", name, d->ncon, Median(times[0]),
              Median(times[1]), Median(ratios), same ? "same motion" : "another motion");
  mj_deleteData(d);
  mj_deleteData(e);
  mj_deleteModel(m);
  mj_deleteModel(with);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) Compare("20 boxes", Boxes());
  for (int i = 1; i < argc; ++i) {
    char error[1000] = "";
    mjModel* m = mj_loadXML(argv[i], nullptr, error, sizeof error);
    if (!m) return std::fprintf(stderr, "%s\n", error), 1;
    Compare(argv[i], m);
  }
}
