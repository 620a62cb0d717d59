#include "plot_muscle.h"

#include <sinew/extensions.h>
#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "load.h"
#include "muscle_lengths.h"
#include "output_file.h"
#include "svg_chart.h"

namespace sinew {
namespace {

// Columns of gainprm and dynprm (docs/how/musculotendon.md).
enum { kPeakForce, kFiberLength, kSlackLength, kPennationSine, kLargestVelocity };
constexpr int kLeastActivation = 3;

// One muscle of a model, whose path is set instead of following from bodies.
class MuscleOnBench {
 public:
  MuscleOnBench(const mjModel* m, int id) : m_(mj_copyModel(nullptr, m)), id_(id) {
    m_->opt.integrator = mjINT_EULER;  // forces of the present state
    m_->opt.disableflags &= ~mjDSBL_ACTUATION;
    m_->opt.disableactuator = 0;
    d_ = mj_makeData(m_);
    mj_forward(m_, d_);
  }
  ~MuscleOnBench() {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  MuscleOnBench(const MuscleOnBench&) = delete;

  double Gain(int column) const { return m_->actuator_gainprm[mjNGAIN * id_ + column]; }
  bool elastic() const { return m_->actuator_actnum[id_] == 2; }
  double least() const { return m_->actuator_dynprm[mjNDYN * id_ + kLeastActivation]; }
  double Cosine(double n) const { return std::sqrt(std::max(0.01, 1 - std::pow(Gain(kPennationSine) / n, 2))); }
  // Path with a fibre of n optimal lengths and a tendon of a strain.
  double Path(double n, double strain) const {
    return Gain(kFiberLength) * n * Cosine(n) + Gain(kSlackLength) * (1 + strain);
  }

  // Force of the tendon and rate of the fibre, in peak forces and optimal lengths per second.
  struct Reading {
    double force, rate, activation_rate;
  };
  Reading Read(double n, double a, double path, double velocity, double excitation) {
    mjtNum* act = d_->act + m_->actuator_actadr[id_];
    if (elastic()) act[0] = n;
    act[elastic() ? 1 : 0] = a;
    d_->ctrl[id_] = excitation;
    d_->actuator_length[id_] = path;
    d_->actuator_velocity[id_] = velocity;
    mj_fwdActuation(m_, d_);
    const mjtNum* rate = d_->act_dot + m_->actuator_actadr[id_];
    last_ = act[0];
    return {-d_->actuator_force[id_] / Gain(kPeakForce), elastic() ? rate[0] : velocity / Gain(kFiberLength),
            rate[elastic() ? 1 : 0]};
  }
  // In optimal lengths; behind a rigid tendon it follows from the path alone.
  double RestingFiber(double a, double path) {
    if (!elastic()) return std::hypot((path - Gain(kSlackLength)) / Gain(kFiberLength), Gain(kPennationSine));
    Read(0, a, path, 0, 0);
    return last_;
  }

 private:
  mjModel* m_;
  mjData* d_;
  const int id_;
  double last_ = 0;
};

// The force of a fibre at rest: the tendon's that holds it, found by bisection of the strain.
double IsometricForce(MuscleOnBench& muscle, double n, double a) {
  if (!muscle.elastic()) return muscle.Read(n, a, muscle.Path(n, 0), 0, a).force / muscle.Cosine(n);
  double low = -0.1, high = 0.3;
  for (int k = 0; k < 50; ++k) {
    const double strain = (low + high) / 2;
    (muscle.Read(n, a, muscle.Path(n, strain), 0, a).rate > 0 ? high : low) = strain;
  }
  return muscle.Read(n, a, muscle.Path(n, low), 0, a).force / muscle.Cosine(n);
}

std::string Label(const char* format, double first, double second = 0) {
  char text[80];
  std::snprintf(text, sizeof(text), format, first, second);
  return text;
}

// Two upright lines: the fibre at rest on the shortest and on the longest path that the ranges of joints allow.
ChartLine OperatingRange(MuscleOnBench& muscle, const std::array<double, 2>& path, double a, const char* label) {
  const double low = muscle.RestingFiber(a, path[0]), high = muscle.RestingFiber(a, path[1]);
  return {Label(label, low, high), {low, low, NAN, high, high}, {0, 1.2, NAN, 0, 1.2}};
}

Chart ForceLength(MuscleOnBench& muscle, const std::array<double, 2>& path) {
  Chart chart = {"Isometric force over length",
                 "fibre length / optimal length",
                 "fibre force / peak force",
                 {{"total, fully active", {}, {}}, {"active", {}, {}}, {"passive", {}, {}}}};
  for (double n = 0.45; n < 1.755; n += 0.01) {
    const double total = IsometricForce(muscle, n, 1), passive = IsometricForce(muscle, n, muscle.least());
    const double values[] = {total, (total - passive) / (1 - muscle.least()), passive};
    for (std::size_t i = 0; i < 3; ++i) {
      chart.lines[i].x.push_back(n);
      chart.lines[i].y.push_back(values[i]);
    }
  }
  chart.lines.push_back(OperatingRange(muscle, path, 1, "range of motion, active: %.2f to %.2f"));
  chart.lines.push_back(OperatingRange(muscle, path, muscle.least(), "range of motion, relaxed: %.2f to %.2f"));
  return chart;
}

Chart ForceVelocity(MuscleOnBench& muscle) {
  Chart chart = {
      "Force over velocity, at optimal length", "fibre velocity / largest velocity", "fibre force / peak force", {}};
  for (const double a : {1.0, 0.5, 0.25}) {
    ChartLine line = {Label("activation %g", a), {}, {}};
    const double cosine = muscle.Cosine(1), fastest = muscle.Gain(kLargestVelocity);
    for (double s = -1; s < 1.005; s += 0.01) {
      if (muscle.elastic()) {
        // the force is chosen by the strain, the velocity follows
        const auto reading = muscle.Read(1, a, muscle.Path(1, 0.035 + 0.035 * s), 0, a);
        line.x.push_back(reading.rate / fastest);
        line.y.push_back(reading.force / cosine);
      } else {
        const double velocity = s * fastest * muscle.Gain(kFiberLength) / cosine;
        line.x.push_back(s);
        line.y.push_back(muscle.Read(1, a, muscle.Path(1, 0), velocity, a).force / cosine);
      }
      if (std::fabs(line.x.back()) > 1) line.x.pop_back(), line.y.pop_back();
    }
    chart.lines.push_back(line);
  }
  return chart;
}

Chart TendonForce(MuscleOnBench& muscle) {
  Chart chart = {"Tendon", "strain", "force / peak force", {{"", {}, {}}}};
  for (double strain = -0.01; muscle.elastic() && strain < 0.0701; strain += 0.001) {
    chart.lines[0].x.push_back(strain);
    chart.lines[0].y.push_back(muscle.Read(1, 1, muscle.Path(1, strain), 0, 1).force);
  }
  return chart;
}

// A test: path and excitation are functions of time, and the muscle starts at rest.
struct Motion {
  double length, velocity, excitation;
};
ChartLine Test(MuscleOnBench& muscle, const std::string& label, double duration,
               const std::function<Motion(double)>& motion) {
  constexpr double kStep = 2e-5;  // below the stability limit of any fibre with damping
  ChartLine line = {label, {}, {}};
  const Motion start = motion(0);
  double a = std::max(start.excitation, muscle.least());
  double n = muscle.RestingFiber(a, start.length);
  for (int k = 0; k * kStep < duration; ++k) {
    const Motion now = motion(k * kStep + 1e-9);
    const auto reading = muscle.Read(n, a, now.length, now.velocity, now.excitation);
    if (k % 100 == 0) {
      line.x.push_back(1000 * k * kStep);
      line.y.push_back(reading.force);
    }
    n += kStep * reading.rate;
    a = std::clamp(a + kStep * reading.activation_rate, muscle.least(), 1.0);
  }
  return line;
}

// The path at which the fibre has its optimal length when fully active.
double OptimalPath(MuscleOnBench& muscle) {
  const double strain = muscle.elastic() ? 0.04 : 0;
  return muscle.Path(1, strain);
}

Chart IsometricTest(MuscleOnBench& muscle) {
  Chart chart = {"Isometric test", "time [ms]", "tendon force / peak force", {}};
  for (const double shift : {0.0, -0.2, 0.2}) {
    const double length = OptimalPath(muscle) + shift * muscle.Gain(kFiberLength);
    chart.lines.push_back(Test(muscle, Label("path %+.1f optimal lengths", shift), 0.5, [=](double t) -> Motion {
      return {length, 0, t > 0.02 && t < 0.3 ? 1.0 : 0.0};
    }));
  }
  return chart;
}

Chart IsokineticTest(MuscleOnBench& muscle) {
  Chart chart = {"Isokinetic test, fully active", "time [ms]", "tendon force / peak force", {}};
  for (const double speed : {-4.0, -2.0, 0.0, 2.0}) {
    const double velocity = speed * muscle.Gain(kFiberLength);
    const double length = OptimalPath(muscle) - 0.05 * velocity;
    chart.lines.push_back(Test(muscle, Label("%+g optimal lengths / s", speed), 0.15, [=](double t) -> Motion {
      const bool moves = t > 0.03;
      return {length + (moves ? velocity * (t - 0.03) : 0), moves ? velocity : 0, 1};
    }));
  }
  return chart;
}

Chart RampTest(MuscleOnBench& muscle) {
  Chart chart = {"Ramp test: stretched by a tenth and held", "time [ms]", "tendon force / peak force", {}};
  for (const double a : {1.0, 0.5, 0.1}) {
    const double stretch = 0.1 * muscle.Gain(kFiberLength), length = OptimalPath(muscle);
    chart.lines.push_back(Test(muscle, Label("activation %g", a), 0.3, [=](double t) -> Motion {
      const double s = std::clamp((t - 0.05) / 0.05, 0.0, 1.0);
      return {length + stretch * s, s > 0 && s < 1 ? stretch / 0.05 : 0, a};
    }));
  }
  return chart;
}

int FindMuscle(const mjModel* m, const std::string& name) {
  const auto is_muscle = [m](int i) { return m->actuator_gaintype[i] == sinewFIRST_EXTENSION; };
  if (!name.empty()) {
    const int id = mj_name2id(m, mjOBJ_ACTUATOR, name.c_str());
    if (id < 0) throw ModelError("there is no actuator '" + name + "'");
    if (!is_muscle(id)) throw ModelError("actuator '" + name + "' is no musculotendon");
    return id;
  }
  for (int i = 0; i < m->nu; ++i) {
    if (is_muscle(i)) return i;
  }
  throw ModelError("the model has no musculotendon");
}

}  // namespace

void AddPlotMuscle(CLI::App& app) {
  struct PlotMuscleOptions {
    std::string model, muscle, output = "muscle.svg";
    RobotOptions robot;
  };
  auto options = std::make_shared<PlotMuscleOptions>();
  CLI::App* command = app.add_subcommand("plot-muscle",
                                         "Draw curves of a muscle with a tendon, where the ranges of joints take it, "
                                         "and its isometric, isokinetic and ramp test");
  command->add_option("model", options->model, "Model")->required();
  command->add_option("-m,--muscle", options->muscle, "Name of the actuator; without it the first musculotendon");
  command->add_option("-o,--output", options->output, "SVG file to write")->capture_default_str();
  command->callback([options] {
    const Loaded loaded = Load(options->model, options->robot);
    const mjModel* m = loaded.model;
    const int id = FindMuscle(m, options->muscle);
    MuscleOnBench muscle(m, id);
    const char* name = mj_id2name(m, mjOBJ_ACTUATOR, id);
    const std::array<double, 2> path = PathRanges(m)[static_cast<std::size_t>(id)];
    const std::vector<Chart> charts = {ForceLength(muscle, path), ForceVelocity(muscle),  TendonForce(muscle),
                                       IsometricTest(muscle),     IsokineticTest(muscle), RampTest(muscle)};
    WriteToFile(options->output, SvgDocument(name ? name : "actuator " + std::to_string(id), charts, 3));
    std::printf("%s\n", options->output.c_str());
  });
}

}  // namespace sinew
