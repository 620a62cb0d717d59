// Files, and how the window looks.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/style.h"
#include "viewer/panels/widgets.h"

namespace sinew {
namespace {

// What stands in the folder; a click takes a name, two enter or accept.
bool DrawEntries(FileDialog& dialog) {
  bool accepted = false;
  ImGui::BeginChild("entries", ImVec2(Ems(34), Ems(18)), true);
  if (ImGui::Selectable("..")) dialog.Enter("..");
  const auto entries = dialog.entries();  // a copy, since a click may replace the list
  for (const FileDialog::Entry& entry : entries) {
    const std::string label = entry.is_folder ? entry.name + "/" : entry.name;
    if (!ImGui::Selectable(label.c_str(), entry.name == dialog.name, ImGuiSelectableFlags_AllowDoubleClick)) continue;
    dialog.name = entry.name;
    accepted |= entry.is_folder || ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  }
  ImGui::EndChild();
  return accepted;
}

}  // namespace

void DrawFile(Session& session, ViewState& view) {
  ImGui::TextWrapped("%s", session.path().empty() ? "drop a file here, or open one" : session.path().c_str());
  if (ImGui::Button("open...")) view.wanted = Command::kOpen;
  if (session.loaded()) {
    ImGui::SameLine();
    if (ImGui::Button("save...")) view.wanted = Command::kSave;
    ImGui::SameLine();
    if (ImGui::Button("reload")) view.wanted = Command::kReload;
    if (ImGui::Button("picture")) view.wanted = Command::kScreenshot;
    ImGui::SameLine();
    if (ImGui::Button(view.recording ? "end video" : "video")) view.wanted = Command::kRecord;
    ImGui::SameLine();
  }
  if (ImGui::Button("help (F1)")) view.wanted = Command::kHelp;
}

void DrawFileDialog(ViewState& view) {
  FileDialog& dialog = view.dialog;
  const bool saving = dialog.purpose() == FileDialog::Purpose::kSave;
  ImGui::SetNextWindowPos(ImVec2(Ems(26), Ems(4)), ImGuiCond_Appearing);
  ImGui::Begin(saving ? "Save the model" : "Open a model", nullptr,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse);
  ImGui::TextWrapped("%s", dialog.folder().string().c_str());
  bool accepted = DrawEntries(dialog);
  ImGui::SetNextItemWidth(Ems(22));
  accepted |= ImGui::InputText("##name", &dialog.name, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  accepted |= ImGui::Button(!saving ? "open" : dialog.WouldReplace() ? "replace" : "save");
  ImGui::SameLine();
  const bool cancelled = ImGui::Button("cancel");
  if (saving) ImGui::TextDisabled(".xml: with the numbers that were changed here; .mjb: compiled");
  if (!dialog.error().empty()) ImGui::TextWrapped("%s", dialog.error().c_str());
  ImGui::End();
  if (cancelled) return dialog.Close();
  if (!accepted) return;
  const std::string path = dialog.Accept();
  if (path.empty()) return;
  (saving ? view.saved : view.opened) = path;
  dialog.Close();
}

void DrawLook(ViewState& view) {
  int colours = static_cast<int>(view.look.colours);
  if (ImGui::Combo("colours", &colours, ColourNames().data(), static_cast<int>(ColourNames().size()))) {
    view.look.colours = static_cast<Colours>(colours);
  }
  if (ImGui::InputInt("text [%]", &view.look.text_percent, kTextStep)) {
    view.look.text_percent = std::clamp(view.look.text_percent, kLeastText, kMostText);
  }
  ImGui::Checkbox("vertical sync", &view.vertical_sync);
  if (ImGui::Button("full screen (F5)")) view.wanted = Command::kFullScreen;
  ImGui::SameLine();
  if (ImGui::Button("quit")) view.wanted = Command::kQuit;
}

}  // namespace sinew
