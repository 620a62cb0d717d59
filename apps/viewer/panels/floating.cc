// Windows that float above the picture: help, numbers, where time goes, sensors.
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

constexpr int kFloating = ImGuiWindowFlags_AlwaysAutoResize;

void KeyLine(const std::string& key, const char* text) {
  ImGui::TextDisabled("%s", key.c_str());
  ImGui::SameLine(Ems(11));
  ImGui::TextUnformatted(text);
}

void Column(const char* title) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(title);
  ImGui::Separator();
}

void DrawMouseHelp() {
  KeyLine("Left drag", "turn the camera (Shift: about the vertical)");
  KeyLine("Right drag", "move it (Shift: over the ground)");
  KeyLine("Wheel, middle drag", "nearer, farther");
  KeyLine("Double click", "select a body");
  KeyLine("Right double click", "look there (Ctrl: follow the body)");
  KeyLine("Ctrl + left drag", "turn the selected body");
  KeyLine("Ctrl + right drag", "pull the selected body");
  KeyLine("Dropped file", "open it");
  KeyLine("Ctrl + click", "on a slider: write its number");
}

void Plot(const char* label, const Line& values, const char* unit) {
  if (values.empty()) return;
  ImGui::Text("%s: %.4g %s", label, static_cast<double>(values.back()), unit);
  PlotLines(label, {&values, 1}, Ems(18), Ems(3));
}

// The values of a sensor in a line: as many as are plotted.
std::string ValuesOf(const mjModel* m, const mjData* d, int sensor) {
  std::string text;
  char number[32];
  for (int k = 0; k < std::min(m->sensor_dim[sensor], kSensorLines); ++k) {
    std::snprintf(number, sizeof(number), k ? "  %.4g" : "%.4g", d->sensordata[m->sensor_adr[sensor] + k]);
    text += number;
  }
  return m->sensor_dim[sensor] > kSensorLines ? text + " ..." : text;
}

}  // namespace

void DrawHelp(float x, float y) {
  ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Appearing);
  ImGui::Begin("Keys and mouse", nullptr, kFloating);
  ImGui::BeginTable("columns", 2);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, Ems(26));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, Ems(32));
  Column("Keys");
  for (const KeyBinding& binding : KeyBindings()) {
    if (binding.name[0]) KeyLine(binding.name, binding.text);
  }
  Column("Mouse");
  DrawMouseHelp();
  ImGui::Spacing();
  ImGui::TextUnformatted("Show and hide");
  ImGui::Separator();
  KeyLine("0 to 5", "groups of geoms (Shift: of sites)");
  for (int key = '!'; key <= '~'; ++key) {
    const std::string toggled = key >= 'a' && key <= 'z' ? "" : ToggledByKey(key);
    if (!toggled.empty()) KeyLine(std::string(1, static_cast<char>(key)), toggled.c_str());
  }
  ImGui::EndTable();
  ImGui::End();
}

void DrawInfo(Session& session, float x, float y) {
  const mjModel* m = session.m();
  const mjData* d = session.d();
  ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Appearing);
  ImGui::Begin("Numbers", nullptr, kFloating);
  ImGui::Text("time: %.3f s", d->time);
  ImGui::Text("speed: %.3g of real time, set to %.3g", session.measured_speed(), session.speed());
  ImGui::Text("bodies: %d, degrees of freedom: %d", static_cast<int>(m->nbody), static_cast<int>(m->nv));
  ImGui::Text("contacts: %d, constraint rows: %d", d->ncon, d->nefc);
  ImGui::Text("iterations: %d", d->solver_niter[0]);
  const bool energy = (m->opt.enableflags & mjENBL_ENERGY) != 0;
  if (energy) ImGui::Text("energy: %.4g + %.4g J", d->energy[0], d->energy[1]);
  ImGui::Text("memory: %.1f of %.1f MB", static_cast<double>(d->maxuse_arena) / 1e6,
              static_cast<double>(d->narena) / 1e6);
  for (int i = 0; i < mjNWARNING; ++i) {
    if (d->warning[i].number > 0) ImGui::TextWrapped("%s", mju_warningText(i, d->warning[i].lastinfo));
  }
  ImGui::End();
}

void DrawProfiler(Session& session, const ViewState& view, float x, float y) {
  ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(FLT_MAX, ImGui::GetIO().DisplaySize.y - y - Ems(1)));
  ImGui::Begin("Where time goes", nullptr, kFloating);
  Plot("a step", view.step_times, "us");
  Plot("contacts", view.contact_counts, "");
  Plot("rows", view.row_counts, "");
  Plot("iterations", view.iteration_counts, "");
  const mjData* d = session.d();
  for (int i = 0; i < mjNTIMER; ++i) {
    const mjTimerStat& timer = d->timer[i];
    if (timer.number == 0) continue;
    ImGui::TextUnformatted(mjTIMERSTRING[i]);
    ImGui::SameLine(Ems(10));
    ImGui::Text("%.2f us", 1e6 * timer.duration / timer.number);
  }
  ImGui::End();
}

void DrawSensors(Session& session, const ViewState& view, float x, float y, float height) {
  const mjModel* m = session.m();
  ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints(ImVec2(Ems(22), 0), ImVec2(Ems(40), std::max(height - 2 * y, Ems(10))));
  ImGui::Begin("Sensors", nullptr, kFloating);
  if (m->nsensor == 0) ImGui::TextUnformatted("the model has no sensors");
  for (int i = 0; i < m->nsensor; ++i) {
    const auto index = static_cast<size_t>(i);
    ImGui::PushID(i);
    ImGui::TextUnformatted(NameOf(m, mjOBJ_SENSOR, i).c_str());
    ImGui::TextDisabled("%s", ValuesOf(m, session.d(), i).c_str());
    if (index < view.sensor_lines.size()) PlotLines("lines", view.sensor_lines[index], Ems(20), Ems(3.5f));
    ImGui::PopID();
  }
  ImGui::End();
}

}  // namespace sinew
