#include "render/rays/ray_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "render/backends.h"
#include "render/context.h"
#include "render/light_choice.h"
#include "render/overlay.h"
#include "render/text.h"

namespace sinew {
namespace {

struct Offscreen {
  std::unique_ptr<mjrContext> con = std::make_unique<mjrContext>();  // too large for the stack

  Offscreen() {
    MakeContext(nullptr, mjFONTSCALE_100, *con);
    con->offWidth = 40;
    con->offHeight = 30;
    OpenBackend(nullptr, *con);
  }
  ~Offscreen() { CloseBackend(*con); }

  RenderBackend& operator*() const { return *BackendOf(*con); }
  RenderBackend* operator->() const { return BackendOf(*con); }
  std::vector<unsigned char> Pixels(mjrRect r = {0, 0, 40, 30}) const {
    std::vector<unsigned char> rgb(3 * static_cast<size_t>(r.width * r.height), 1);
    BackendOf(*con)->ReadPixels(rgb.data(), nullptr, r, *con);
    return rgb;
  }
};

TEST(RayBackend, PixelsComeBackAsTheyWereDrawn) {
  Offscreen off;
  const unsigned char rgb[6] = {1, 2, 3, 4, 5, 6};
  const float depth[2] = {0.25f, 0.75f};
  off->DrawPixels(rgb, depth, {3, 4, 2, 1}, *off.con);
  EXPECT_EQ(off.Pixels({4, 4, 1, 1}), (std::vector<unsigned char>{4, 5, 6}));
  EXPECT_EQ(off.Pixels({4, 5, 1, 1}), (std::vector<unsigned char>{0, 0, 0}));
  off->ReadPixels(nullptr, nullptr, {0, 0, 40, 30}, *off.con);
}

TEST(RayBackend, RectanglesFillThePixelsWhoseMiddleIsInside) {
  Offscreen off;
  off->FillRectangle(1.4f, 1, 2, 1, {1, 0, 0, 1});
  EXPECT_EQ(off.Pixels({0, 1, 4, 1}), (std::vector<unsigned char>{0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0}));
  off->FillRectangle(-1e30f, -5, 2e30f, 1e9f, {0, 1, 0, 0.5f});
  EXPECT_EQ(off.Pixels({39, 29, 1, 1}), (std::vector<unsigned char>{0, 128, 0})) << "half over black";
}

TEST(RayBackend, ClipsUntilItIsEnded) {
  Offscreen off;
  off->Clip({2, 2, 1, 1});
  off->FillRectangle(0, 0, 40, 30, {1, 1, 1, 1});
  EXPECT_EQ(off.Pixels({1, 2, 3, 1}), (std::vector<unsigned char>{0, 0, 0, 255, 255, 255, 0, 0, 0}));
  off->Clip({0, 0, 0, 0});
  off->FillRectangle(0, 0, 40, 30, {1, 1, 1, 1});
  EXPECT_EQ(off.Pixels({0, 0, 1, 1})[0], 255);
}

TEST(RayBackend, AuxiliaryBuffersAreTheirOwn) {
  Offscreen off;
  EXPECT_THROW(off->SetAux(2, *off.con), Error) << "not made yet";
  off->AddAux(2, 10, 10, 0, *off.con);
  EXPECT_EQ(off.con->auxWidth[2], 10);
  off->SetAux(2, *off.con);
  off->FillRectangle(0, 0, 10, 10, {0, 0, 1, 1});
  off->SetBuffer(*off.con);
  EXPECT_EQ(off.Pixels({0, 0, 1, 1})[2], 0);
  off->BlitAux(2, {0, 0, 10, 10}, 5, 5, *off.con);
  EXPECT_EQ(off.Pixels({5, 5, 1, 1})[2], 255);
  EXPECT_EQ(off.Pixels({4, 5, 1, 1})[2], 0);
  off->AddAux(2, 0, 0, 0, *off.con);
  EXPECT_THROW(off->SetAux(2, *off.con), Error) << "freed";
}

TEST(RayBackend, HugeBuffersAreErrors) {
  Offscreen off;
  EXPECT_THROW(off->ResizeOffscreen(1 << 20, 1 << 20, *off.con), Error);
  EXPECT_EQ(off->MaxViewport(*off.con).width, 40) << "as it was";
}

TEST(RayBackend, TextsStayInsideTheBuffer) {
  Offscreen off;
  WriteText(*off, mjFONT_SHADOW, "far \x01\xff out", -100, 1000, {1, 1, 1, 1}, *off.con);
  WriteOverlay(*off, mjFONT_BIG, mjGRID_TOPRIGHT, {0, 0, 40, 30}, "a\nb\n", "1\n2", *off.con);
  EXPECT_THROW(WriteOverlay(*off, mjFONT_BIG, 99, {0, 0, 40, 30}, "a", "", *off.con), Error);
  const std::vector<unsigned char> pixels = off.Pixels();
  EXPECT_NE(std::count(pixels.begin(), pixels.end(), 255), 0);
}

TEST(Figure, TellsItsAxes) {
  Offscreen off;
  off->ResizeOffscreen(300, 200, *off.con);
  auto figure = std::make_unique<mjvFigure>();
  mjv_defaultFigure(figure.get());
  figure->linepnt[0] = 3;
  const float data[6] = {0, -0.3f, 1, 2.1f, 2, 0};
  std::copy_n(data, 6, figure->linedata[0]);
  figure->range[0][1] = figure->range[1][1] = 0;  // from the data
  WriteFigure(*off, {0, 0, 300, 200}, *figure, *off.con);
  EXPECT_FLOAT_EQ(figure->xaxisdata[1], 2);
  EXPECT_FLOAT_EQ(figure->yaxisdata[0], -1) << "outwards to a round number";
  EXPECT_FLOAT_EQ(figure->yaxisdata[1], 3);
  EXPECT_GT(figure->xaxispixel[0], 0);
  EXPECT_LT(figure->yaxispixel[1], 200);
}

TEST(Figure, BadDataAndFormatsAreHarmless) {
  Offscreen off;
  auto figure = std::make_unique<mjvFigure>();
  mjv_defaultFigure(figure.get());
  figure->linepnt[0] = 1 << 30;
  figure->linedata[0][3] = std::numeric_limits<float>::quiet_NaN();
  figure->linedata[0][5] = std::numeric_limits<float>::infinity();
  std::copy_n("%s%n", 5, figure->xformat);
  figure->gridsize[0] = -7;
  WriteFigure(*off, {0, 0, 40, 30}, *figure, *off.con);
  WriteFigure(*off, {0, 0, 4000, 3000}, *figure, *off.con);
}

TEST(Text, LettersHaveWidths) {
  EXPECT_GT(LineWidth("w", 1), LineWidth("i", 1));
  EXPECT_EQ(LineWidth("abc", 2), 2 * LineWidth("abc", 1));
  EXPECT_TRUE(LineStrokes("", 1).empty());
  for (const TextStroke& stroke : LineStrokes("gy|", 1)) {
    EXPECT_GE(stroke.bottom, 0);
    EXPECT_LE(stroke.bottom + stroke.height, LineHeight(1));
  }
}

TEST(Backends, ChoicesAreChecked) {
  ASSERT_EQ(setenv("SINEW_RENDER", "vulkan", 1), 0);
  EXPECT_THROW(ChosenRenderer(), Error);
  ASSERT_EQ(setenv("SINEW_RENDER", "cpu", 1), 0);
  EXPECT_EQ(ChosenRenderer(), RendererChoice::kCpu);
  ASSERT_EQ(unsetenv("SINEW_RENDER"), 0);
  EXPECT_EQ(ChosenRenderer(), RendererChoice::kAuto);
}

TEST(LightsVertices, IsAskedOfTheEnvironment) {
  unsetenv("SINEW_LIGHT");
  EXPECT_TRUE(LightsVertices()) << "as MuJoCo 3.8.0";
  setenv("SINEW_LIGHT", "pixels", 1);
  EXPECT_FALSE(LightsVertices());
  setenv("SINEW_LIGHT", "vertices", 1);
  EXPECT_TRUE(LightsVertices());
  setenv("SINEW_LIGHT", "corners", 1);
  EXPECT_THROW(LightsVertices(), Error);
  unsetenv("SINEW_LIGHT");
}

TEST(Backends, ManyContextsLeaveNothingBehind) {
  const auto con = std::make_unique<mjrContext>();
  for (int i = 0; i < 10000; ++i) {
    *con = {};
    con->offWidth = con->offHeight = 2;
    OpenBackend(nullptr, *con);
    ASSERT_NE(BackendOf(*con), nullptr);
    CloseBackend(*con);
    ASSERT_EQ(BackendOf(*con), nullptr);
    CloseBackend(*con);
  }
}

}  // namespace
}  // namespace sinew
