#include "viewer/panels/panels.h"

#include <imgui.h>

#include <algorithm>

#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

constexpr float kPanelEms = 23, kWidgetEms = 11, kMarginEms = 0.6f;

constexpr int kPanelFlags = ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar;

void DrawLeft(Session& session, ViewState& view, float height) {
  const float margin = Ems(kMarginEms);
  ImGui::SetNextWindowPos(ImVec2(margin, margin));
  ImGui::SetNextWindowSize(ImVec2(Ems(kPanelEms), height - 2 * margin));
  ImGui::Begin("##left", nullptr, kPanelFlags);
  ImGui::PushItemWidth(Ems(kWidgetEms));
  if (Section("File", true)) DrawFile(session, view);
  if (session.loaded()) {
    if (Section("Simulation", true)) DrawSimulation(session, view);
    if (Section("Physics", false)) DrawPhysics(session.m());
    if (Section("Rendering", true)) DrawRendering(session.m(), view);
    if (Section("Visualization", false)) DrawVisualization(session.m());
    if (Section("Groups", false)) DrawGroups(view.option);
    if (Section("Watch", false)) DrawWatch(session, view);
  }
  if (Section("Window", false)) DrawLook(view);
  ImGui::PopItemWidth();
  ImGui::End();
}

void DrawRight(Session& session, float width, float height) {
  const float margin = Ems(kMarginEms);
  ImGui::SetNextWindowPos(ImVec2(width - Ems(kPanelEms) - margin, margin));
  ImGui::SetNextWindowSize(ImVec2(Ems(kPanelEms), height - 2 * margin));
  ImGui::Begin("##right", nullptr, kPanelFlags);
  ImGui::PushItemWidth(Ems(kWidgetEms));
  const mjModel* m = session.m();
  if (m->njnt > 0 && Section("Joints", true)) DrawJoints(session);
  if (m->nu > 0 && Section("Controls", true)) DrawControls(session);
  if (m->neq > 0 && Section("Equalities", false)) DrawEqualities(session);
  ImGui::PopItemWidth();
  ImGui::End();
}

// Errors stay until they are read; a model that cannot be loaded leaves the last one running.
void DrawError(Session& session, float width, float height) {
  const float margin = Ems(kMarginEms), room = width - 2 * Ems(kPanelEms) - 4 * margin;
  ImGui::SetNextWindowPos(ImVec2(width / 2, height - margin), ImGuiCond_Always, ImVec2(0.5f, 1));
  ImGui::SetNextWindowSize(ImVec2(std::max(room, Ems(kPanelEms)), 0));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.45f, 0.08f, 0.08f, 0.95f));
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1, 1, 1, 1));
  ImGui::Begin("##error", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextWrapped("%s", session.error().c_str());
  if (ImGui::Button("close")) session.ClearError();
  ImGui::End();
  ImGui::PopStyleColor(2);
}

void DrawNotice(const std::string& notice, float width) {
  ImGui::SetNextWindowPos(ImVec2(width / 2, Ems(kMarginEms)), ImGuiCond_Always, ImVec2(0.5f, 0));
  ImGui::Begin("##notice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
  ImGui::TextUnformatted(notice.c_str());
  ImGui::End();
}

}  // namespace

void RecordPlots(Session& session, ViewState& view) {
  if (session.paused || session.held || !session.loaded()) return;
  mjData* d = session.d();
  const mjTimerStat& step = d->timer[mjTIMER_STEP];
  Append(view.step_times, step.number > 0 ? 1e6 * step.duration / step.number : 0);
  Append(view.contact_counts, d->ncon);
  Append(view.row_counts, d->nefc);
  Append(view.iteration_counts, d->solver_niter[0]);
  RecordSensors(session.m(), d, view.sensor_lines);
}

void DrawPanels(Session& session, ViewState& view, float width, float height) {
  // Windows first appear between the panels, in a row below each other, and move where there is no room.
  const float x = Ems(kPanelEms + 2 * kMarginEms), y = Ems(2 * kMarginEms);
  session.held = false;
  if (view.left_panel) DrawLeft(session, view, height);
  if (view.right_panel && session.loaded()) DrawRight(session, width, height);
  if (view.help) DrawHelp(x, y);
  if (view.info && session.loaded()) DrawInfo(session, x, y);
  if (view.profiler && session.loaded()) DrawProfiler(session, view, x, y + Ems(13));
  if (view.sensors && session.loaded()) {
    const float right = view.right_panel ? Ems(kPanelEms + 2 * kMarginEms) : Ems(2 * kMarginEms);
    DrawSensors(session, view, std::max(x, width - right - Ems(kPanelEms)), y, height);
  }
  if (view.dialog.purpose() != FileDialog::Purpose::kClosed) DrawFileDialog(view);
  if (!session.error().empty()) DrawError(session, width, height);
  if (!view.notice.empty()) DrawNotice(view.notice, width);
}

}  // namespace sinew
