#include "render/gpu_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

// A plane of half size 100 seen from 1 above, looking along +y, and what stands on it.
struct Ground {
  DrawAssets assets;
  DrawList list;
  GpuPlan plan;

  Ground() {
    DrawView view;
    view.pos[2] = 1;
    view.near = 0.01f;
    view.far = 20;
    view.left = view.bottom = -0.01f;
    view.right_border = view.top = 0.01f;
    view.viewport = {0, 0, 100, 100};
    list.views = {view};
    DrawInstance plane;
    plane.shape = DrawShape::kPlane;
    plane.size[0] = plane.size[1] = 100;
    plane.radius = 150;
    list.instances.push_back(plane);
    list.opaque = {0};
  }

  void AddSky() {
    DrawTexture sky;
    sky.type = mjTEXTURE_SKYBOX;
    sky.width = 1;
    sky.height = 6;
    sky.channels = 3;
    sky.pixels.resize(18);
    assets.textures.push_back(sky);
    list.skybox = 0;
  }

  void AddBall(float y, float z) {
    DrawInstance ball;
    ball.pos[1] = y;
    ball.pos[2] = z;
    ball.radius = 0.5f;
    std::fill_n(ball.size, 3, 0.5f);
    list.opaque.push_back(static_cast<int>(list.instances.size()));
    list.instances.push_back(ball);
  }

  void Plan() { MakeGpuPlan(assets, list, {}, plan); }

  const GpuPass* Pass(GpuPassKind kind) const {
    const auto found =
        std::find_if(plan.passes.begin(), plan.passes.end(), [&](auto& pass) { return pass.kind == kind; });
    return found == plan.passes.end() ? nullptr : &*found;
  }
};

TEST(GpuPlan, APlaneWithoutSkyIsOneRectangle) {
  Ground ground;
  ground.Plan();
  ASSERT_EQ(ground.plan.draws.size(), 1u);
  EXPECT_EQ(ground.plan.draws[0].part.rectangle[0], -100);
  EXPECT_EQ(ground.plan.draws[0].part.rectangle[3], 100);
  EXPECT_EQ(ground.plan.programs[0].cut, 0);
}

// The parts cover the plane once, and what is not tested against the sky is before it.
TEST(GpuPlan, APlaneUnderTheSkyIsDivided) {
  Ground ground;
  ground.AddSky();
  ground.Plan();
  double area = 0;
  int uncut = 0;
  for (const GpuDraw& draw : ground.plan.draws) {
    if (draw.mesh != kPlaneMesh) continue;
    const float* r = draw.part.rectangle;
    area += double(r[2] - r[0]) * double(r[3] - r[1]);
    if (ground.plan.programs[static_cast<size_t>(draw.program)].cut) continue;
    ++uncut;
    constexpr float kSkyRadius = 0.7f * 20;
    for (int i = 0; i < 4; ++i) EXPECT_LE(r[i] * r[i], 0.5f * kSkyRadius * kSkyRadius);
    EXPECT_GT(r[2], 9);  // sqrt((14^2 - 1) / 2) = 9.87
  }
  EXPECT_EQ(uncut, 1);
  EXPECT_NEAR(area, 200.0 * 200.0, 0.1);  // rounding of single precision
  EXPECT_NE(ground.Pass(GpuPassKind::kSky), nullptr);
}

TEST(GpuPlan, AMirrorImageIsBounded) {
  Ground ground;
  ground.list.reflector = 0;
  ground.list.instances[0].reflectance = 0.5f;
  ground.AddBall(10, 1);
  ground.Plan();
  const GpuPass* image = ground.Pass(GpuPassKind::kMirrorImage);
  ASSERT_NE(image, nullptr);
  // The image of the ball is at (0, 10, -1): 2 below the eye, seen at -0.2 of the border, with a radius of about 0.05.
  EXPECT_NEAR(0.5f * (image->bounds[1] + image->bounds[3]), 0.4f, 0.01f);
  EXPECT_LT(image->bounds[3] - image->bounds[1], 0.1f);
  EXPECT_GT(image->bounds[2] - image->bounds[0], 0.05f);
  EXPECT_EQ(ground.Pass(GpuPassKind::kMirrorMark)->bounds[1], image->bounds[1]);

  ground.AddBall(0, 1);  // around the eye
  ground.Plan();
  EXPECT_EQ(ground.Pass(GpuPassKind::kMirrorImage)->bounds[2], 1);
}

// Transparent things are in the mirror's image, behind its opaque ones, in both orders; the mirror's face follows.
TEST(GpuPlan, AMirrorShowsTransparentThings) {
  Ground ground;
  ground.list.reflector = 0;
  ground.list.instances[0].reflectance = 0.5f;
  ground.AddBall(10, 1);
  ground.AddBall(20, 1);
  ground.list.transparent.assign(1, ground.list.opaque.back());
  ground.list.opaque.pop_back();
  ground.Plan();
  std::vector<GpuPassKind> kinds;
  for (const GpuPass& pass : ground.plan.passes) kinds.push_back(pass.kind);
  const std::vector<GpuPassKind> expected = {GpuPassKind::kMirrorMark,  GpuPassKind::kMirrorImage,
                                             GpuPassKind::kMirrorVeils, GpuPassKind::kMirrorFace,
                                             GpuPassKind::kOpaque,      GpuPassKind::kTransparent};
  EXPECT_EQ(kinds, expected);
  const GpuPass* veils = ground.Pass(GpuPassKind::kMirrorVeils);
  EXPECT_EQ(veils->draws, 2);
  EXPECT_EQ(veils->bounds[1], ground.Pass(GpuPassKind::kMirrorImage)->bounds[1]);
  EXPECT_EQ(ground.plan.draws[static_cast<size_t>(veils->first_draw)].part.factor, 0.5f);
}

TEST(GpuPlan, ProgramsKeepTheirNumbers) {
  Ground ground;
  ground.Plan();
  ground.AddBall(10, 1);
  ground.Plan();
  const size_t programs = ground.plan.programs.size();
  ground.Plan();
  EXPECT_EQ(ground.plan.programs.size(), programs);
}

TEST(GpuPlan, LightAtVerticesNeedsTheGridOfAPlane) {
  Ground ground;
  ground.list.settings.vertex_light = true;
  ground.list.instances[0].cell[0] = ground.list.instances[0].cell[1] = 10;
  ground.AddSky();
  ground.Plan();
  const GpuPass* opaque = ground.Pass(GpuPassKind::kOpaque);
  ASSERT_NE(opaque, nullptr);
  ASSERT_EQ(opaque->draws, 1) << "a plane is not divided under the sky";
  const GpuDraw& draw = ground.plan.draws[static_cast<size_t>(opaque->first_draw)];
  EXPECT_EQ(draw.mesh, kGridMesh);
  EXPECT_EQ(draw.count, VerticesOfPlaneGrid(10));
  EXPECT_EQ(draw.part.scale[0], 10);
  EXPECT_TRUE(ground.plan.programs[static_cast<size_t>(draw.program)].vertex);
}

TEST(GpuPlan, ManyShadowsAreLitAtPixels) {
  Ground ground;
  ground.list.settings.vertex_light = true;
  ground.list.settings.shadow_clip = 1;
  ground.list.settings.shadow_size = 16;
  for (const int lights : {16, 17}) {  // vertices pass on a colour for each
    DrawLight light;
    light.shadow = true;
    ground.list.lights.assign(static_cast<size_t>(lights), light);
    ground.plan = {};
    ground.Plan();
    const GpuPass* opaque = ground.Pass(GpuPassKind::kOpaque);
    const GpuDraw& draw = ground.plan.draws[static_cast<size_t>(opaque->first_draw)];
    EXPECT_EQ(ground.plan.programs[static_cast<size_t>(draw.program)].vertex, lights == 16);
  }
}

}  // namespace
}  // namespace sinew
