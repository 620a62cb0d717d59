#include "viewer/commands.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr KeyBinding kBindings[] = {
    {' ', false, false, Command::kPause, "Space", "pause, go on"},
    {kKeyRight, false, false, Command::kStep, "Right", "one step on"},
    {kKeyLeft, false, false, Command::kStepBack, "Left", "one step back"},
    {'=', false, false, Command::kFaster, "=", "faster"},
    {'-', false, false, Command::kSlower, "-", "slower"},
    {kKeyBackspace, false, false, Command::kReset, "Backspace", "start again"},
    {'L', true, false, Command::kReload, "Ctrl L", "load the file again"},
    {'A', true, false, Command::kAlign, "Ctrl A", "look at the whole model"},
    {kKeyEscape, false, false, Command::kFreeCamera, "Esc", "free camera"},
    {'[', false, false, Command::kPreviousCamera, "[", "previous camera"},
    {']', false, false, Command::kNextCamera, "]", "next camera"},
    {kKeyTab, false, false, Command::kLeftPanel, "Tab", "left panel"},
    {kKeyTab, false, true, Command::kRightPanel, "Shift Tab", "right panel"},
    {kKeyF1, false, false, Command::kHelp, "F1", "this help"},
    {kKeyF1 + 1, false, false, Command::kInfo, "F2", "numbers"},
    {kKeyF1 + 2, false, false, Command::kProfiler, "F3", "profiler"},
    {kKeyF1 + 3, false, false, Command::kSensors, "F4", "sensors"},
    {kKeyF1 + 4, false, false, Command::kFullScreen, "F5", "full screen"},
    {kKeyF1 + 5, false, false, Command::kFrames, "F6", "frames"},
    {kKeyF1 + 6, false, false, Command::kLabels, "F7", "labels"},
    {'P', true, false, Command::kScreenshot, "Ctrl P", "screenshot"},
    {'R', true, false, Command::kRecord, "Ctrl R", "record a video, end it"},
    {'C', true, false, Command::kCopyState, "Ctrl C", "copy the state as a keyframe"},
    {'M', true, false, Command::kPrintModel, "Ctrl M", "write the model to MJMODEL.TXT"},
    {'D', true, false, Command::kPrintData, "Ctrl D", "write the data to MJDATA.TXT"},
    {'Q', true, false, Command::kQuit, "Ctrl Q", "quit"},
};

// Whether a flag's key, as its table of names has it, is the one that was pressed.
bool IsKey(const char* shortcut, int key) { return shortcut[0] && !shortcut[1] && shortcut[0] == key; }

}  // namespace

std::span<const KeyBinding> KeyBindings() { return kBindings; }

const KeyBinding* FindBinding(int key, bool control, bool shift) {
  const auto found = std::ranges::find_if(
      kBindings, [&](const KeyBinding& b) { return b.key == key && b.control == control && b.shift == shift; });
  return found == std::end(kBindings) ? nullptr : found;
}

bool ToggleByKey(int key, bool shift, mjvOption& option, mjvScene& scene) {
  if (key >= '0' && key < '0' + mjNGROUP) {
    mjtByte& shown = (shift ? option.sitegroup : option.geomgroup)[key - '0'];
    shown = !shown;
    return true;
  }
  for (int i = 0; i < mjNVISFLAG; ++i) {
    if (!IsKey(mjVISSTRING[i][2], key)) continue;
    option.flags[i] = !option.flags[i];
    return true;
  }
  for (int i = 0; i < mjNRNDFLAG; ++i) {
    if (!IsKey(mjRNDSTRING[i][2], key)) continue;
    scene.flags[i] = !scene.flags[i];
    return true;
  }
  return false;
}

void CycleCamera(int by, int count, mjvCamera& camera) {
  const int all = count + 1;  // number 0 is the free camera
  const int now = camera.type == mjCAMERA_FIXED ? camera.fixedcamid + 1 : 0;
  const int next = ((now + by) % all + all) % all;
  camera.type = next == 0 ? mjCAMERA_FREE : mjCAMERA_FIXED;
  camera.fixedcamid = next - 1;
}

}  // namespace sinew
