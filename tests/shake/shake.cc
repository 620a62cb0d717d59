// Runs models with random controls and pushes, for as long as asked for: under sanitizers, which report what goes wrong
// in memory, and by itself, where a number that is none or a warning is a failure.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr char kUsage[] =
    "usage: shake [--seconds S] [--seed N] [--amplitude A] MODEL...\n\n"
    "Steps each model for S seconds (2) with random controls: within their ranges, or within A (0.1) of zero.\n"
    "Every few tenths of a second the controls change and a body is pushed for a moment; after ten seconds of the\n"
    "world's time it begins anew. Fails where a state is no number or a warning is raised.\n";

struct Options {
  double seconds = 2, amplitude = 0.1;
  unsigned seed = 1;
  std::vector<std::string> models;
};

using ModelPtr = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using DataPtr = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

// Returns whether the arguments make sense.
bool Parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      options.models.push_back(word);
      continue;
    }
    if (i + 1 == argc) return false;
    char* end;
    const double value = std::strtod(argv[++i], &end);
    if (*end != '\0' || !(value >= 0)) return false;
    if (word == "--seconds") {
      options.seconds = value;
    } else if (word == "--amplitude") {
      options.amplitude = value;
    } else if (word == "--seed") {
      options.seed = static_cast<unsigned>(value);
    } else {
      return false;
    }
  }
  return !options.models.empty();
}

class Shaker {
 public:
  Shaker(const mjModel* m, mjData* d, const Options& options)
      : m_(m), d_(d), options_(options), random_(options.seed) {}

  // Steps for the seconds of the options; returns what went wrong, or nothing.
  std::string Run() {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(options_.seconds);
    for (double change = 0; Clock::now() < end; ++steps_) {
      if (d_->time >= kEpisode) {
        mj_resetData(m_, d_);
        change = 0;
      }
      if (d_->time >= change) {
        change = d_->time + Uniform(0.05, 0.4);
        ChangeControls();
      } else {
        mju_zero(d_->xfrc_applied, 6 * static_cast<int>(m_->nbody));
      }
      mj_step(m_, d_);
      contacts_ = std::max(contacts_, d_->ncon);
      if (std::string fault = Fault(); !fault.empty()) return fault;
    }
    return "";
  }

  long steps() const { return steps_; }
  int contacts() const { return contacts_; }

 private:
  static constexpr double kEpisode = 10;  // [s]

  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  // A push changes the velocity of one body by about a metre per second, once.
  void ChangeControls() {
    for (int i = 0; i < m_->nu; ++i) {
      const bool limited = m_->actuator_ctrllimited[i] != 0;
      const double low = limited ? m_->actuator_ctrlrange[2 * i] : -options_.amplitude;
      const double high = limited ? m_->actuator_ctrlrange[2 * i + 1] : options_.amplitude;
      d_->ctrl[i] = Uniform(low, high);
    }
    if (m_->nbody < 2) return;
    const auto body = std::uniform_int_distribution<long>(1, static_cast<long>(m_->nbody) - 1)(random_);
    for (int k = 0; k < 3; ++k)
      d_->xfrc_applied[6 * body + k] = Uniform(-1, 1) * m_->body_mass[body] / m_->opt.timestep;
  }

  std::string Fault() const {
    for (int i = 0; i < m_->nv; ++i) {
      if (!std::isfinite(d_->qvel[i]) || !std::isfinite(d_->qacc[i]))
        return "dof " + std::to_string(i) + " is no number";
    }
    for (int i = 0; i < mjNWARNING; ++i) {
      if (d_->warning[i].number > 0) return mju_warningText(i, static_cast<size_t>(d_->warning[i].lastinfo));
    }
    return "";
  }

  const mjModel* m_;
  mjData* d_;
  const Options& options_;
  std::mt19937 random_;
  long steps_ = 0;
  int contacts_ = 0;
};

bool Shake(const std::string& path, const Options& options) {
  char error[1000] = "";
  const ModelPtr m(mj_loadXML(path.c_str(), nullptr, error, sizeof(error)), mj_deleteModel);
  if (!m) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error);
    return false;
  }
  const DataPtr d(mj_makeData(m.get()), mj_deleteData);
  Shaker shaker(m.get(), d.get(), options);
  const std::string fault = shaker.Run();
  std::printf("%s: %ld steps, at most %d contacts%s%s\n", path.c_str(), shaker.steps(), shaker.contacts(),
              fault.empty() ? "" : ", FAILED: ", fault.c_str());
  std::fflush(stdout);
  return fault.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (!Parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  bool good = true;
  for (const std::string& model : options.models) good &= Shake(model, options);
  return good ? 0 : 1;
}
