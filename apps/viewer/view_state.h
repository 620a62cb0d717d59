// What the window shows beside the session: camera, flags, which panels are open, how they look. Panels change it.
#ifndef SINEW_APPS_VIEWER_VIEW_STATE_H_
#define SINEW_APPS_VIEWER_VIEW_STATE_H_

#include <mujoco/mujoco.h>

#include <optional>
#include <string>
#include <vector>

#include "viewer/commands.h"
#include "viewer/file_dialog.h"

namespace sinew {

// The last values of a number, oldest first.
using Line = std::vector<float>;
inline constexpr size_t kLineLength = 200;
// Adds a value; the oldest one gives way.
void Append(Line& line, double value);

// Colours of panels, in the order of their names in panels/style.cc.
enum class Colours { kDark, kLight, kClassic };

// How panels look.
struct Look {
  Colours colours = Colours::kDark;
  int text_percent = 100;  // of kTextPixels (panels/style.h); kLeastText to kMostText
  bool operator==(const Look&) const = default;
};
inline constexpr int kLeastText = 60, kMostText = 400, kTextStep = 20;

struct ViewState {
  mjvOption option = {};
  mjvCamera camera = {};
  mjvScene scene = {};
  Look look;
  bool left_panel = true, right_panel = true, help = false, info = false, profiler = false, sensors = false;
  bool vertical_sync = true;
  int keyframe = 0;
  std::string watch_field = "qpos";
  int watch_index = 0;
  Line watched;
  std::string notice;             // shown for a while
  std::optional<Command> wanted;  // by a button
  FileDialog dialog;
  std::optional<std::string> opened, saved;  // paths that were chosen
  bool recording = false;
  Line step_times, contact_counts, row_counts, iteration_counts;  // of the last pictures
  std::vector<std::vector<Line>> sensor_lines;                    // of each sensor, of its first kSensorLines values
};
inline constexpr int kSensorLines = 6;

// Adds what plots show of the state that is there now. Lines of another model are dropped.
void RecordSensors(const mjModel* m, const mjData* d, std::vector<std::vector<Line>>& lines);

// One of an array's numbers, by the name that mjData gives it; nothing for names and indices that there are not.
std::optional<double> WatchedNumber(const mjModel* m, const mjData* d, const std::string& field, int index);

// The camera that a scene is seen by, as the element <camera/> of a model.
std::string CameraAsElement(const mjvScene& scene, double fovy);

// The name of an object, or its kind and number.
std::string NameOf(const mjModel* m, int type, int id);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_VIEW_STATE_H_
