#include "viewer/panels.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sinew {
namespace {

constexpr float kPanelWidth = 300, kMargin = 8;
constexpr size_t kPlotLength = 200;

// ---- widgets on the model's own numbers

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

bool Number(const char* label, double* value, const char* format = "%.4g") {
  return ImGui::InputScalar(label, ImGuiDataType_Double, value, nullptr, nullptr, format);
}

bool Slider(const char* label, double* value, double low, double high) {
  return ImGui::SliderScalar(label, ImGuiDataType_Double, value, &low, &high, "%.3f");
}

void Choice(const char* label, int* value, std::initializer_list<const char*> names) {
  const std::vector<const char*> list(names);
  ImGui::Combo(label, value, list.data(), static_cast<int>(list.size()));
}

std::string NameOf(const mjModel* m, int type, int id, const char* kind) {
  const char* name = mj_id2name(m, type, id);
  return name ? name : kind + std::string(" ") + std::to_string(id);
}

void Remember(std::vector<float>& list, double value) {
  if (list.size() == kPlotLength) list.erase(list.begin());
  list.push_back(static_cast<float>(value));
}

void Plot(const char* label, const std::vector<float>& values, const char* unit) {
  if (values.empty()) return;
  char text[64];
  std::snprintf(text, sizeof(text), "%.4g %s", static_cast<double>(values.back()), unit);
  ImGui::PlotLines(label, values.data(), static_cast<int>(values.size()), 0, text, 0.0f, FLT_MAX, ImVec2(220, 50));
}

// ---- the left panel

void DrawFile(Session& session, ViewState& view) {
  static std::string path;
  ImGui::TextWrapped("%s", session.path().c_str());
  ImGui::InputText("##path", &path);
  ImGui::SameLine();
  if (ImGui::Button("open")) view.opened = path;
  if (ImGui::Button("reload")) view.wanted = Command::kReload;
  ImGui::SameLine();
  if (ImGui::Button("screenshot")) view.wanted = Command::kScreenshot;
  ImGui::SameLine();
  if (ImGui::Button(view.recording ? "stop video" : "video")) view.wanted = Command::kRecord;
}

void DrawHistory(Session& session) {
  History& history = session.history();
  int back = history.at() - (history.size() - 1);
  if (ImGui::SliderInt("past", &back, -std::max(history.size() - 1, 0), 0)) {
    session.ShowPast(back + history.size() - 1);
  }
}

void DrawSimulation(Session& session, ViewState& view) {
  if (ImGui::Button(session.paused ? "run" : "pause", ImVec2(60, 0))) session.paused = !session.paused;
  ImGui::SameLine();
  if (ImGui::Button("<")) session.Step(-1);
  ImGui::SameLine();
  if (ImGui::Button(">")) session.Step(1);
  ImGui::SameLine();
  if (ImGui::Button("reset")) session.Reset();
  ImGui::SameLine();
  if (ImGui::Button("copy state")) view.wanted = Command::kCopyState;
  ImGui::Text("time %.3f s, speed %.3g (%.3g)", session.d()->time, session.speed(), session.measured_speed());
  DrawHistory(session);
  double scale = session.noise_scale, rate = session.noise_rate;
  if (Slider("noise", &scale, 0, 1)) session.noise_scale = scale;
  if (Slider("noise time", &rate, 0.001, 2)) session.noise_rate = rate;
  const int keys = static_cast<int>(session.m()->nkey);
  if (keys == 0) return;
  view.keyframe = std::clamp(view.keyframe, 0, keys - 1);
  ImGui::SliderInt("keyframe", &view.keyframe, 0, keys - 1,
                   NameOf(session.m(), mjOBJ_KEY, view.keyframe, "key").c_str());
  if (ImGui::Button("load key")) session.ResetToKeyframe(view.keyframe);
  ImGui::SameLine();
  if (ImGui::Button("save key")) session.SaveKeyframe(view.keyframe);
}

void DrawPhysics(mjModel* m) {
  mjOption& opt = m->opt;
  Choice("integrator", &opt.integrator, {"Euler", "RK4", "implicit", "implicitfast"});
  Choice("cone", &opt.cone, {"pyramidal", "elliptic"});
  Choice("jacobian", &opt.jacobian, {"dense", "sparse", "auto"});
  Choice("solver", &opt.solver, {"PGS", "CG", "Newton"});
  if (Number("timestep", &opt.timestep)) opt.timestep = std::max(opt.timestep, 1e-6);
  ImGui::InputInt("iterations", &opt.iterations);
  Number("tolerance", &opt.tolerance, "%.2e");
  ImGui::InputInt("ls iterations", &opt.ls_iterations);
  Number("ls tolerance", &opt.ls_tolerance, "%.2e");
  Number("impratio", &opt.impratio);
  ImGui::InputScalarN("gravity", ImGuiDataType_Double, opt.gravity, 3, nullptr, nullptr, "%.3g");
  ImGui::InputScalarN("wind", ImGuiDataType_Double, opt.wind, 3, nullptr, nullptr, "%.3g");
  ImGui::InputScalarN("magnetic", ImGuiDataType_Double, opt.magnetic, 3, nullptr, nullptr, "%.3g");
  Number("density", &opt.density);
  Number("viscosity", &opt.viscosity);
  if (ImGui::TreeNode("Disable")) {
    for (int i = 0; i < mjNDISABLE; ++i) CheckBit(mjDISABLESTRING[i], &opt.disableflags, 1 << i);
    ImGui::TreePop();
  }
  if (ImGui::TreeNode("Enable")) {
    for (int i = 0; i < mjNENABLE; ++i) CheckBit(mjENABLESTRING[i], &opt.enableflags, 1 << i);
    ImGui::TreePop();
  }
  if (ImGui::TreeNode("Actuator groups off")) {
    for (int i = 0; i < mjNGROUP; ++i) CheckBit(("group " + std::to_string(i)).c_str(), &opt.disableactuator, 1 << i);
    ImGui::TreePop();
  }
}

void DrawCameras(const mjModel* m, ViewState& view) {
  const bool fixed = view.camera.type == mjCAMERA_FIXED;
  const std::string name = fixed ? NameOf(m, mjOBJ_CAMERA, view.camera.fixedcamid, "camera")
                           : view.camera.type == mjCAMERA_TRACKING ? "tracking"
                                                                   : "free";
  if (!ImGui::BeginCombo("camera", name.c_str())) return;
  if (ImGui::Selectable("free", !fixed)) view.camera.type = mjCAMERA_FREE;
  for (int i = 0; i < m->ncam; ++i) {
    if (!ImGui::Selectable(NameOf(m, mjOBJ_CAMERA, i, "camera").c_str(), fixed && view.camera.fixedcamid == i))
      continue;
    view.camera.type = mjCAMERA_FIXED;
    view.camera.fixedcamid = i;
  }
  ImGui::EndCombo();
}

void DrawRendering(const mjModel* m, ViewState& view) {
  DrawCameras(m, view);
  ImGui::Combo("label", &view.option.label, mjLABELSTRING, mjNLABEL);
  ImGui::Combo("frame", &view.option.frame, mjFRAMESTRING, mjNFRAME);
  if (ImGui::TreeNode("Model elements")) {
    for (int i = 0; i < mjNVISFLAG; ++i) Check(mjVISSTRING[i][0], &view.option.flags[i]);
    ImGui::SliderInt("tree depth", &view.option.bvh_depth, 0, 20);
    ImGui::SliderInt("flex layer", &view.option.flex_layer, 0, 10);
    ImGui::TreePop();
  }
  if (ImGui::TreeNode("Effects")) {
    for (int i = 0; i < mjNRNDFLAG; ++i) Check(mjRNDSTRING[i][0], &view.scene.flags[i]);
    ImGui::TreePop();
  }
}

void DrawGroups(mjvOption& option) {
  struct Groups {
    const char* name;
    mjtByte* shown;
  };
  const Groups all[] = {{"geoms", option.geomgroup},         {"sites", option.sitegroup},
                        {"joints", option.jointgroup},       {"tendons", option.tendongroup},
                        {"actuators", option.actuatorgroup}, {"flexes", option.flexgroup},
                        {"skins", option.skingroup}};
  for (const Groups& groups : all) {
    ImGui::PushID(groups.name);
    for (int i = 0; i < mjNGROUP; ++i) {
      ImGui::PushID(i);
      Check("##", &groups.shown[i]);
      ImGui::PopID();
      ImGui::SameLine();
    }
    ImGui::TextUnformatted(groups.name);
    ImGui::PopID();
  }
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
  if (!session.paused) {
    if (view.watched.size() == kPlotLength) view.watched.pop_front();
    view.watched.push_back(static_cast<float>(*value));
  }
  const std::vector<float> values(view.watched.begin(), view.watched.end());
  ImGui::PlotLines("##watched", values.data(), static_cast<int>(values.size()), 0, nullptr, FLT_MAX, FLT_MAX,
                   ImVec2(kPanelWidth - 30, 70));
}

// ---- the right panel

void DrawJoints(Session& session) {
  const mjModel* m = session.m();
  bool moved = false;
  for (int i = 0; i < m->njnt; ++i) {
    if (m->jnt_type[i] != mjJNT_HINGE && m->jnt_type[i] != mjJNT_SLIDE) continue;
    const double* range = m->jnt_range + 2 * i;
    const double reach = m->jnt_type[i] == mjJNT_SLIDE ? m->stat.extent : mjPI;
    const bool limited = m->jnt_limited[i] != 0;
    ImGui::PushID(i);
    moved |= Slider(NameOf(m, mjOBJ_JOINT, i, "joint").c_str(), session.d()->qpos + m->jnt_qposadr[i],
                    limited ? range[0] : -reach, limited ? range[1] : reach);
    ImGui::PopID();
  }
  if (moved) mj_forward(m, session.d());
}

void DrawControls(Session& session) {
  const mjModel* m = session.m();
  if (ImGui::Button("all to zero")) mju_zero(session.d()->ctrl, static_cast<int>(m->nu));
  for (int i = 0; i < m->nu; ++i) {
    const double* range = m->actuator_ctrlrange + 2 * i;
    const bool limited = m->actuator_ctrllimited[i] != 0;
    ImGui::PushID(i);
    Slider(NameOf(m, mjOBJ_ACTUATOR, i, "actuator").c_str(), session.d()->ctrl + i, limited ? range[0] : -1,
           limited ? range[1] : 1);
    ImGui::PopID();
  }
}

void DrawEqualities(Session& session) {
  const mjModel* m = session.m();
  for (int i = 0; i < m->neq; ++i) {
    ImGui::PushID(i);
    Check(NameOf(m, mjOBJ_EQUALITY, i, "equality").c_str(), session.d()->eq_active + i);
    ImGui::PopID();
  }
}

// ---- windows

void DrawHelp() {
  ImGui::SetNextWindowPos(ImVec2(kPanelWidth + 3 * kMargin, 3 * kMargin), ImGuiCond_Appearing);
  ImGui::Begin("Keys and mouse", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  const auto line = [](const char* key, const char* text) {
    ImGui::TextDisabled("%-22s", key);
    ImGui::SameLine();
    ImGui::TextUnformatted(text);
  };
  for (const KeyBinding& binding : KeyBindings()) line(binding.name, binding.text);
  line("0-5, Shift 0-5", "groups of geoms, of sites");
  line("letters", "model elements and effects, as in the left panel");
  ImGui::Separator();
  line("left drag", "turn the camera (Shift: about the vertical)");
  line("right drag", "move it (Shift: over the ground)");
  line("wheel, middle drag", "nearer, farther");
  line("double click", "select; right: look there; Ctrl right: follow");
  line("Ctrl left, right drag", "turn, pull what is selected");
  line("dropped file", "open it");
  ImGui::End();
}

void DrawInfo(Session& session) {
  const mjModel* m = session.m();
  const mjData* d = session.d();
  ImGui::SetNextWindowPos(ImVec2(kPanelWidth + 3 * kMargin, 3 * kMargin), ImGuiCond_Appearing);
  ImGui::Begin("Numbers", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::Text("time        %.3f s", d->time);
  ImGui::Text("speed       %.3g of %.3g", session.measured_speed(), session.speed());
  ImGui::Text("bodies      %d, degrees of freedom %d", static_cast<int>(m->nbody), static_cast<int>(m->nv));
  ImGui::Text("contacts    %d, constraint rows %d", d->ncon, d->nefc);
  ImGui::Text("iterations  %d", d->solver_niter[0]);
  const bool energy = (m->opt.enableflags & mjENBL_ENERGY) != 0;
  if (energy) ImGui::Text("energy      %.4g + %.4g J", d->energy[0], d->energy[1]);
  ImGui::Text("memory      %.1f of %.1f MB", static_cast<double>(d->maxuse_arena) / 1e6,
              static_cast<double>(d->narena) / 1e6);
  for (int i = 0; i < mjNWARNING; ++i) {
    if (d->warning[i].number > 0) ImGui::TextWrapped("%s", mju_warningText(i, d->warning[i].lastinfo));
  }
  ImGui::End();
}

void DrawProfiler(Session& session, const ViewState& view) {
  ImGui::SetNextWindowPos(ImVec2(kPanelWidth + 3 * kMargin, 300), ImGuiCond_Appearing);
  ImGui::Begin("Profiler", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  Plot("step", view.step_times, "us");
  Plot("contacts", view.contact_counts, "");
  Plot("rows", view.row_counts, "");
  Plot("iterations", view.iteration_counts, "");
  const mjData* d = session.d();
  for (int i = 0; i < mjNTIMER; ++i) {
    const mjTimerStat& timer = d->timer[i];
    if (timer.number > 0) ImGui::Text("%-16s %9.2f us", mjTIMERSTRING[i], 1e6 * timer.duration / timer.number);
  }
  ImGui::End();
}

void DrawSensors(Session& session, float width, float height) {
  const mjModel* m = session.m();
  ImGui::SetNextWindowPos(ImVec2(width - 2 * kPanelWidth - 2 * kMargin, height - 260), ImGuiCond_Appearing);
  ImGui::Begin("Sensors", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  if (m->nsensor == 0) ImGui::TextUnformatted("the model has no sensors");
  for (int i = 0; i < m->nsensor; ++i) {
    const int count = m->sensor_dim[i];
    std::vector<float> values(static_cast<size_t>(count));
    const double scale = m->sensor_cutoff[i] > 0 ? 1 / m->sensor_cutoff[i] : 1;
    for (int k = 0; k < count; ++k) {
      values[static_cast<size_t>(k)] = static_cast<float>(session.d()->sensordata[m->sensor_adr[i] + k] * scale);
    }
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", static_cast<double>(values.empty() ? 0.0f : values[0]));
    ImGui::PushID(i);
    ImGui::PlotHistogram(NameOf(m, mjOBJ_SENSOR, i, "sensor").c_str(), values.data(), count, 0,
                         count == 1 ? text : nullptr, FLT_MAX, FLT_MAX, ImVec2(160, 24));
    ImGui::PopID();
  }
  ImGui::End();
}

bool Section(const char* name, bool open) {
  return ImGui::CollapsingHeader(name, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void DrawLeft(Session& session, ViewState& view, float height) {
  ImGui::SetNextWindowPos(ImVec2(kMargin, kMargin));
  ImGui::SetNextWindowSize(ImVec2(kPanelWidth, height - 2 * kMargin));
  ImGui::Begin("##left", nullptr, ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar);
  ImGui::PushItemWidth(150);
  if (Section("File", true)) DrawFile(session, view);
  if (session.loaded()) {
    if (Section("Simulation", true)) DrawSimulation(session, view);
    if (Section("Physics", false)) DrawPhysics(session.m());
    if (Section("Rendering", true)) DrawRendering(session.m(), view);
    if (Section("Groups", false)) DrawGroups(view.option);
    if (Section("Watch", false)) DrawWatch(session, view);
  }
  ImGui::PopItemWidth();
  ImGui::End();
}

void DrawRight(Session& session, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(width - kPanelWidth - kMargin, kMargin));
  ImGui::SetNextWindowSize(ImVec2(kPanelWidth, height - 2 * kMargin));
  ImGui::Begin("##right", nullptr, ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar);
  ImGui::PushItemWidth(150);
  const mjModel* m = session.m();
  if (m->njnt > 0 && Section("Joints", true)) DrawJoints(session);
  if (m->nu > 0 && Section("Controls", true)) DrawControls(session);
  if (m->neq > 0 && Section("Equalities", false)) DrawEqualities(session);
  ImGui::PopItemWidth();
  ImGui::End();
}

// Errors stay until they are read; a model that cannot be loaded leaves the last one running.
void DrawError(Session& session, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(width / 2, height - kMargin), ImGuiCond_Always, ImVec2(0.5f, 1));
  ImGui::SetNextWindowSize(ImVec2(std::max(width - 2 * kPanelWidth - 4 * kMargin, 320.0f), 0));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.45f, 0.08f, 0.08f, 0.95f));
  ImGui::Begin("##error", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextWrapped("%s", session.error().c_str());
  if (ImGui::Button("close")) session.ClearError();
  ImGui::End();
  ImGui::PopStyleColor();
}

void DrawNotice(const std::string& notice, float width) {
  ImGui::SetNextWindowPos(ImVec2(width / 2, kMargin), ImGuiCond_Always, ImVec2(0.5f, 0));
  ImGui::Begin("##notice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
  ImGui::TextUnformatted(notice.c_str());
  ImGui::End();
}

}  // namespace

void RecordPlots(Session& session, ViewState& view) {
  if (session.paused || !session.loaded()) return;
  mjData* d = session.d();
  mjTimerStat& step = d->timer[mjTIMER_STEP];
  Remember(view.step_times, step.number > 0 ? 1e6 * step.duration / step.number : 0);
  Remember(view.contact_counts, d->ncon);
  Remember(view.row_counts, d->nefc);
  Remember(view.iteration_counts, d->solver_niter[0]);
}

void DrawPanels(Session& session, ViewState& view, float width, float height) {
  if (view.left_panel) DrawLeft(session, view, height);
  if (view.right_panel && session.loaded()) DrawRight(session, width, height);
  if (view.help) DrawHelp();
  if (view.info && session.loaded()) DrawInfo(session);
  if (view.profiler && session.loaded()) DrawProfiler(session, view);
  if (view.sensors && session.loaded()) DrawSensors(session, width, height);
  if (!session.error().empty()) DrawError(session, width, height);
  if (!view.notice.empty()) DrawNotice(view.notice, width);
}

}  // namespace sinew
