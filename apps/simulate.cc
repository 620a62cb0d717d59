#include "simulate.h"

#include <sinew/extensions.h>
#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>

#include "arguments.h"
#include "controls.h"
#include "load.h"
#include "picture_file.h"
#include "progress.h"
#include "trajectory.h"
#include "view_options.h"

namespace sinew {
namespace {

struct SimulateOptions {
  std::string model;
  RobotOptions robot;
  double seconds = 10;
  std::string keyframe;
  double control = 0;
  std::string controls;  // file of recorded ones
  double accuracy = 0;   // of steps; 0: as the model says
  std::string output;
  double rate = 100;
  std::string video;
  int video_rate = 30;
  ViewOptions view;
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
  std::optional<double> diverged;  // s, the beginning of the step in which that was
  bool error_controlled = false;
  double accepted = 0, rejected = 0, forced = 0;  // internal steps
  std::string trajectory, video;
};

// The accuracy replaces that of the model; its integrator stays if it controls its error, else Merson's takes its
// place.
void SetAccuracy(mjSpec* spec, double accuracy) {
  if (spec->option.integrator < sinewINT_MERSON) spec->option.integrator = sinewINT_MERSON;
  mjsElement* found = mjs_findElement(spec, mjOBJ_NUMERIC, sinewACCURACY);
  mjsNumeric* array = found ? mjs_asNumeric(found) : mjs_addNumeric(spec);
  if (!found) mjs_setName(array->element, sinewACCURACY);
  int size = 0;
  const double* given = mjs_getDouble(array->data, &size);
  double numbers[4] = {};
  std::copy_n(given, std::min(size, 4), numbers);
  numbers[0] = accuracy;
  mjs_setDouble(array->data, numbers, 4);
}

Loaded LoadFor(const SimulateOptions& options) {
  Loaded loaded = Load(options.model, options.robot);
  if (options.accuracy == 0) return loaded;
  if (!loaded.spec) throw ModelError(options.model + ": --accuracy needs a model that is not compiled yet");
  SetAccuracy(loaded.spec.get(), options.accuracy);
  const WarningCollector told_already;
  loaded.model = Model::Compile(loaded.spec.get(), loaded.files ? &*loaded.files : nullptr);
  return loaded;
}

// What a run rests on; a clock that stands still or runs back would end in undefined numbers.
void Check(const SimulateOptions& options, const Model& model) {
  if (const double step = model->opt.timestep; !(step > 0) || !std::isfinite(step)) {
    throw ModelError(options.model + ": option timestep is " + std::to_string(step) + "; it must be positive");
  }
}

void Start(const SimulateOptions& options, Data& data) {
  if (!options.keyframe.empty()) data.ResetToKeyframe(FindKeyframe(data.model(), options.keyframe));
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

// Positions, velocities or accelerations were no numbers or too large, and the world was reset.
bool HasDiverged(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number + d->warning[mjWARN_BADQACC].number > 0;
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

// The pictures of a run, at equal distances of simulated time; nothing without a file.
class VideoRecorder {
 public:
  VideoRecorder(const SimulateOptions& options, const Model& model) : rate_(options.video_rate) {
    if (options.video.empty()) return;
    renderer_ = std::make_unique<Renderer>(MakeRenderer(model, options.view));
    path_ = options.video;
  }

  void Record(Data& data) {
    if (!renderer_ || data.time() < next_) return;
    next_ += 1.0 / rate_;
    const Picture picture = renderer_->Render(data);
    if (!writer_) writer_ = std::make_unique<VideoWriter>(path_, picture.width, picture.height, rate_);
    writer_->Add(picture.rgb);
  }
  void Finish() {
    if (writer_) writer_->Finish();
  }

 private:
  std::string path_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<VideoWriter> writer_;
  int rate_;
  double next_ = 0;
};

Summary RunSimulate(const SimulateOptions& options) {
  using Clock = std::chrono::steady_clock;
  const Loaded loaded = LoadFor(options);
  PrintWarnings(loaded.warnings);
  const Model& model = loaded.model;
  Check(options, model);
  Data data(model);
  Start(options, data);
  data.Forward();

  Summary summary;
  summary.model = options.model;
  summary.trajectory = options.output;
  Energy(model, data, summary.potential_start, summary.kinetic_start);
  TrajectoryWriter trajectory(options.output, model, options.rate);
  trajectory.Record(data);
  VideoRecorder video(options, model);
  video.Record(data);
  summary.video = options.video;

  std::optional<RecordedControls> recorded;
  if (!options.controls.empty()) recorded.emplace(options.controls, model);

  // the loop; progress and files are not part of the measured time
  const long total = StepsOf(options.seconds, model->opt.timestep, "--time");
  Progress progress("simulating", total);
  Clock::duration spent{};
  for (; summary.steps < total; ++summary.steps) {
    if (options.control > 0) SetControls(model, data, options.control);
    if (recorded) recorded->Apply(data);
    const double time = data.time();
    const auto begin = Clock::now();
    data.Step();
    spent += Clock::now() - begin;
    if (HasDiverged(data)) {
      summary.diverged = time;
      break;
    }
    Count(data, summary);
    trajectory.Record(data);
    video.Record(data);
    progress.Update(summary.steps + 1);
  }
  progress.Finish();
  video.Finish();
  trajectory.Finish();

  // the end
  data.Forward();
  Energy(model, data, summary.potential_end, summary.kinetic_end);
  const double steps = std::max(1.0, static_cast<double>(summary.steps));
  summary.contacts /= steps;
  summary.rows /= steps;
  summary.iterations /= steps;
  summary.simulated = static_cast<double>(summary.steps) * model->opt.timestep;
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

void PrintSimulateTable(const Summary& s) {
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
  if (s.diverged) std::printf("diverged at            %.4f s\n", *s.diverged);
  if (s.error_controlled) {
    std::printf("internal steps         %.0f accepted, %.0f rejected, %.0f of them forced; %.0f per simulated second\n",
                s.accepted, s.rejected, s.forced, s.accepted / s.simulated);
  }
  if (!s.trajectory.empty()) std::printf("trajectory             %s\n", s.trajectory.c_str());
  if (!s.video.empty()) std::printf("video                  %s\n", s.video.c_str());
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
                                       {"diverged_at_s", s.diverged ? nlohmann::ordered_json(*s.diverged) : nullptr},
                                       {"trajectory", s.trajectory},
                                       {"video", s.video}};
  std::printf("%s\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

}  // namespace

Diverged::Diverged(double time)
    : std::runtime_error("the simulation diverged in the step from " + std::to_string(time) +
                         " s and ended there; reduce the time step, or see what sinew info says of the model") {}

void AddSimulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Step a model, report speed and energy, write the trajectory");
  command
      ->add_option(
          "model", options->model,
          "MJCF (.xml), URDF (.urdf), OpenSim (.osim), Hyfydy (.hfd), compiled (.mjb) or archive with assets (.zip)")
      ->required();
  command->add_option("-t,--time", options->seconds, "Seconds to simulate")
      ->check(PositiveReal())
      ->capture_default_str();
  command->add_option("-k,--keyframe", options->keyframe, "Name or number of the keyframe to start from");
  CLI::Option* control = command->add_option("-c,--control", options->control,
                                             "Amplitude of smooth controls, as a fraction of their range");
  command
      ->add_option("--controls", options->controls, "Recorded controls, a .csv with the columns that --output writes")
      ->excludes(control);
  control->check(NonNegativeReal())->check(CLI::Range(0.0, 1.0))->capture_default_str();
  command
      ->add_option("-a,--accuracy", options->accuracy,
                   "Error of a step, by Merson's method unless the model names another that controls it")
      ->check(PositiveReal());
  command->add_option("-o,--output", options->output,
                      "Trajectory file, .csv or .npz: time, qpos, qvel, act, ctrl, actuator_force, sensordata");
  command->add_option("--rate", options->rate, "Trajectory rows per simulated second")
      ->check(PositiveReal())
      ->capture_default_str();
  command->add_option("--video", options->video, "Video file (.mp4)");
  command->add_option("--video-rate", options->video_rate, "Pictures of the video per simulated second")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  AddViewOptions(*command, options->view);
  command->add_flag("--json", options->json, "Print the report as JSON");
  AddRobotOptions(*command, &options->robot);
  command->callback([options] {
    const Summary summary = RunSimulate(*options);
    options->json ? PrintJson(summary) : PrintSimulateTable(summary);
    if (summary.diverged) throw Diverged(*summary.diverged);
  });
}

}  // namespace sinew
