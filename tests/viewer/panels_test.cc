// Panels by Dear ImGui without a window: a mouse that is moved here acts on them.
#include "viewer/panels/panels.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <cstring>
#include <string>

#include "viewer/panels/style.h"
#include "viewer_model.h"

namespace sinew {
namespace {

constexpr float kWidth = 1280, kHeight = 800;

class Panels : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(kWidth, kHeight);
    mjv_defaultOption(&view_.option);
    mjv_defaultScene(&view_.scene);
    view_.left_panel = false;
    Look(Colours::kDark, 100);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  void Look(Colours colours, int percent) {
    view_.look = {colours, percent};
    ApplyLook(view_.look);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }

  void Frame(float x, float y, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.0f / 30;
    io.MousePos = ImVec2(x, y);
    io.MouseDown[0] = down;
    ImGui::NewFrame();
    DrawPanels(session(), view_, kWidth, kHeight);
    ImGui::Render();
  }

  // The height of the first place below `from` on the right panel, at which a press changes the first joint; -1: none.
  float SliderBelow(float x, float from) {
    for (float y = from; y < 300; y += 3) {
      const double before = session().d()->qpos[0];
      for (const bool down : {false, false, true, true, false, false}) Frame(x, y, down);
      if (session().d()->qpos[0] != before) return y;
    }
    return -1;
  }

  Session& session() { return opened_.session; }

  Opened opened_{kTwoJoints};
  ViewState view_;
};

TEST_F(Panels, ADragOnTheSliderOfAJointMovesNothingElse) {
  session().Step(20);  // both fall
  session().paused = false;
  const float x = kWidth - 300;
  const float y = SliderBelow(x, 0);
  ASSERT_GT(y, 0) << "there is a slider";
  const double time = session().d()->time, second = session().d()->qpos[1], speed = session().d()->qvel[1];
  const double angle = session().d()->qpos[0];
  for (int i = 0; i < 10; ++i) {
    Frame(x + static_cast<float>(8 * i), y, true);
    session().Advance(0.05, 1e9);
  }
  EXPECT_GT(session().d()->qpos[0], angle + 0.5) << "it follows the mouse";
  EXPECT_EQ(session().d()->qvel[0], 0);
  EXPECT_EQ(session().d()->qpos[1], second);
  EXPECT_EQ(session().d()->qvel[1], speed);
  EXPECT_EQ(session().d()->time, time);
  const int states = session().history().size();
  Frame(x + 72, y, false);
  EXPECT_EQ(session().history().size(), states + 1) << "what was set can be gone back to";
  session().Advance(0.05, 1e9);
  EXPECT_GT(session().d()->time, time) << "it goes on";
}

// All sections, with every value that they show: nothing is drawn outside of what Dear ImGui allows (it asserts), in
// all colours and sizes.
TEST_F(Panels, AreDrawnInAllColoursAndSizes) {
  view_.left_panel = view_.help = view_.info = view_.profiler = view_.sensors = true;
  view_.dialog.Show(FileDialog::Purpose::kSave, opened_.file.path());
  for (const Colours colours : {Colours::kDark, Colours::kLight, Colours::kClassic}) {
    for (const int percent : {kLeastText, 100, 200, kMostText}) {
      Look(colours, percent);
      for (int i = 0; i < 3; ++i) {
        session().Advance(0.03, 1e9);
        RecordPlots(session(), view_);
        Frame(0, 0, false);
      }
      EXPECT_EQ(ImGui::GetFontSize(), std::round(kTextPixels * static_cast<float>(percent) / 100));
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 1000);
    }
  }
}

TEST_F(Panels, SectionsOfModelsChangeNothingByThemselves) {
  const mjOption option = session().m()->opt;
  const mjVisual visual = session().m()->vis;
  for (int i = 0; i < 3; ++i) {
    ImGui::NewFrame();
    ImGui::Begin("all");
    DrawPhysics(session().m());
    DrawVisualization(session().m());
    DrawRendering(session().m(), view_);
    DrawGroups(view_.option);
    DrawWatch(session(), view_);
    DrawControls(session());
    DrawEqualities(session());
    ImGui::End();
    ImGui::Render();
  }
  EXPECT_EQ(std::memcmp(&option, &session().m()->opt, sizeof(option)), 0);
  EXPECT_EQ(std::memcmp(&visual, &session().m()->vis, sizeof(visual)), 0);
}

TEST_F(Panels, PlotsOfSensorsAreSeen) {
  view_.right_panel = false;
  view_.sensors = true;
  const auto vertices = [&] {
    for (int i = 0; i < 3; ++i) Frame(0, 0, false);
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  const int empty = vertices();
  for (int i = 0; i < 100; ++i) {
    session().Advance(0.02, 1e9);
    RecordPlots(session(), view_);
  }
  // Four lines of a hundred points; a line that is drawn smooth has at least three vertices a point.
  EXPECT_GT(vertices(), empty + 1000);
}

TEST(Style, TextGrowsWithTheScreen) {
  EXPECT_EQ(UsualTextPercent(1, 1080), 100);
  EXPECT_EQ(UsualTextPercent(1, 768), 100) << "not smaller";
  EXPECT_EQ(UsualTextPercent(1, 2160), 200) << "4K without a setting of the desktop";
  EXPECT_EQ(UsualTextPercent(1.5f, 2160), 160) << "as the desktop asks, in steps of 20";
}

}  // namespace
}  // namespace sinew
