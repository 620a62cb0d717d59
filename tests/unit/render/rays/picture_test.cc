#include "render/rays/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/rays/ray_ops.h"
#include "render/unit_shapes.h"
#include "simd/dispatch.h"

namespace sinew::rays {
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

// ---- light at vertices

// A shape with a highlight, turned so that several sides are seen, as a round one and as the polyhedron of its pieces.
Stage LitStage(DrawShape shape, const float size[3], Divisions divisions) {
  Stage stage;
  DrawAssets assets;
  assets.divisions = divisions;
  stage.assets = RayAssets(std::move(assets));
  DrawInstance& instance = stage.Add(shape);
  std::copy_n(size, 3, instance.size);
  const float turned[9] = {0.36f, 0.48f, -0.8f, -0.8f, 0.6f, 0, 0.48f, 0.64f, 0.6f};
  std::copy_n(turned, 9, instance.mat);
  std::fill_n(instance.rgba, 3, 0.6f);
  instance.specular = 0.5f;
  instance.shininess = 0.1f;
  instance.cell[0] = instance.cell[1] = 0.3f;
  DrawLight& light = stage.list.lights[0];
  light.directional = false;
  const float pos[3] = {-2, -3, 2};
  std::copy_n(pos, 3, light.pos);
  light.dir[0] = 0.5f;
  light.dir[1] = 0.7f;
  light.dir[2] = -0.5f;
  std::fill_n(light.specular, 3, 0.7f);
  return stage;
}

void AddPiece(const TriangleList& from, float x, float y, float z, float shift, TriangleList& to) {
  for (int i = 0; i < from.size(); ++i) {
    float points[9], normals[9];
    for (size_t k = 0; k < 9; ++k) {
      const float scale = k % 3 == 0 ? x : k % 3 == 1 ? y : z;
      points[k] = from.positions[9 * static_cast<size_t>(i) + k] * scale + (k % 3 == 2 ? shift : 0);
      normals[k] = from.normals[9 * static_cast<size_t>(i) + k] / scale;
    }
    for (size_t v = 0; v < 9; v += 3) {
      const float norm = std::hypot(normals[v], normals[v + 1], normals[v + 2]);
      for (size_t k = 0; k < 3; ++k) normals[v + k] /= norm;
    }
    const float *const corners[3] = {points, points + 3, points + 6}, *const of[3] = {normals, normals + 3,
                                                                                      normals + 6};
    to.Add(corners, of, nullptr);
  }
}

TriangleList Polyhedron(DrawShape shape, const float s[3], Divisions d) {
  TriangleList list;
  const float r = s[0], l = s[2];
  switch (shape) {
    case DrawShape::kEllipsoid:
      AddPiece(UnitSphere(d), s[0], s[1], s[2], 0, list);
      break;
    case DrawShape::kCapsule:
      AddPiece(UnitTube(d), r, r, l, 0, list);
      AddPiece(UnitCap(d), r, r, r, l, list);
      AddPiece(UnitCap(d), r, -r, -r, -l, list);
      break;
    case DrawShape::kCylinder:
      AddPiece(UnitTube(d), r, r, l, 0, list);
      AddPiece(UnitDisk(d), r, r, 1, l, list);
      AddPiece(UnitDisk(d), r, -r, -1, -l, list);
      break;
    case DrawShape::kCone:
      AddPiece(UnitCone(d), r, r, l, 0, list);
      AddPiece(UnitDisk(d), r, -r, -1, 0, list);
      break;
    default:
      AddPiece(UnitBox(d), s[0], s[1], s[2], 0, list);
  }
  return list;
}

struct LitShape {
  DrawShape shape;
  float size[3];
};
constexpr LitShape kLitShapes[] = {
    {DrawShape::kEllipsoid, {1, 0.7f, 1.3f}},  {DrawShape::kEllipsoid, {1, 1, 1}},
    {DrawShape::kCapsule, {0.7f, 0.7f, 0.8f}}, {DrawShape::kCylinder, {0.9f, 0.9f, 0.6f}},
    {DrawShape::kCone, {1, 1, 1.5f}},          {DrawShape::kBox, {1, 0.7f, 0.8f}}};

// Mean and largest difference of red over the pixels that both show.
struct Difference {
  double mean = 0;
  int most = 0;
};
Difference Compare(const Stage& a, const Stage& b) {
  Difference difference;
  int count = 0;
  for (size_t i = 0; i < a.shapes.size(); ++i) {
    if (a.shapes[i] < 0 || b.shapes[i] < 0) continue;
    const int d = std::abs(int{a.buffer.rgb[3 * i]} - int{b.buffer.rgb[3 * i]});
    difference.mean += d;
    difference.most = std::max(difference.most, d);
    ++count;
  }
  difference.mean /= std::max(count, 1);
  return difference;
}

TEST(VertexLight, ShapesAreLitAsThePolyhedraOfTheirPieces) {
  for (const auto& [shape, size] : kLitShapes) {
    for (const Divisions divisions : {Divisions{12, 8, 3}, Divisions{28, 16, 4}, Divisions{3, 2, 1}}) {
      Stage round = LitStage(shape, size, divisions), faceted = LitStage(shape, size, divisions);
      round.list.settings.vertex_light = faceted.list.settings.vertex_light = true;
      DrawAssets assets;
      assets.divisions = divisions;
      assets.meshes.push_back(Polyhedron(shape, size, divisions));
      faceted.assets = RayAssets(std::move(assets));
      faceted.list.instances[0].shape = DrawShape::kMesh;
      faceted.list.instances[0].asset = 0;
      round.Draw();
      faceted.Draw();
      // Corners and weights are those of the polyhedron; a ray meets it a bit farther inside than the round shape, by
      // up to 1 - cos(180 / slices): 3 % of the radius for 12, and half of it for a prism of three sides.
      // A cone covers few pixels, most of them at its edge.
      const bool flat = shape == DrawShape::kBox, cone = shape == DrawShape::kCone;
      const double tolerance = (divisions.slices == 28 ? 1 : divisions.slices == 12 ? 3 : 25) * (cone ? 4 : 1);
      EXPECT_LE(Compare(round, faceted).mean, flat ? 0.1 : tolerance)
          << "shape " << static_cast<int>(shape) << ", slices " << divisions.slices;
    }
  }
}

TEST(VertexLight, OfManyPiecesIsThatOfPixels) {
  for (const auto& [shape, size] : kLitShapes) {
    const Divisions many = {720, 720, 200};
    Stage vertices = LitStage(shape, size, many), pixels = LitStage(shape, size, many);
    vertices.list.settings.vertex_light = true;
    // The normals of a cone's mantle rise by 45 degrees before it is scaled, whatever its slope.
    if (shape == DrawShape::kCone) vertices.list.instances[0].size[2] = pixels.list.instances[0].size[2] = 1;
    vertices.Draw();
    pixels.Draw();
    EXPECT_LE(Compare(vertices, pixels).mean, 0.5) << "shape " << static_cast<int>(shape);  // rounding to bytes
  }
}

// Colours at the corners of a plane's cells follow the formula, and pixels lie between them.
TEST(VertexLight, IsLinearOverTheCellsOfAPlane) {
  Stage stage;
  stage.list.settings.vertex_light = true;
  DrawInstance& plane = stage.Add(DrawShape::kPlane);
  const float toward_camera[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  std::copy_n(toward_camera, 9, plane.mat);
  plane.size[0] = plane.size[1] = 3;
  plane.cell[0] = plane.cell[1] = 2;
  DrawLight& light = stage.list.lights[0];
  light.directional = false;
  light.pos[1] = -1;  // one metre before the middle
  light.cutoff = 90;
  stage.Draw();
  const auto corner = [](double x, double z) { return 1 / std::sqrt(1 + x * x + z * z); };  // cosine of the slope
  // The picture is 10 m wide at the plane. Along x: corners at 0, 2 and 3; between them, a line.
  for (const int pixels : {0, 3, 6, 10, 13, 15, 18}) {
    const double x = pixels * 10.0 / kSize;
    const double expected = x < 2 ? corner(0, 0) + (corner(2, 0) - corner(0, 0)) * x / 2
                                  : corner(2, 0) + (corner(3, 0) - corner(2, 0)) * (x - 2);
    const int red = stage.buffer.rgb[3 * stage.At(Stage::kMiddle + pixels, Stage::kMiddle)];
    EXPECT_NEAR(red, 255 * expected, 1) << x;
  }
}

// What is mirrored keeps its highlights, and a map of shadows ends at the plane of its light.
TEST(VertexLight, ShadowsAreOfWhatLiesBehindTheLight) {
  for (const float y : {-2.0f, -1.0f}) {  // the light is at -1.5 and shines toward +y
    Stage stage;
    stage.list.settings.vertex_light = true;
    stage.list.settings.shadow_clip = 5;
    const float toward_camera[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    std::copy_n(toward_camera, 9, stage.Add(DrawShape::kPlane).mat);
    stage.Add(DrawShape::kEllipsoid, 1, y);
    std::fill_n(stage.list.instances[1].size, 3, 0.15f);
    DrawLight& light = stage.list.lights[0];
    light.pos[1] = -1.5f;
    light.shadow = true;
    stage.Draw();
    // the plane's point behind the ball, which the eye sees beside it
    const int column = Stage::kMiddle + kSize / 10;  // at x = 0.92 on the plane, where the picture is 10 m wide
    const int red = stage.buffer.rgb[3 * stage.At(column, Stage::kMiddle)];
    EXPECT_EQ(stage.shapes[stage.At(column, Stage::kMiddle)], 0);
    EXPECT_EQ(red, y < -1.5f ? 255 : 0) << y;
  }
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
}  // namespace sinew::rays
