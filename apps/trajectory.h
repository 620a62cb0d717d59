// Writes a trajectory: time, qpos, qvel, act, ctrl, actuator_force and sensordata, in columns that are named after
// joints, actuators and sensors. The name of the file says the format: .csv, or .npz with an array for each of them.
#ifndef SINEW_APPS_TRAJECTORY_H_
#define SINEW_APPS_TRAJECTORY_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

namespace sinew {

// An array of mjData with the names of its columns.
struct Columns {
  std::string field;
  std::vector<std::string> names;
  mjtNum* mjData::*numbers;
};

// The names of the columns of controls, "ctrl:NAME", an actuator each.
std::vector<std::string> ControlColumns(const mjModel* m);

// Where rows go.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void Row(const mjData* d) = 0;
  virtual void Finish() = 0;
};

class TrajectoryWriter {
 public:
  // An empty path writes nothing. `rate`: rows per simulated second. Throws std::runtime_error when the name says no
  // format or the file cannot be made.
  TrajectoryWriter(const std::string& path, const mjModel* m, double rate);

  // Adds a row when the next one is due.
  void Record(const mjData* d);

  // Throws std::runtime_error when the file could not be written.
  void Finish();

 private:
  std::unique_ptr<RowSink> sink_;
  double timestep_, period_, next_ = 0;
};

}  // namespace sinew

#endif  // SINEW_APPS_TRAJECTORY_H_
