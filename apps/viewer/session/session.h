// What a viewer shows and does, without a window: a model from a file, its simulation in real time, its past.
//
//   file --Open, Reload--> model, data --Advance--> states --History--> Show
#ifndef SINEW_APPS_VIEWER_SESSION_SESSION_H_
#define SINEW_APPS_VIEWER_SESSION_SESSION_H_

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "load.h"
#include "viewer/pipe_link.h"
#include "viewer/session/history.h"
#include "viewer/session/speed_meter.h"

namespace sinew {

class Session {
 public:
  explicit Session(RobotOptions robot = {}) : robot_(std::move(robot)) {}

  // Loads a model and starts it. On an error, which error() tells, all stays as it was, and false comes back.
  bool Open(const std::string& path);
  // Writes the model, with the numbers that were changed here, as XML or MJB, as the ending of the name says. On an
  // error, which error() tells, false comes back.
  bool Save(const std::string& path);
  // Loads the file again. Where the sizes of the state allow it, the simulation goes on where it was.
  bool Reload();
  // Reloads when the file, or one that it includes, has changed since; whether it has.
  bool ReloadIfChanged();

  // From now on the program at the other end of standard input and output simulates: states come from there, and what
  // the user does goes there. Needs a model, which stays.
  void Follow();
  // Whether that program has ended.
  bool abandoned() const { return program_ && program_->closed(); }

  bool loaded() const { return data_ != nullptr; }
  mjModel* m() { return loaded_->model.mutable_get(); }
  mjData* d() { return *data_; }
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }
  void ClearError() { error_.clear(); }
  const std::vector<std::string>& warnings() const { return loaded_->warnings; }
  int generation() const { return generation_; }  // changes whenever there is another model

  // ---- time
  bool paused = false;
  void ChangeSpeed(int steps);  // by factors of about two
  double speed() const;         // of simulated time, relative to that of clocks
  // Simulated time per time of the wall clock, over the last second; 0 while nothing is simulated.
  double measured_speed() const { return meter_.speed(); }

  // Simulates as much as belongs to so many seconds of a clock, but works no longer than `budget` seconds. Of more than
  // kMostSeconds, which pass while a window is moved or a file is read, the rest is given up.
  static constexpr double kMostSeconds = 0.1;
  void Advance(double seconds, double budget);
  // Steps on (positive), or back through the history; pauses.
  void Step(int steps);
  void Reset();
  void ResetToKeyframe(int key);
  // Puts a hinge or a slide at a coordinate, at rest. Nothing else moves.
  void SetJoint(int joint, double value);
  // Adds the state that is shown to the history.
  void Remember() { history_.Add(m(), d()); }
  // Overwrites a keyframe of the model with the state that is shown.
  void SaveKeyframe(int key);

  History& history() { return history_; }
  void ShowPast(int index);  // pauses

  // Stands still while a joint is moved by hand; Advance goes on when it is false again.
  bool held = false;

  // Pulls by the mouse, applied before each step.
  mjvPerturb perturb = {};
  // Selects the parent of the selected body; that of a body of the world is none.
  void SelectParent();
  // Adds noise to controls: its share of their range and the seconds in which it changes.
  double noise_scale = 0, noise_rate = 0.1;

  std::string StateAsKeyframe() const;  // XML of a <key/> with the state that is shown

 private:
  void WriteXml(const std::string& path);
  void Take(Loaded loaded, const std::string& path);
  bool StepOnce();
  void ApplyNoise();
  void ShowProgram(double seconds);

  RobotOptions robot_;
  std::string path_, error_;
  std::unique_ptr<Loaded> loaded_;
  std::unique_ptr<Data> data_;
  std::unique_ptr<PipeLink> program_;  // that simulates; null where the session does
  std::map<std::filesystem::path, std::filesystem::file_time_type> watched_;
  History history_;
  std::vector<double> noise_;
  int generation_ = 0, speed_index_ = 0;
  double behind_ = 0;  // seconds that are still to be simulated
  SpeedMeter meter_;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_SESSION_SESSION_H_
