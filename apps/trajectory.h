// Writes a trajectory as comma-separated values: a header with the names of the columns, then time, qpos, qvel and
// ctrl.
#ifndef SINEW_APPS_TRAJECTORY_H_
#define SINEW_APPS_TRAJECTORY_H_

#include <mujoco/mujoco.h>

#include <cstdio>
#include <memory>
#include <string>

namespace sinew {

class TrajectoryWriter {
 public:
  // An empty path writes nothing. `rate`: rows per simulated second. Throws std::runtime_error when the file cannot be
  // made.
  TrajectoryWriter(const std::string& path, const mjModel* m, double rate);

  // Adds a row when the next one is due. Numbers are written so that they read back exactly.
  void Record(const mjData* d);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void WriteHeader();

  const mjModel* m_;
  std::unique_ptr<std::FILE, Close> file_;
  double period_, next_ = 0;
};

}  // namespace sinew

#endif  // SINEW_APPS_TRAJECTORY_H_
