#include "viewer/panels/widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace sinew {
namespace {

// Colours of lines that are told apart by all (M. Okabe and K. Ito, Color universal design, 2008).
constexpr ImU32 kLineColours[] = {IM_COL32(86, 180, 233, 255),  IM_COL32(230, 159, 0, 255), IM_COL32(0, 158, 115, 255),
                                  IM_COL32(204, 121, 167, 255), IM_COL32(213, 94, 0, 255),  IM_COL32(0, 114, 178, 255)};

struct Bounds {
  float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
};

Bounds BoundsOf(std::span<const Line> lines) {
  Bounds bounds;
  for (const Line& line : lines) {
    for (const float value : line) {
      if (!std::isfinite(value)) continue;
      bounds.low = std::min(bounds.low, value);
      bounds.high = std::max(bounds.high, value);
    }
  }
  return bounds;
}

// A line within a rectangle; the newest value is at its right edge.
void DrawLine(const Line& line, const Bounds& bounds, ImVec2 corner, ImVec2 size, ImU32 colour) {
  const float range = bounds.high > bounds.low ? bounds.high - bounds.low : 1;
  std::vector<ImVec2> points;
  for (size_t i = 0; i < line.size(); ++i) {
    if (!std::isfinite(line[i])) continue;
    const float x = static_cast<float>(kLineLength - line.size() + i) / static_cast<float>(kLineLength - 1);
    const float y = bounds.high > bounds.low ? (line[i] - bounds.low) / range : 0.5f;
    points.emplace_back(corner.x + x * size.x, corner.y + (1 - y) * size.y);
  }
  ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, Ems(0.1f));
}

}  // namespace

float Ems(float count) { return count * ImGui::GetFontSize(); }

bool Check(const char* label, mjtByte* value) {
  bool on = *value != 0;
  if (!ImGui::Checkbox(label, &on)) return false;
  *value = on ? 1 : 0;
  return true;
}

bool CheckBit(const char* label, int* bits, int bit) {
  bool on = (*bits & bit) != 0;
  if (!ImGui::Checkbox(label, &on)) return false;
  *bits = on ? *bits | bit : *bits & ~bit;
  return true;
}

bool Number(const char* label, double* value, const char* format) {
  return ImGui::InputScalar(label, ImGuiDataType_Double, value, nullptr, nullptr, format);
}

bool Numbers(const char* label, double* values, int count, const char* format) {
  return ImGui::InputScalarN(label, ImGuiDataType_Double, values, count, nullptr, nullptr, format);
}

bool Count(const char* label, int* value, int least) {
  if (!ImGui::InputInt(label, value)) return false;
  *value = std::max(*value, least);
  return true;
}

bool Slider(const char* label, double* value, double low, double high) {
  return ImGui::SliderScalar(label, ImGuiDataType_Double, value, &low, &high, "%.3f");
}

void Choice(const char* label, int* value, std::initializer_list<const char*> names) {
  const std::vector<const char*> list(names);
  ImGui::Combo(label, value, list.data(), static_cast<int>(list.size()));
}

void PlotLines(const char* id, std::span<const Line> lines, float width, float height) {
  ImGui::PushID(id);
  const ImVec2 corner = ImGui::GetCursorScreenPos(), size(width, height);
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                                            ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
  const Bounds bounds = BoundsOf(lines);
  ImGui::PushClipRect(corner, ImVec2(corner.x + width, corner.y + height), true);
  for (size_t i = 0; i < lines.size(); ++i) {
    DrawLine(lines[i], bounds, corner, size, kLineColours[i % std::size(kLineColours)]);
  }
  ImGui::PopClipRect();
  ImGui::Dummy(size);
  if (bounds.low <= bounds.high)
    ImGui::TextDisabled("%.4g to %.4g", static_cast<double>(bounds.low), static_cast<double>(bounds.high));
  ImGui::PopID();
}

bool Section(const char* name, bool open) {
  return ImGui::CollapsingHeader(name, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

}  // namespace sinew
