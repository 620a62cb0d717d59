#include "render/context.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/error.h"
#include "model/storage/model.h"

namespace sinew {
namespace {

struct MadeContext {
  std::unique_ptr<mjrContext> con = std::make_unique<mjrContext>();  // too large for the stack

  explicit MadeContext(const mjModel* m, int font_scale = mjFONTSCALE_150) { MakeContext(m, font_scale, *con); }
};

TEST(MakeContext, TakesTheSettingsOfTheModel) {
  mjModel sizes = {};
  sizes.nbody = 1;
  sizes.nmat = 1;
  const ModelPtr model(MakeModel(sizes));
  model->stat.extent = 2;
  model->vis.map.fogstart = 3;
  model->vis.map.shadowclip = 0.5;
  model->vis.global.offwidth = 320;
  model->vis.global.offheight = 240;
  model->mat_texid[0] = 5;
  const MadeContext made(model.get());
  EXPECT_EQ(made.con->fogStart, 6) << "in units of the extent";
  EXPECT_EQ(made.con->shadowClip, 1);
  EXPECT_EQ(made.con->fontScale, 150);
  EXPECT_EQ(made.con->mat_texid[0], 5);
  EXPECT_EQ(made.con->mat_texid[mjNTEXROLE], -1) << "no second material";
  EXPECT_FALSE(made.con->glInitialized);
  const mjrRect all = WholeBuffer(*made.con);
  EXPECT_EQ(all.width, 320);
  EXPECT_EQ(all.height, 240);
}

TEST(MakeContext, HasABufferWithoutAModel) {
  const MadeContext made(nullptr);
  EXPECT_EQ(WholeBuffer(*made.con).width, 800);
  EXPECT_EQ(made.con->currentBuffer, mjFB_OFFSCREEN);
}

TEST(MakeContext, RefusesMoreMaterialsThanThereIsRoomFor) {
  mjModel sizes = {};
  sizes.nbody = 1;
  sizes.nmat = mjMAXMATERIAL;
  const ModelPtr model(MakeModel(sizes));
  const auto con = std::make_unique<mjrContext>();
  EXPECT_THROW(MakeContext(model.get(), mjFONTSCALE_100, *con), Error);
}

TEST(NearestFontScale, IsASizeThatExists) {
  EXPECT_EQ(NearestFontScale(-1000), 100);
  EXPECT_EQ(NearestFontScale(124), 100);
  EXPECT_EQ(NearestFontScale(125), 150);
  EXPECT_EQ(NearestFontScale(1 << 30), 300);
}

TEST(AvailableBuffer, IsTheOffscreenOneWithoutAWindow) {
  const MadeContext made(nullptr);
  EXPECT_EQ(AvailableBuffer(*made.con, mjFB_WINDOW), mjFB_OFFSCREEN);
  made.con->windowAvailable = 1;
  EXPECT_EQ(AvailableBuffer(*made.con, mjFB_WINDOW), mjFB_WINDOW);
}

TEST(FindRectangle, ContainsItsLowerEdgesOnly) {
  const mjrRect rectangles[] = {{0, 0, 10, 10}, {5, 5, 10, 10}};
  EXPECT_EQ(FindRectangle(0, 0, 2, rectangles), 0);
  EXPECT_EQ(FindRectangle(10, 10, 2, rectangles), 1);
  EXPECT_EQ(FindRectangle(15, 15, 2, rectangles), -1);
}

}  // namespace
}  // namespace sinew
