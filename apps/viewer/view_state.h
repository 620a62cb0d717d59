// What the window shows beside the session: camera, flags, which panels are open. Panels change it.
#ifndef SINEW_APPS_VIEWER_VIEW_STATE_H_
#define SINEW_APPS_VIEWER_VIEW_STATE_H_

#include <mujoco/mujoco.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "viewer/commands.h"

namespace sinew {

struct ViewState {
  mjvOption option = {};
  mjvCamera camera = {};
  mjvScene scene = {};
  bool left_panel = true, right_panel = true, help = false, info = false, profiler = false, sensors = false;
  int keyframe = 0;
  std::string watch_field = "qpos";
  int watch_index = 0;
  std::deque<float> watched;
  std::string notice;                 // shown for a while
  std::optional<Command> wanted;      // by a button
  std::optional<std::string> opened;  // a path that was entered
  bool recording = false;
  std::vector<float> step_times, contact_counts, row_counts, iteration_counts;  // of the last pictures, oldest first
};

// One of an array's numbers, by the name that mjData gives it; nothing for names and indices that there are not.
std::optional<double> WatchedNumber(const mjModel* m, const mjData* d, const std::string& field, int index);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_VIEW_STATE_H_
