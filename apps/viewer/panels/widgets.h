// Widgets on a model's own numbers. They need a frame of Dear ImGui, and no window.
#ifndef SINEW_APPS_VIEWER_PANELS_WIDGETS_H_
#define SINEW_APPS_VIEWER_PANELS_WIDGETS_H_

#include <mujoco/mujoco.h>

#include <initializer_list>
#include <span>

#include "viewer/view_state.h"

namespace sinew {

// So many times the height of the text, in pixels: sizes grow with the font.
float Ems(float count);

bool Check(const char* label, mjtByte* value);
bool CheckBit(const char* label, int* bits, int bit);
bool Number(const char* label, double* value, const char* format = "%.4g");
bool Numbers(const char* label, double* values, int count, const char* format = "%.3g");
// A whole number that is not below `least`.
bool Count(const char* label, int* value, int least = 0);
bool Slider(const char* label, double* value, double low, double high);
void Choice(const char* label, int* value, std::initializer_list<const char*> names);

// Lines over the last pictures, in one frame with one scale; under it, their least and largest values.
void PlotLines(const char* id, std::span<const Line> lines, float width, float height);

// A section that can be folded.
bool Section(const char* name, bool open);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_PANELS_WIDGETS_H_
