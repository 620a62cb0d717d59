#include "simulate.h"

#include <sinew/extensions.h>
#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "progress.h"
#include "trajectory.h"

namespace sinew {
namespace {

struct Options {
  std::string model;
  double seconds = 10;
  std::string keyframe;
  double control = 0;
  double accuracy = 0;  // of steps; 0: as the model says
  std::string output;
  double rate = 100;
  bool json = false;
};

// What a run did, for the table and for --json.
struct Summary {
  std::string model;
  long steps = 0;
  double simulated = 0, wall = 0;                 // s
  double contacts = 0, rows = 0, iterations = 0;  // means per step
  double kinetic_start = 0, potential_start = 0;  // J
  double kinetic_end = 0, potential_end = 0;      // J
  double height = 0;                              // m, of the centre of mass
  int warnings = 0;
  bool error_controlled = false;
  double accepted = 0, rejected = 0, forced = 0;  // internal steps
  std::string trajectory;
};

// The model, perhaps with an integrator that controls its error: the model's own, or Merson's.
Model Read(const Options& options) {
  if (options.accuracy == 0) return Model::FromXml(options.model);
  Spec spec = Spec::FromXml(options.model);
  int& integrator = spec->option.integrator;
  if (integrator < sinewINT_MERSON) integrator = sinewINT_MERSON;
  mjsElement* found = mjs_findElement(spec, mjOBJ_NUMERIC, sinewACCURACY);
  mjsNumeric* array = found ? mjs_asNumeric(found) : mjs_addNumeric(spec);
  if (!found) mjs_setName(array->element, sinewACCURACY);
  int size = 0;
  const double* given = mjs_getDouble(array->data, &size);
  double numbers[4] = {};
  std::copy_n(given, std::min(size, 4), numbers);
  numbers[0] = options.accuracy;
  mjs_setDouble(array->data, numbers, 4);
  return spec.Compile();
}

void Start(const Options& options, const Model& model, Data& data) {
  if (options.keyframe.empty()) return;
  const int key = model.Id(mjOBJ_KEY, options.keyframe);
  if (key < 0) throw ModelError("no keyframe '" + options.keyframe + "' in " + options.model);
  data.ResetToKeyframe(key);
}

// Smooth tones around the middle of each control's range: amplitude is a fraction of half the range, each actuator has
// a frequency of its own between 0.5 and 1.5 Hz.
void SetControls(const mjModel* m, Data& data, double amplitude) {
  for (int i = 0; i < m->nu; ++i) {
    const bool limited = m->actuator_ctrllimited[i];
    const double low = limited ? m->actuator_ctrlrange[2 * i] : -1,
                 high = limited ? m->actuator_ctrlrange[2 * i + 1] : 1;
    const double frequency = 0.5 + static_cast<double>(i) / static_cast<double>(m->nu);
    const double tone = std::sin(2 * std::numbers::pi * frequency * data.time() + i);
    data.ctrl()[static_cast<size_t>(i)] = 0.5 * (low + high) + 0.5 * amplitude * (high - low) * tone;
  }
}

void Energy(const mjModel* m, mjData* d, double& potential, double& kinetic) {
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  potential = d->energy[0];
  kinetic = d->energy[1];
}

int Warnings(const mjData* d) {
  int count = 0;
  for (const mjWarningStat& warning : d->warning) count += warning.number;
  return count;
}

// Statistics of the step that has just been taken.
void Count(const mjData* d, Summary& summary) {
  summary.contacts += d->ncon;
  summary.rows += d->nefc;
  const int islands = d->nisland > 0 ? std::min(d->nisland, mjNISLAND) : 1;
  int iterations = 0;
  for (int i = 0; i < islands; ++i) iterations = std::max(iterations, d->solver_niter[i]);
  summary.iterations += iterations;
}

Summary Run(const Options& options) {
  using Clock = std::chrono::steady_clock;
  const Model model = Read(options);
  Data data(model);
  Start(options, model, data);
  data.Forward();

  Summary summary;
  summary.model = options.model;
  summary.trajectory = options.output;
  Energy(model, data, summary.potential_start, summary.kinetic_start);
  TrajectoryWriter trajectory(options.output, model, options.rate);
  trajectory.Record(data);

  // the loop; progress and files are not part of the measured time
  const auto total = static_cast<long>(std::ceil(options.seconds / model->opt.timestep - 1e-9));
  Progress progress("simulating", total);
  Clock::duration spent{};
  for (; summary.steps < total; ++summary.steps) {
    if (options.control > 0) SetControls(model, data, options.control);
    const auto begin = Clock::now();
    data.Step();
    spent += Clock::now() - begin;
    Count(data, summary);
    trajectory.Record(data);
    progress.Update(summary.steps + 1);
  }
  progress.Finish();

  // the end
  data.Forward();
  Energy(model, data, summary.potential_end, summary.kinetic_end);
  const double steps = std::max(1.0, static_cast<double>(summary.steps));
  summary.contacts /= steps;
  summary.rows /= steps;
  summary.iterations /= steps;
  summary.simulated = steps * model->opt.timestep;
  summary.wall = std::chrono::duration<double>(spent).count();
  summary.height = data->subtree_com[2];
  summary.warnings = Warnings(data);
  summary.error_controlled = model->opt.integrator >= sinewINT_MERSON;
  if (summary.error_controlled) {
    sinewErrorControl control;
    std::memcpy(&control, data->history + model->nhistory - sizeof(control) / sizeof(double), sizeof(control));
    summary.accepted = control.accepted;
    summary.rejected = control.rejected;
    summary.forced = control.forced;
  }
  return summary;
}

void PrintTable(const Summary& s) {
  const auto steps = static_cast<double>(s.steps);
  std::printf("model                  %s\n", s.model.c_str());
  std::printf("simulated time         %.3f s in %ld steps\n", s.simulated, s.steps);
  std::printf("steps per second       %.0f\n", steps / s.wall);
  std::printf("real-time factor       %.1f\n", s.simulated / s.wall);
  std::printf("contacts               %.2f per step\n", s.contacts);
  std::printf("constraint rows        %.2f per step\n", s.rows);
  std::printf("solver iterations      %.2f per step\n", s.iterations);
  std::printf("energy at the start    %.4g J potential, %.4g J kinetic\n", s.potential_start, s.kinetic_start);
  std::printf("energy at the end      %.4g J potential, %.4g J kinetic\n", s.potential_end, s.kinetic_end);
  std::printf("final height           %.4f m (centre of mass)\n", s.height);
  std::printf("warnings               %d\n", s.warnings);
  if (s.error_controlled) {
    std::printf("internal steps         %.0f accepted, %.0f rejected, %.0f of them forced; %.0f per simulated second\n",
                s.accepted, s.rejected, s.forced, s.accepted / s.simulated);
  }
  if (!s.trajectory.empty()) std::printf("trajectory             %s\n", s.trajectory.c_str());
}

void PrintJson(const Summary& s) {
  const auto steps = static_cast<double>(s.steps);
  const nlohmann::ordered_json json = {{"model", s.model},
                                       {"steps", s.steps},
                                       {"simulated_s", s.simulated},
                                       {"wall_s", s.wall},
                                       {"steps_per_s", steps / s.wall},
                                       {"real_time_factor", s.simulated / s.wall},
                                       {"contacts_per_step", s.contacts},
                                       {"rows_per_step", s.rows},
                                       {"iterations_per_step", s.iterations},
                                       {"potential_start_J", s.potential_start},
                                       {"kinetic_start_J", s.kinetic_start},
                                       {"potential_end_J", s.potential_end},
                                       {"kinetic_end_J", s.kinetic_end},
                                       {"final_height_m", s.height},
                                       {"accepted_steps", s.accepted},
                                       {"rejected_steps", s.rejected},
                                       {"forced_steps", s.forced},
                                       {"warnings", s.warnings},
                                       {"trajectory", s.trajectory}};
  std::printf("%s\n", json.dump(2).c_str());
}

}  // namespace

void AddSimulate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("simulate", "Step a model, report speed and energy, write the trajectory");
  command->add_option("model", options->model, "MJCF or URDF file")->required();
  command->add_option("-t,--time", options->seconds, "Seconds to simulate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("-k,--keyframe", options->keyframe, "Name of the keyframe to start from");
  command->add_option("-c,--control", options->control, "Amplitude of smooth controls, as a fraction of their range")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option("-a,--accuracy", options->accuracy,
                   "Error of a step, by Merson's method unless the model names another that controls it")
      ->check(CLI::PositiveNumber);
  command->add_option("-o,--output", options->output, "Trajectory file (.csv): time, qpos, qvel, ctrl");
  command->add_option("--rate", options->rate, "Trajectory rows per simulated second")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->callback([options] {
    const Summary summary = Run(*options);
    options->json ? PrintJson(summary) : PrintTable(summary);
  });
}

}  // namespace sinew
