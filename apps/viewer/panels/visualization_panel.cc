// How decorations, light and air are drawn: the fields of mjVisual that pictures take up at once.
#include <imgui.h>

#include <span>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

struct Row {
  const char* name;
  float* value;
  float low, high;
};

// On a logarithmic scale, except where the lowest value is zero: sizes are set by their proportions.
void DrawRows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    ImGui::SliderFloat(row.name, row.value, row.low, row.high, "%.4g", row.low > 0 ? ImGuiSliderFlags_Logarithmic : 0);
  }
}

void DrawHeadlight(mjVisual& vis) {
  bool active = vis.headlight.active != 0;
  if (ImGui::Checkbox("active", &active)) vis.headlight.active = active ? 1 : 0;
  constexpr int kFlags = ImGuiColorEditFlags_Float;
  ImGui::ColorEdit3("ambient", vis.headlight.ambient, kFlags);
  ImGui::ColorEdit3("diffuse", vis.headlight.diffuse, kFlags);
  ImGui::ColorEdit3("specular", vis.headlight.specular, kFlags);
}

void DrawFreeCamera(mjVisual& vis, mjStatistic& stat) {
  const Row rows[] = {{"azimuth", &vis.global.azimuth, -180.0f, 180.0f},
                      {"elevation", &vis.global.elevation, -90.0f, 90.0f},
                      {"field of view", &vis.global.fovy, 1.0f, 120.0f},
                      {"line width", &vis.global.linewidth, 0.5f, 10.0f},
                      {"glow of selected", &vis.global.glow, 0.0f, 1.0f}};
  DrawRows(rows);
  Numbers("center [m]", stat.center, 3);
  Number("extent [m]", &stat.extent);
  Number("mean size [m]", &stat.meansize);
}

void DrawScales(mjVisual& vis) {
  auto& s = vis.scale;
  constexpr float kLow = 0.01f, kHigh = 10;
  const Row rows[] = {{"force width", &s.forcewidth, kLow, kHigh},
                      {"contact width", &s.contactwidth, kLow, kHigh},
                      {"contact height", &s.contactheight, kLow, kHigh},
                      {"connection", &s.connect, kLow, kHigh},
                      {"centre of mass", &s.com, kLow, kHigh},
                      {"camera", &s.camera, kLow, kHigh},
                      {"light", &s.light, kLow, kHigh},
                      {"selected point", &s.selectpoint, kLow, kHigh},
                      {"joint length", &s.jointlength, kLow, kHigh},
                      {"joint width", &s.jointwidth, kLow, kHigh},
                      {"actuator length", &s.actuatorlength, kLow, kHigh},
                      {"actuator width", &s.actuatorwidth, kLow, kHigh},
                      {"frame length", &s.framelength, kLow, kHigh},
                      {"frame width", &s.framewidth, kLow, kHigh},
                      {"constraint", &s.constraint, kLow, kHigh},
                      {"slider-crank", &s.slidercrank, kLow, kHigh},
                      {"frustum", &s.frustum, kLow, 100}};
  DrawRows(rows);
}

void DrawMaps(mjVisual& vis) {
  auto& map = vis.map;
  const Row rows[] = {{"pull stiffness", &map.stiffness, 1, 10000},
                      {"turn stiffness", &map.stiffnessrot, 1, 10000},
                      {"force arrow", &map.force, 1e-4f, 10},
                      {"torque arrow", &map.torque, 1e-4f, 10},
                      {"transparency", &map.alpha, 0.0f, 1.0f},
                      {"fog begins", &map.fogstart, 0.1f, 100},
                      {"fog ends", &map.fogend, 0.1f, 100},
                      {"near plane", &map.znear, 1e-4f, 1},
                      {"far plane", &map.zfar, 1, 1000},
                      {"haze", &map.haze, 0.0f, 1.0f},
                      {"shadow radius", &map.shadowclip, 0.1f, 10},
                      {"shadow of spots", &map.shadowscale, 0.1f, 1},
                      {"actuated tendon", &map.actuatortendon, 0.1f, 10}};
  DrawRows(rows);
}

void DrawColours(mjVisual& vis) {
  auto& c = vis.rgba;
  const struct {
    const char* name;
    float* rgba;
  } rows[] = {{"fog", c.fog},
              {"haze", c.haze},
              {"force", c.force},
              {"inertia", c.inertia},
              {"joint", c.joint},
              {"actuator", c.actuator},
              {"actuator, negative", c.actuatornegative},
              {"actuator, positive", c.actuatorpositive},
              {"centre of mass", c.com},
              {"camera", c.camera},
              {"light", c.light},
              {"selected point", c.selectpoint},
              {"connection", c.connect},
              {"contact", c.contactpoint},
              {"contact force", c.contactforce},
              {"contact friction", c.contactfriction},
              {"contact torque", c.contacttorque},
              {"contact gap", c.contactgap},
              {"rangefinder", c.rangefinder},
              {"constraint", c.constraint},
              {"slider-crank", c.slidercrank},
              {"broken crank", c.crankbroken},
              {"frustum", c.frustum},
              {"volume", c.bv},
              {"volume, visited", c.bvactive}};
  for (const auto& row : rows) ImGui::ColorEdit4(row.name, row.rgba, ImGuiColorEditFlags_NoInputs);
}

}  // namespace

void DrawVisualization(mjModel* m) {
  const struct {
    const char* name;
    bool open;
    void (*draw)(mjVisual&);
  } folds[] = {{"Headlight", true, DrawHeadlight},
               {"Scales", true, DrawScales},
               {"Forces, fog, planes, shadows", false, DrawMaps},
               {"Colours", false, DrawColours}};
  for (const auto& fold : folds) {
    if (!ImGui::TreeNodeEx(fold.name, fold.open ? ImGuiTreeNodeFlags_DefaultOpen : 0)) continue;
    ImGui::PushID(fold.name);
    fold.draw(m->vis);
    ImGui::PopID();
    ImGui::TreePop();
  }
  if (ImGui::TreeNode("Free camera")) {
    DrawFreeCamera(m->vis, m->stat);
    ImGui::TreePop();
  }
}

}  // namespace sinew
