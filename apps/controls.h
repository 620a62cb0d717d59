// Recorded controls: a table of comma-separated values with a column "time" and a column "ctrl:NAME" for each actuator,
// as `sinew simulate --output` writes them. Other columns do not matter.
#ifndef SINEW_APPS_CONTROLS_H_
#define SINEW_APPS_CONTROLS_H_

#include <mujoco/mujoco.h>

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class RecordedControls {
 public:
  // Throws std::runtime_error, with the line, where the file is not such a table for this model.
  RecordedControls(const std::string& path, const mjModel* m);

  // Sets the controls: those of the last row whose time has come, and before the first row those of the first.
  void Apply(mjData* d);

 private:
  void ReadHeader(std::string_view line, const mjModel* m);
  void ReadRow(std::string_view line, int number);
  [[noreturn]] void Fail(int line, const std::string& problem) const;

  std::string path_;
  std::vector<size_t> columns_;  // of the time, then of each actuator
  std::vector<double> rows_;     // columns_.size() numbers each
  size_t at_ = 0;                // number of the row that holds
};

}  // namespace sinew

#endif  // SINEW_APPS_CONTROLS_H_
