#include "render/rays/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/rays/ray_ops.h"
#include "simd/dispatch.h"

namespace sinew {
namespace {

constexpr int kSize = 65;  // odd: the middle pixel looks along the axis

// A list seen from (0, -5, 0) along +y, with 90 degrees from the lower to the upper border, lit from the camera.
struct Stage {
  DrawList list;
  RayAssets assets{DrawAssets()};
  FrameBuffer buffer;
  std::vector<int32_t> shapes;

  Stage() {
    DrawView view;
    view.pos[1] = -5;
    view.near = 0.1f;
    view.far = 50;
    view.left = view.bottom = -0.1f;
    view.right_border = view.top = 0.1f;
    view.viewport = {0, 0, kSize, kSize};
    list.views = {view};
    DrawLight light;
    light.dir[1] = 1;
    light.dir[2] = 0;
    std::fill_n(light.diffuse, 3, 1.0f);
    list.lights = {light};
    buffer.Resize(kSize, kSize);
  }

  DrawInstance& Add(DrawShape shape, float x = 0, float y = 0, float z = 0) {
    DrawInstance instance;
    instance.shape = shape;
    instance.pos[0] = x;
    instance.pos[1] = y;
    instance.pos[2] = z;
    std::fill_n(instance.size, 3, 1.0f);
    std::fill_n(instance.rgba, 4, 1.0f);
    instance.segid = static_cast<int>(list.instances.size());
    list.instances.push_back(instance);
    return list.instances.back();
  }

  void Draw(const PictureOptions& options = {Sampling::kOne, false, nullptr}) {
    PictureMaker().Draw(assets, list, options, buffer, &shapes);
  }
  size_t At(int x, int y) const { return static_cast<size_t>(y * kSize + x); }
  static constexpr int kMiddle = kSize / 2;
  float MiddleDepth() const { return buffer.depth[At(kMiddle, kMiddle)]; }
  int MiddleRed() const { return buffer.rgb[3 * At(kMiddle, kMiddle)]; }
  long Covered() const {
    return std::ranges::count_if(shapes, [](int32_t s) { return s >= 0; });
  }
};

std::vector<const RayOps*> AllOps() {
  std::vector<const RayOps*> all = {&kBaselineRays};
#if defined(__x86_64__)
  if (CanRun(InstructionSet::kAvx2)) all.push_back(&kAvx2Rays);
  if (CanRun(InstructionSet::kAvx512)) all.push_back(&kAvx512Rays);
#endif
  return all;
}

TEST(Rays, MeetShapesWhereTheyAre) {
  // distances of the nearest points on the axis from the camera, by geometry; float has seven digits
  const auto depth = [](DrawShape shape, auto change) {
    Stage stage;
    change(stage.Add(shape));
    stage.Draw();
    return stage.MiddleDepth();
  };
  const auto nothing = [](DrawInstance&) {};
  EXPECT_NEAR(depth(DrawShape::kEllipsoid, nothing), 4, 1e-5);
  EXPECT_NEAR(depth(DrawShape::kEllipsoid, [](DrawInstance& i) { i.size[1] = 0.5f; }), 4.5, 1e-5);
  EXPECT_NEAR(depth(DrawShape::kBox, [](DrawInstance& i) { i.size[1] = 0.25f; }), 4.75, 1e-5);
  EXPECT_NEAR(depth(DrawShape::kCapsule, nothing), 4, 1e-5);
  EXPECT_NEAR(depth(DrawShape::kCylinder, nothing), 4, 1e-5);
  EXPECT_NEAR(depth(DrawShape::kCone, nothing), 4, 1e-5) << "the rim of the base";
  EXPECT_NEAR(depth(DrawShape::kCone, [](DrawInstance& i) { i.pos[2] = -0.5f; }), 4.5, 1e-5) << "half way up";
}

TEST(Rays, CylindersAlongTheRayShowTheirEnds) {
  for (const DrawShape shape : {DrawShape::kCylinder, DrawShape::kCapsule}) {
    Stage stage;
    const float along_y[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    std::copy_n(along_y, 9, stage.Add(shape).mat);
    stage.Draw();
    EXPECT_NEAR(stage.MiddleDepth(), shape == DrawShape::kCylinder ? 4 : 3, 1e-4);
  }
}

TEST(Rays, PlanesAreSeenFromTheFront) {
  const float toward_camera[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0}, away[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
  for (const float* mat : {toward_camera, away}) {
    Stage stage;
    std::copy_n(mat, 9, stage.Add(DrawShape::kPlane).mat);
    stage.Draw();
    EXPECT_EQ(std::isfinite(stage.MiddleDepth()), mat == toward_camera);
  }
}

TEST(Rays, CoverAsMuchAsASphereDoes) {
  Stage stage;
  stage.Add(DrawShape::kEllipsoid);
  stage.Draw();
  // a sphere of radius 1 at distance 5 is a disk of tangent 1 / sqrt(24), the picture two wide
  const double share = std::acos(-1) / 24 / 4;
  EXPECT_NEAR(static_cast<double>(stage.Covered()) / (kSize * kSize), share, 0.002) << "some pixels of 4,225";
}

TEST(Rays, WhatIsInFrontHides) {
  Stage stage;
  stage.Add(DrawShape::kEllipsoid, 0, 2, 0);
  stage.Add(DrawShape::kBox, 0, 0, 0);
  stage.Add(DrawShape::kEllipsoid, 0, 4, 0);
  stage.Draw();
  EXPECT_EQ(stage.shapes[stage.At(Stage::kMiddle, Stage::kMiddle)], 1);
}

// As where a rasterizer draws over equal depth.
TEST(Rays, OfTwoInOnePlaceTheLaterOneIsSeen) {
  Stage stage;
  for (int i = 0; i < 5; ++i) stage.Add(DrawShape::kCapsule);
  stage.Draw();
  EXPECT_EQ(stage.shapes[stage.At(Stage::kMiddle, Stage::kMiddle)], 4);
}

// Black and white squares on a wall that a ray's pixel covers 64 by 64 of are grey, and so they are on a ground seen at
// a slant, where a pixel is longer than wide: the longer side decides. Seen from near, a pixel is black or white.
TEST(Rays, TexturesAreAsFineAsPixels) {
  DrawTexture texture;
  texture.width = texture.height = 64;
  texture.channels = 1;
  for (int i = 0; i < 64 * 64; ++i) texture.pixels.push_back((i ^ i / 64) & 1 ? 255 : 0);
  DrawAssets assets;
  assets.textures.push_back(texture);
  const auto red = [&](float repeat, float slant) {
    Stage stage;
    stage.assets = RayAssets(assets);
    stage.list.ambient = 1;
    stage.list.lights.clear();
    DrawInstance& wall = stage.Add(DrawShape::kPlane);
    wall.size[0] = wall.size[1] = 40;
    const float c = std::cos(slant), s = std::sin(slant), mat[9] = {1, 0, 0, 0, s, -c, 0, c, s};
    std::copy_n(mat, 9, wall.mat);
    wall.texture = 0;
    wall.mapping = DrawMapping::kFlat;
    wall.scale[0] = wall.scale[1] = repeat;
    wall.pos[0] = wall.pos[2] = 0.5f / (64 * repeat);  // half a texel: the middle of one
    stage.Draw();
    return stage.MiddleRed();
  };
  constexpr float kPixel = 10.0f / kSize;  // width of a pixel at the wall [m]
  EXPECT_NEAR(red(1 / kPixel, 0), 127.5, 1.5);
  EXPECT_NEAR(red(1 / kPixel, 1.4f), 127.5, 1.5);
  EXPECT_NEAR(red(3 / (64 * kPixel), 0), 127.5, 1.5) << "three texels a pixel";
  EXPECT_NEAR(red(0.5f / (64 * kPixel), 1.4f), 127.5, 1.5) << "half a texel a pixel across, three along";
  const int near = red(1e-3f / kPixel, 0);
  EXPECT_TRUE(near < 20 || near > 235) << near;
}

TEST(Rays, LightFollowsTheSlope) {
  Stage stage;
  DrawInstance& box = stage.Add(DrawShape::kBox);
  std::fill_n(box.rgba, 3, 0.8f);
  stage.list.lights[0].dir[0] = 0.6f;
  stage.list.lights[0].dir[1] = 0.8f;
  stage.Draw();
  EXPECT_NEAR(stage.MiddleRed(), 255 * 0.8 * 0.8, 1) << "colour times cosine";
}

TEST(Rays, ShadowsAreDark) {
  Stage stage;
  stage.Add(DrawShape::kBox);
  stage.Add(DrawShape::kEllipsoid, 0, -2, 2).size[0] = 1.0001f;  // between the light, from above, and the front face
  stage.list.lights[0].dir[1] = stage.list.lights[0].dir[2] = 0;
  stage.list.lights[0].dir[1] = std::sqrt(0.5f);
  stage.list.lights[0].dir[2] = -std::sqrt(0.5f);
  stage.Draw();
  EXPECT_GT(stage.MiddleRed(), 150);
  stage.list.lights[0].shadow = true;
  stage.Draw();
  EXPECT_EQ(stage.MiddleRed(), 0);
  stage.list.instances[1].casts_shadow = false;
  stage.Draw();
  EXPECT_GT(stage.MiddleRed(), 150) << "decorations cast none";
}

TEST(Rays, AMirrorShowsWhatIsBefore) {
  Stage stage;
  const float toward_camera[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  DrawInstance& mirror = stage.Add(DrawShape::kPlane);
  std::copy_n(toward_camera, 9, mirror.mat);
  std::fill_n(mirror.rgba, 3, 0.0f);
  mirror.reflectance = 0.5f;
  stage.list.reflector = 0;
  DrawInstance& behind_camera = stage.Add(DrawShape::kBox, 0, -8, 0);
  behind_camera.emission = 1;
  stage.Draw();
  EXPECT_NEAR(stage.MiddleRed(), 127, 1);
  stage.list.reflector = -1;
  stage.Draw();
  EXPECT_EQ(stage.MiddleRed(), 0);
}

TEST(Rays, TransparentThingsAreLaidOverTwice) {
  Stage stage;
  DrawInstance& glass = stage.Add(DrawShape::kBox);
  glass.transparent = true;
  glass.rgba[3] = 0.5f;
  stage.Draw();
  EXPECT_NEAR(stage.MiddleRed(), 255 * 0.75, 1) << "1 - (1 - 1/2)^2 over black";
  EXPECT_FALSE(std::isfinite(stage.MiddleDepth())) << "it leaves no depth";
}

TEST(Rays, FlatColoursOfSegmentsAreExact) {
  Stage stage;
  DrawInstance& box = stage.Add(DrawShape::kBox);
  box.segment_rgb[0] = 7.0f / 255;
  stage.list.segment = true;
  stage.Draw({Sampling::kFour, false, nullptr});
  for (size_t i = 0; i < stage.shapes.size(); ++i) {
    EXPECT_EQ(stage.buffer.rgb[3 * i], stage.shapes[i] >= 0 ? 7 : 0) << "not a mean at the borders";
  }
}

TEST(Rays, TrianglesAreSeenFromTheFrontAndHaveNoGaps) {
  Stage stage;
  const float a[3] = {-9, 0, -9}, b[3] = {9, 0, -9}, c[3] = {9, 0, 9}, d[3] = {-9, 0, 9};
  const float *lower[3] = {a, b, c}, *upper[3] = {a, c, d};
  stage.list.triangles.Add(lower, nullptr, nullptr);
  stage.list.triangles.Add(upper, nullptr, nullptr);
  DrawInstance& surface = stage.Add(DrawShape::kTriangles);
  surface.asset = 0;
  surface.count = 2;
  stage.Draw();
  EXPECT_EQ(stage.Covered(), kSize * kSize);
  stage.list.views[0].pos[1] = 5;
  for (float* axis : {stage.list.views[0].forward, stage.list.views[0].right}) {
    for (int i = 0; i < 3; ++i) axis[i] = -axis[i];
  }
  stage.Draw();
  EXPECT_EQ(stage.Covered(), 0) << "from behind";
  stage.list.cull = false;
  stage.Draw();
  EXPECT_EQ(stage.Covered(), kSize * kSize);
}

// Many shapes of all kinds, a shadow, a mirror and glass.
void Fill(Stage& stage) {
  const DrawShape kinds[] = {DrawShape::kEllipsoid, DrawShape::kCapsule, DrawShape::kCylinder, DrawShape::kCone,
                             DrawShape::kBox};
  for (int i = 0; i < 40; ++i) {
    DrawInstance& shape = stage.Add(kinds[i % 5], static_cast<float>(i % 7) - 3, static_cast<float>(i % 4),
                                    static_cast<float>(i % 6) - 2);
    std::fill_n(shape.size, 3, 0.2f + 0.02f * static_cast<float>(i % 11));
    shape.specular = 0.5f;
    shape.shininess = 0.3f;
    shape.transparent = i % 9 == 0;
    if (shape.transparent) shape.rgba[3] = 0.4f;
  }
  DrawInstance& floor = stage.Add(DrawShape::kPlane, 0, 0, -3);
  floor.size[0] = floor.size[1] = 40;
  floor.reflectance = 0.3f;
  stage.list.reflector = 40;
  stage.list.lights[0].dir[2] = -0.7f;
  stage.list.lights[0].shadow = true;
}

TEST(Rays, PicturesAreTheSameOnEveryInstructionSetAndNumberOfThreads) {
  for (const Sampling sampling : {Sampling::kOne, Sampling::kFour, Sampling::kAdaptive}) {
    std::vector<std::vector<uint8_t>> pictures;
    for (const RayOps* ops : AllOps()) {
      for (const bool parallel : {false, true}) {
        Stage stage;
        Fill(stage);
        stage.list.views[0].viewport = {0, 0, 150, 140};  // enough tiles for threads
        stage.buffer.Resize(150, 140);
        stage.Draw({sampling, parallel, ops});
        pictures.push_back(stage.buffer.rgb);
      }
    }
    for (const auto& picture : pictures) EXPECT_EQ(picture, pictures[0]);
  }
}

TEST(Rays, WireframesAreEdgesOnly) {
  Stage stage;
  for (const DrawShape shape : {DrawShape::kEllipsoid, DrawShape::kCapsule, DrawShape::kCylinder, DrawShape::kCone,
                                DrawShape::kBox, DrawShape::kPlane}) {
    stage.Add(shape, static_cast<float>(stage.list.instances.size()) - 2);
  }
  stage.list.wireframe = true;
  stage.Draw();
  const auto lit = std::ranges::count(stage.buffer.rgb, 255);
  EXPECT_GT(lit, 300);
  EXPECT_LT(lit, 3 * kSize * kSize / 2);
  EXPECT_EQ(stage.Covered(), 0);
}

TEST(Rays, ViewportsMayReachBeyondTheBuffer) {
  Stage stage;
  stage.Add(DrawShape::kEllipsoid);
  stage.list.views[0].viewport = {-20, -20, 100, 100};
  stage.Draw();
  EXPECT_GT(stage.Covered(), 0);
  stage.list.views[0].viewport = {200, 0, 10, 10};
  stage.Draw();
  EXPECT_EQ(stage.Covered(), 0);
}

TEST(RayTree, HoldsEveryBoxOnce) {
  std::vector<RayBox> boxes;
  for (int i = 0; i < 500; ++i) {
    const float x = static_cast<float>(i % 7), y = static_cast<float>(i % 3);  // many in one place
    boxes.push_back({{x, y, 0}, {x + 1, y + 1, 1}});
  }
  RayTree tree;
  BuildTree(boxes, 2, tree);
  std::vector<int> found(boxes.size(), 0);
  for (const RayNode& node : tree.nodes) {
    EXPECT_LE(node.count, 2);
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int box = tree.order[static_cast<size_t>(i)];
      ++found[static_cast<size_t>(box)];
      for (int k = 0; k < 3; ++k) EXPECT_LE(node.low[k], boxes[static_cast<size_t>(box)].low[k]);
    }
  }
  EXPECT_TRUE(std::ranges::all_of(found, [](int n) { return n == 1; }));
}

}  // namespace
}  // namespace sinew
