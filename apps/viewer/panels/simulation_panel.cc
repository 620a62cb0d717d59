// Time: running, the past, key frames, noise, the selected body, and a watched number.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

void DrawHistory(Session& session) {
  History& history = session.history();
  int back = history.at() - (history.size() - 1);
  if (ImGui::SliderInt("past", &back, -std::max(history.size() - 1, 0), 0)) {
    session.ShowPast(back + history.size() - 1);
  }
}

void DrawKeyframes(Session& session, ViewState& view) {
  const int keys = static_cast<int>(session.m()->nkey);
  if (keys == 0) return;
  view.keyframe = std::clamp(view.keyframe, 0, keys - 1);
  ImGui::SliderInt("keyframe", &view.keyframe, 0, keys - 1, NameOf(session.m(), mjOBJ_KEY, view.keyframe).c_str());
  if (ImGui::Button("load key")) session.ResetToKeyframe(view.keyframe);
  ImGui::SameLine();
  if (ImGui::Button("save key")) session.SaveKeyframe(view.keyframe);
}

void DrawSelection(Session& session, ViewState& view) {
  const int body = session.perturb.select;
  if (body <= 0) {
    ImGui::TextDisabled("double click selects a body");
    return;
  }
  ImGui::TextWrapped("selected: %s", NameOf(session.m(), mjOBJ_BODY, body).c_str());
  if (ImGui::Button("parent (Page up)")) view.wanted = Command::kSelectParent;
}

}  // namespace

void DrawSimulation(Session& session, ViewState& view) {
  if (ImGui::Button(session.paused ? "run" : "pause", ImVec2(Ems(4.5f), 0))) session.paused = !session.paused;
  ImGui::SameLine();
  if (ImGui::Button("<")) session.Step(-1);
  ImGui::SameLine();
  if (ImGui::Button(">")) session.Step(1);
  ImGui::SameLine();
  if (ImGui::Button("reset")) session.Reset();
  ImGui::SameLine();
  if (ImGui::Button("copy state")) view.wanted = Command::kCopyState;
  ImGui::Text("time %.3f s", session.d()->time);
  if (session.paused) {
    ImGui::Text("paused; speed set to %.3g of real time", session.speed());
  } else {
    ImGui::Text("speed %.3g of real time, set to %.3g", session.measured_speed(), session.speed());
  }
  if (ImGui::Button("slower (-)")) view.wanted = Command::kSlower;
  ImGui::SameLine();
  if (ImGui::Button("faster (+)")) view.wanted = Command::kFaster;
  DrawHistory(session);
  Slider("noise", &session.noise_scale, 0, 1);
  Slider("noise time", &session.noise_rate, 0.001, 2);
  DrawKeyframes(session, view);
  DrawSelection(session, view);
}

void DrawWatch(Session& session, ViewState& view) {
  ImGui::InputText("field", &view.watch_field);
  ImGui::InputInt("index", &view.watch_index);
  const auto value = WatchedNumber(session.m(), session.d(), view.watch_field, view.watch_index);
  if (!value) {
    ImGui::TextUnformatted("there is no such number");
    view.watched.clear();
    return;
  }
  ImGui::Text("%.6g", *value);
  if (!session.paused) Append(view.watched, *value);
  PlotLines("watched", {&view.watched, 1}, Ems(20), Ems(5));
}

}  // namespace sinew
