// Keys and what they do: one table for the window, its help and its tests.
#ifndef SINEW_APPS_VIEWER_COMMANDS_H_
#define SINEW_APPS_VIEWER_COMMANDS_H_

#include <mujoco/mujoco.h>

#include <span>
#include <string>

namespace sinew {

enum class Command {
  kHelp,
  kInfo,
  kProfiler,
  kSensors,
  kFullScreen,
  kFrames,
  kLabels,
  kLeftPanel,
  kRightPanel,
  kSelectParent,
  kOpen,
  kSave,
  kLargerText,
  kSmallerText,
  kCopyCamera,
  kPause,
  kStep,
  kStepBack,
  kFaster,
  kSlower,
  kReset,
  kReload,
  kAlign,
  kFreeCamera,
  kPreviousCamera,
  kNextCamera,
  kScreenshot,
  kCopyState,
  kPrintModel,
  kPrintData,
  kRecord,
  kQuit,
};

struct KeyBinding {
  int key;  // as GLFW counts: letters and signs by their ASCII code
  bool control, shift;
  Command command;
  const char* name;  // of the key, as keyboards have it; "" for a second key that does the same
  const char* text;  // what it does
};

// Numbers of keys without a character (GLFW's).
inline constexpr int kKeyEscape = 256, kKeyTab = 258, kKeyBackspace = 259, kKeyRight = 262, kKeyLeft = 263,
                     kKeyPageUp = 266, kKeyF1 = 290, kKeyPadMinus = 333, kKeyPadPlus = 334;

std::span<const KeyBinding> KeyBindings();

// The command of a key, or null.
const KeyBinding* FindBinding(int key, bool control, bool shift);

// Groups by digits: of geoms, with shift of sites. Flags of visualization and rendering by their letters. Whether the
// key has changed something.
bool ToggleByKey(int key, bool shift, mjvOption& option, mjvScene& scene);

// What a letter toggles, in words; "" for keys that toggle nothing.
std::string ToggledByKey(int key);

// The next camera in a cycle of the free one (-1) and those of the model.
void CycleCamera(int by, int count, mjvCamera& camera);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_COMMANDS_H_
