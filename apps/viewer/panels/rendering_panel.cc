// What of the model is drawn, and from where.
#include <imgui.h>

#include <string>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

void DrawCameras(const mjModel* m, ViewState& view) {
  const bool fixed = view.camera.type == mjCAMERA_FIXED;
  const std::string name = fixed                                   ? NameOf(m, mjOBJ_CAMERA, view.camera.fixedcamid)
                           : view.camera.type == mjCAMERA_TRACKING ? "tracking"
                                                                   : "free";
  if (!ImGui::BeginCombo("camera", name.c_str())) return;
  if (ImGui::Selectable("free", !fixed)) view.camera.type = mjCAMERA_FREE;
  for (int i = 0; i < m->ncam; ++i) {
    if (!ImGui::Selectable(NameOf(m, mjOBJ_CAMERA, i).c_str(), fixed && view.camera.fixedcamid == i)) continue;
    view.camera.type = mjCAMERA_FIXED;
    view.camera.fixedcamid = i;
  }
  ImGui::EndCombo();
}

// A flag with the letter that toggles it.
void DrawFlag(const char* const (&names)[3], mjtByte* value) {
  const std::string label = names[2][0] ? std::string(names[0]) + " (" + names[2] + ")" : names[0];
  Check(label.c_str(), value);
}

}  // namespace

void DrawRendering(const mjModel* m, ViewState& view) {
  DrawCameras(m, view);
  if (ImGui::Button("look at all")) view.wanted = Command::kAlign;
  ImGui::SameLine();
  if (ImGui::Button("copy camera")) view.wanted = Command::kCopyCamera;
  ImGui::Combo("label", &view.option.label, mjLABELSTRING, mjNLABEL);
  ImGui::Combo("frame", &view.option.frame, mjFRAMESTRING, mjNFRAME);
  if (ImGui::TreeNode("Model elements")) {
    for (int i = 0; i < mjNVISFLAG; ++i) DrawFlag(mjVISSTRING[i], &view.option.flags[i]);
    ImGui::SliderInt("tree depth", &view.option.bvh_depth, 0, 20);
    ImGui::SliderInt("flex layer", &view.option.flex_layer, 0, 10);
    ImGui::TreePop();
  }
  if (ImGui::TreeNode("Effects")) {
    for (int i = 0; i < mjNRNDFLAG; ++i) DrawFlag(mjRNDSTRING[i], &view.scene.flags[i]);
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

}  // namespace sinew
