#include "viewer/commands.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr KeyBinding kBindings[] = {
    {' ', false, false, Command::kPause, "Space bar", "pause, go on"},
    {kKeyRight, false, false, Command::kStep, "Right arrow", "one step on"},
    {kKeyLeft, false, false, Command::kStepBack, "Left arrow", "one step back"},
    {'=', false, false, Command::kFaster, "Plus", "faster"},
    {'=', false, true, Command::kFaster, "", ""},
    {kKeyPadPlus, false, false, Command::kFaster, "", ""},
    {'-', false, false, Command::kSlower, "Minus", "slower"},
    {kKeyPadMinus, false, false, Command::kSlower, "", ""},
    {kKeyBackspace, false, false, Command::kReset, "Backspace", "start again"},
    {kKeyPageUp, false, false, Command::kSelectParent, "Page up", "select the parent body"},
    {'O', true, false, Command::kOpen, "Ctrl + O", "open a file"},
    {'S', true, false, Command::kSave, "Ctrl + S", "save the model as XML or MJB"},
    {'L', true, false, Command::kReload, "Ctrl + L", "load the file again"},
    {'A', true, false, Command::kAlign, "Ctrl + A", "look at the whole model"},
    {kKeyEscape, false, false, Command::kFreeCamera, "Escape", "free camera"},
    {'[', false, false, Command::kPreviousCamera, "[ (left of ])", "previous camera"},
    {']', false, false, Command::kNextCamera, "] (right of [)", "next camera"},
    {kKeyTab, false, false, Command::kLeftPanel, "Tab", "left panel"},
    {kKeyTab, false, true, Command::kRightPanel, "Shift + Tab", "right panel"},
    {'=', true, false, Command::kLargerText, "Ctrl + Plus", "larger text"},
    {'=', true, true, Command::kLargerText, "", ""},
    {kKeyPadPlus, true, false, Command::kLargerText, "", ""},
    {'-', true, false, Command::kSmallerText, "Ctrl + Minus", "smaller text"},
    {kKeyPadMinus, true, false, Command::kSmallerText, "", ""},
    {kKeyF1, false, false, Command::kHelp, "F1", "this help"},
    {kKeyF1 + 1, false, false, Command::kInfo, "F2", "numbers of the simulation"},
    {kKeyF1 + 2, false, false, Command::kProfiler, "F3", "where time goes"},
    {kKeyF1 + 3, false, false, Command::kSensors, "F4", "plots of the sensors"},
    {kKeyF1 + 4, false, false, Command::kFullScreen, "F5", "full screen"},
    {kKeyF1 + 5, false, false, Command::kFrames, "F6", "frames of bodies, geoms, ..."},
    {kKeyF1 + 6, false, false, Command::kLabels, "F7", "labels of bodies, joints, ..."},
    {'P', true, false, Command::kScreenshot, "Ctrl + P", "picture of what is shown (PNG)"},
    {'R', true, false, Command::kRecord, "Ctrl + R", "record a video, end it"},
    {'C', true, false, Command::kCopyState, "Ctrl + C", "copy the state, as a keyframe"},
    {'K', true, false, Command::kCopyCamera, "Ctrl + K", "copy the camera, as an element"},
    {'M', true, false, Command::kPrintModel, "Ctrl + M", "write the model to MJMODEL.TXT"},
    {'D', true, false, Command::kPrintData, "Ctrl + D", "write the state to MJDATA.TXT"},
    {'Q', true, false, Command::kQuit, "Ctrl + Q", "quit"},
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

std::string ToggledByKey(int key) {
  for (const auto& row : mjVISSTRING) {
    if (IsKey(row[2], key)) return row[0];
  }
  for (const auto& row : mjRNDSTRING) {
    if (IsKey(row[2], key)) return row[0];
  }
  return "";
}

void CycleCamera(int by, int count, mjvCamera& camera) {
  const int all = count + 1;  // number 0 is the free camera
  const int now = camera.type == mjCAMERA_FIXED ? camera.fixedcamid + 1 : 0;
  const int next = ((now + by) % all + all) % all;
  camera.type = next == 0 ? mjCAMERA_FREE : mjCAMERA_FIXED;
  camera.fixedcamid = next - 1;
}

}  // namespace sinew
