#include "bench.h"

#include <sinew/sinew.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>

#include "arguments.h"
#include "load.h"
#include "progress.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct BenchOptions {
  RobotOptions robot;
  std::string model, precision = "double";
  int worlds = 256, threads = 0, steps = 1, length = 250;
  double seconds = 3;
  bool json = false;
};

double Seconds(Clock::time_point since) { return std::chrono::duration<double>(Clock::now() - since).count(); }

// Uniform in the range of each control, or in [-1, 1].
class RandomControls {
 public:
  explicit RandomControls(const mjModel* m) : m_(m) {}
  void Fill(WorldsView<double> ctrl, int worlds) {
    for (int world = 0; world < worlds; ++world) {
      for (int i = 0; i < m_->nu; ++i) {
        const double* range = m_->actuator_ctrlrange + 2 * i;
        const bool limited = m_->actuator_ctrllimited[i] != 0;
        ctrl[world][static_cast<size_t>(i)] =
            limited ? range[0] + (range[1] - range[0]) * uniform_(bits_) : 2 * uniform_(bits_) - 1;
      }
    }
  }

 private:
  const mjModel* m_;
  std::mt19937_64 bits_{1};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

double Milliseconds() { return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count(); }

// Share of the time of a step that each stage takes, in one world alone.
Json ShareOfStages(const Model& model, double seconds) {
  constexpr std::pair<int, const char*> kStages[] = {
      {mjTIMER_POS_KINEMATICS, "kinematics"}, {mjTIMER_POS_INERTIA, "inertia"},    {mjTIMER_POS_COLLISION, "collision"},
      {mjTIMER_POS_MAKE, "constraints"},      {mjTIMER_POS_PROJECT, "projection"}, {mjTIMER_VELOCITY, "velocity"},
      {mjTIMER_ACTUATION, "actuation"},       {mjTIMER_CONSTRAINT, "solver"},      {mjTIMER_ADVANCE, "integration"}};
  Data data(model);
  mjcb_time = Milliseconds;
  for (const auto begin = Clock::now(); Seconds(begin) < seconds;) data.Step();
  mjcb_time = nullptr;
  Json shares;
  const double whole = std::max(data->timer[mjTIMER_STEP].duration, 1e-9);
  for (const auto& [timer, name] : kStages) shares[name] = data->timer[timer].duration / whole;
  return shares;
}

// Resident memory of the process [bytes], or 0 where the system does not tell.
double ResidentMemory() {
  long long whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Json UseOfPacks(const Batch& batch) {
  const sinewPackUse use = batch.UseOfPacks();
  return {{"lanes with a world", use.lanes},
          {"slots of a world, of its pack's", use.slots},
          {"work of a world, of its pack's", use.work},
          {"iterations of a world, of its pack's", use.iterations},
          {"worlds run again alone", use.alone}};
}

double Mean(std::span<const int> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
         static_cast<double>(std::max<size_t>(numbers.size(), 1));
}

// Rollouts of a batch from where its model starts, with other controls in each: the work does not depend on how fast it
// is done, as that of a fixed time would, in which faster worlds come to fall further.
class Rollouts {
 public:
  Rollouts(const mjModel* m, Batch& batch) : batch_(batch), ctrl_(batch.State("ctrl")), controls_(m) {}

  struct Work {
    long calls = 0;
    double seconds = 0, contacts = 0;  // contacts of a world, summed over the calls
  };
  // One rollout of so many calls; what it took is added to `work`.
  void Run(int calls, int steps, Work& work, Progress& progress) {
    const WorldsView<int> contacts = batch_.Output<int>("ncon");
    batch_.Reset();
    for (int call = 0; call < calls; ++call) {
      controls_.Fill(ctrl_, batch_.count());
      const auto before = Clock::now();
      batch_.Step(steps);
      work.seconds += Seconds(before);
      work.contacts += Mean(contacts.all());
      progress.Update(++work.calls);
    }
  }

 private:
  Batch& batch_;
  WorldsView<double> ctrl_;
  RandomControls controls_;
};

// Whole rollouts, until the time is over.
Rollouts::Work MeasureRollouts(const BenchOptions& options, const mjModel* m, Batch& batch) {
  const int calls = (options.length + options.steps - 1) / options.steps;
  Rollouts rollouts(m, batch);
  Rollouts::Work first_touch, work;
  Progress settling("settling", calls);
  rollouts.Run(std::max(1, calls / 20), options.steps, first_touch, settling);  // memory and clocks
  settling.Finish();
  const double expected = first_touch.seconds / static_cast<double>(first_touch.calls) * calls;
  Progress progress("stepping", calls * std::lround(std::max(1.0, std::ceil(options.seconds / expected))));
  while (work.calls == 0 || work.seconds < options.seconds) rollouts.Run(calls, options.steps, work, progress);
  progress.Finish();
  return work;
}

Json Measure(const BenchOptions& options) {
  const Loaded loaded = Load(options.model, options.robot);
  const mjModel* m = loaded.model;
  const sinewBatchConfig config = {options.threads, 0, options.precision == "float" ? sinewFLOAT : sinewDOUBLE, 0,
                                   sinewFASTER};
  const double memory = ResidentMemory();
  const auto made = Clock::now();
  Batch batch(m, options.worlds, config);
  const double start = Seconds(made);
  const Rollouts::Work work = MeasureRollouts(options, m, batch);

  const double calls = static_cast<double>(work.calls), steps = calls * options.steps * options.worlds;
  const auto bad = std::count_if(batch.statuses().begin(), batch.statuses().end(), [](int s) { return s != 0; });
  const std::string obstacle = batch.ObstacleToPacks();
  const double per_world = std::max(0.0, ResidentMemory() - memory) / options.worlds;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {{"model", options.model},
          {"worlds", options.worlds},
          {"threads", batch.threads()},
          {"precision", options.precision},
          {"steps of each world", work.calls * options.steps},
          {"steps per second", steps / work.seconds},
          {"microseconds per step", 1e6 * work.seconds / steps},
          {"contacts per world", work.contacts / calls},
          {"worlds not well", bad},
          {"seconds to make the batch", start},
          {"memory [MB]", static_cast<double>(usage.ru_maxrss) / 1024},
          {"memory per world [kB]", per_world / 1024},
          {"worlds run", obstacle.empty() ? "in packs on each thread" : "one at a time on each thread"},
          {"obstacle to packs", obstacle.empty() ? Json() : Json(obstacle)},
          {"use of packs", UseOfPacks(batch)},
          {"share of stages, one world", ShareOfStages(loaded.model, 0.1 * options.seconds)}};
}

void RunBench(const BenchOptions& options) {
  const Json report = Measure(options);
  if (options.json) {
    std::printf("%s\n", report.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return;
  }
  for (const auto& [name, value] : report.items()) {
    if (value.is_object()) {
      std::printf("%s\n", name.c_str());
      for (const auto& [part, share] : value.items()) {
        std::printf("  %-38s %5.1f %%\n", part.c_str(), 100 * share.get<double>());
      }
    } else if (value.is_number_float()) {
      std::printf("%-30s %.4g\n", name.c_str(), value.get<double>());
    } else {
      std::printf("%-30s %s\n", name.c_str(),
                  value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
  }
}

}  // namespace

void AddBench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measure how fast many worlds of a model step");
  command->add_option("model", options->model, "Model: MJCF, URDF, MJB or an archive")->required();
  AddRobotOptions(*command, &options->robot);
  command->add_option("--worlds", options->worlds, "Worlds")->capture_default_str()->check(CLI::PositiveNumber);
  command->add_option("--threads", options->threads, "Threads; 0: one for each processor that may be used")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--steps", options->steps, "Steps of a call, with the same controls")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--length", options->length, "Steps after which all worlds start anew")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--seconds", options->seconds, "How long to measure, in whole rollouts of this length [s]")
      ->capture_default_str()
      ->check(NonNegativeReal());
  command->add_option("--precision", options->precision, "double or float")
      ->capture_default_str()
      ->check(CLI::IsMember({"double", "float"}));
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([options] { RunBench(*options); });
}

}  // namespace sinew
