#include "render/draw_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"

namespace sinew {
namespace {

// A scene on its own, looked at from (0, 0, 10) downwards.
struct SmallScene {
  mjvScene scene = {};
  std::vector<mjvGeom> geoms;
  DrawAssets assets;
  DrawSettings settings;
  DrawList list;

  SmallScene() {
    scene.scale = 1;
    scene.rotate[0] = 1;
    for (mjtRndFlag flag : {mjRND_SHADOW, mjRND_REFLECTION, mjRND_SKYBOX, mjRND_HAZE, mjRND_CULL_FACE}) {
      scene.flags[flag] = 1;
    }
    for (mjvGLCamera& camera : scene.camera) {
      camera.pos[2] = 10;
      camera.forward[2] = -1;
      camera.up[1] = 1;
      camera.frustum_top = 0.1f;
      camera.frustum_bottom = -0.1f;
      camera.frustum_near = 0.1f;
      camera.frustum_far = 100;
    }
  }

  mjvGeom& Add(int type, float x = 0, float y = 0, float z = 0) {
    mjvGeom geom = {};
    geom.type = type;
    geom.dataid = geom.matid = -1;
    geom.segid = static_cast<int>(geoms.size());
    std::fill_n(geom.size, 3, 0.5f);
    std::fill_n(geom.rgba, 4, 1.0f);
    geom.mat[0] = geom.mat[4] = geom.mat[8] = 1;
    geom.pos[0] = x;
    geom.pos[1] = y;
    geom.pos[2] = z;
    geom.category = mjCAT_DYNAMIC;
    geoms.push_back(geom);
    return geoms.back();
  }

  const DrawList& Build(mjrRect viewport = {0, 0, 200, 100}) {
    scene.geoms = geoms.data();
    scene.ngeom = static_cast<int>(geoms.size());
    BuildDrawList(assets, settings, viewport, scene, list);
    return list;
  }
};

TEST(DrawList, BordersFollowTheShapeOfTheViewport) {
  SmallScene s;
  const DrawView view = s.Build().views.at(0);
  EXPECT_FLOAT_EQ(view.right_border, 0.2f) << "twice as wide as high";
  EXPECT_FLOAT_EQ(view.left, -0.2f);
  EXPECT_FLOAT_EQ(view.right[0], 1);
}

TEST(DrawList, BordersOfASensorAreItsOwn) {
  SmallScene s;
  for (mjvGLCamera& camera : s.scene.camera) {
    camera.frustum_width = 0.3f;
    camera.frustum_center = 0.1f;
  }
  const DrawView view = s.Build().views.at(0);
  EXPECT_FLOAT_EQ(view.left, -0.2f);
  EXPECT_FLOAT_EQ(view.right_border, 0.4f);
}

TEST(DrawList, ARoomMovesTheCameraIntoTheModel) {
  SmallScene s;
  s.scene.enabletransform = 1;
  s.scene.scale = 2;
  s.scene.translate[2] = 4;
  const DrawView view = s.Build().views.at(0);
  EXPECT_FLOAT_EQ(view.pos[2], 3) << "(10 - 4) / 2";
  EXPECT_FLOAT_EQ(view.near, 0.05f);
  EXPECT_FLOAT_EQ(view.top, 0.05f) << "the same angle";
}

TEST(DrawList, TwoEyesShareTheViewport) {
  SmallScene s;
  s.scene.stereo = mjSTEREO_SIDEBYSIDE;
  s.scene.camera[0].pos[0] = -1;
  s.scene.camera[1].pos[0] = 1;
  const DrawList& list = s.Build();
  ASSERT_EQ(list.views.size(), 2);
  EXPECT_FLOAT_EQ(list.views[0].pos[0], -1);
  EXPECT_EQ(list.views[1].viewport.left, 100);
  EXPECT_FLOAT_EQ(list.views[1].right_border, 0.1f) << "square halves";
}

TEST(DrawList, TransparentGeomsAreOrderedByTheirNearestPoint) {
  SmallScene s;
  s.Add(mjGEOM_SPHERE, 0, 0, 0).rgba[3] = 0.5f;
  s.Add(mjGEOM_SPHERE, 0, 0, 5).rgba[3] = 0.5f;
  s.Add(mjGEOM_PLANE).rgba[3] = 0.5f;
  s.Add(mjGEOM_SPHERE, 0, 0, 7);
  const DrawList& list = s.Build();
  EXPECT_EQ(list.opaque, std::vector<int>{3});
  EXPECT_EQ(list.transparent, (std::vector<int>{1, 0, 2})) << "planes are the farthest";
  EXPECT_TRUE(s.geoms[0].transparent);
  EXPECT_FLOAT_EQ(s.geoms[1].camdist, 4.5f);
}

TEST(DrawList, APlaneSeenFromBelowIsFaint) {
  SmallScene s;
  s.Add(mjGEOM_PLANE, 0, 0, 20);
  const DrawList& list = s.Build();
  ASSERT_EQ(list.transparent.size(), 1);
  EXPECT_TRUE(list.instances[0].from_behind);
  EXPECT_FLOAT_EQ(list.instances[0].rgba[3], 0.3f);
}

TEST(DrawList, OnlyTheFirstMirrorMirrors) {
  SmallScene s;
  s.Add(mjGEOM_SPHERE).reflectance = 0.5f;
  s.Add(mjGEOM_BOX).reflectance = 0.5f;
  s.Add(mjGEOM_PLANE).reflectance = 0.5f;
  const DrawList& list = s.Build();
  EXPECT_EQ(list.reflector, 1);
  EXPECT_EQ(s.geoms[0].reflectance, 0);
  EXPECT_EQ(s.geoms[2].reflectance, 0) << "in the scene itself";
}

// As in MuJoCo 3.8.0.
TEST(DrawList, OnlyTheFirstMirrorKeepsItsReflectanceWhereNoneIsDrawn) {
  SmallScene s;
  s.Add(mjGEOM_BOX).reflectance = 0.5f;
  s.Add(mjGEOM_PLANE).reflectance = 0.5f;
  s.scene.flags[mjRND_REFLECTION] = 0;
  EXPECT_EQ(s.Build().reflector, -1);
  EXPECT_EQ(s.geoms[0].reflectance, 0.5f);
  EXPECT_EQ(s.geoms[1].reflectance, 0);
}

TEST(DrawList, AnArrowIsAShaftAndAHead) {
  SmallScene s;
  mjvGeom& arrow = s.Add(mjGEOM_ARROW);
  arrow.size[0] = arrow.size[1] = 0.1f;
  arrow.size[2] = 6;
  const DrawList& list = s.Build();
  ASSERT_EQ(list.instances.size(), 2);
  const DrawInstance &shaft = list.instances[0], &head = list.instances[1];
  EXPECT_EQ(shaft.shape, DrawShape::kCylinder);
  EXPECT_FLOAT_EQ(shaft.pos[2] - shaft.size[2], 0) << "starts at the geom";
  EXPECT_FLOAT_EQ(shaft.pos[2] + shaft.size[2], head.pos[2]);
  EXPECT_FLOAT_EQ(head.pos[2] + head.size[2], 3) << "half of its size is drawn";
  EXPECT_FLOAT_EQ(head.size[0], 0.175f);
}

TEST(DrawList, AnArrowWithTwoHeadsIsSymmetric) {
  SmallScene s;
  s.Add(mjGEOM_ARROW2).size[2] = 6;
  const DrawList& list = s.Build();
  ASSERT_EQ(list.instances.size(), 3);
  EXPECT_FLOAT_EQ(list.instances[1].pos[2], -list.instances[2].pos[2]);
  EXPECT_FLOAT_EQ(list.instances[2].mat[8], -1) << "points down";
}

TEST(DrawList, ASkinHidesTheEdgesOfAFlexThatHasFaces) {
  SmallScene s;
  s.Add(mjGEOM_FLEX).objid = 0;
  int zero = 0, one = 1, two = 2, used = 0, edge[2] = {0, 1};
  float vertices[6] = {0, 0, 0, 1, 0, 0}, triangle[9] = {}, normals[9] = {}, texcoords[6] = {};
  s.scene.nflex = 1;
  s.scene.flexvertadr = s.scene.flexedgeadr = s.scene.flexfaceadr = &zero;
  s.scene.flexvertnum = &two;
  s.scene.flexedgenum = s.scene.flexfacenum = &one;
  s.scene.flexfaceused = &used;
  s.scene.flexvert = vertices;
  s.scene.flexedge = edge;
  s.scene.flexface = triangle;
  s.scene.flexnormal = normals;
  s.scene.flextexcoord = texcoords;
  s.scene.flexedgeopt = s.scene.flexskinopt = 1;
  const auto rods = [&] {
    const DrawList& list = s.Build();
    return std::count_if(list.instances.begin(), list.instances.end(),
                         [](const DrawInstance& drawn) { return drawn.shape == DrawShape::kCapsule; });
  };
  EXPECT_EQ(rods(), 1) << "a rope has no faces";
  used = 1;
  EXPECT_EQ(rods(), 0);
}

TEST(DrawList, ABoxOfLinesHasTwelve) {
  SmallScene s;
  s.settings.line_width = 2;
  s.Add(mjGEOM_LINEBOX);
  const DrawList& list = s.Build();
  EXPECT_EQ(list.segments.size(), 12);
  EXPECT_FLOAT_EQ(list.segments[0].width, 3);
}

TEST(DrawList, NumbersOfSegmentsAreColours) {
  SmallScene s;
  s.scene.flags[mjRND_SEGMENT] = s.scene.flags[mjRND_IDCOLOR] = 1;
  s.Add(mjGEOM_SPHERE).segid = 256 * 256 + 2 * 256 + 6;
  const DrawInstance instance = s.Build().instances.at(0);
  EXPECT_FLOAT_EQ(instance.segment_rgb[0] * 255, 7);
  EXPECT_FLOAT_EQ(instance.segment_rgb[1] * 255, 2);
  EXPECT_FLOAT_EQ(instance.segment_rgb[2] * 255, 1);
}

TEST(DrawList, PointAndImageLightsLightNothing) {
  SmallScene s;
  s.scene.nlight = 2;
  s.scene.lights[0].type = mjLIGHT_POINT;
  s.scene.lights[1].type = mjLIGHT_IMAGE;
  const DrawList& list = s.Build();
  EXPECT_TRUE(list.lights.empty());
  EXPECT_FLOAT_EQ(list.ambient, 0.3f);
}

TEST(DrawList, WithoutAShadowMapThereAreNoShadows) {
  SmallScene s;
  s.scene.nlight = 1;
  s.scene.lights[0].type = mjLIGHT_DIRECTIONAL;
  s.scene.lights[0].castshadow = 1;
  s.scene.lights[0].dir[2] = -2;
  EXPECT_TRUE(s.Build().lights.at(0).shadow);
  EXPECT_FLOAT_EQ(s.list.lights[0].dir[2], -1) << "unit length";
  s.settings.shadow_size = 0;
  EXPECT_FALSE(s.Build().lights.at(0).shadow);
}

TEST(DrawList, TexturesFitTheGeomUnlessTheyAreUniform) {
  SmallScene s;
  s.assets.textures.resize(2);
  s.assets.textures[1].type = mjTEXTURE_CUBE;
  s.assets.materials = {{0, false, {4, 2}}, {0, true, {4, 2}}, {1, false, {1, 1}}};
  for (int i = 0; i < 3; ++i) s.Add(mjGEOM_BOX).matid = i;
  const DrawList& list = s.Build();
  EXPECT_EQ(list.instances[0].mapping, DrawMapping::kFlat);
  EXPECT_FLOAT_EQ(list.instances[0].scale[0], 4) << "four times over the width of two halves";
  EXPECT_FLOAT_EQ(list.instances[1].scale[0], 2) << "four times over two meters";
  EXPECT_EQ(list.instances[2].mapping, DrawMapping::kCube);
  EXPECT_FLOAT_EQ(list.instances[2].scale[0], 2);
}

TEST(DrawList, BadScenesAreErrors) {
  SmallScene s;
  s.Add(mjGEOM_MESH).dataid = 3;
  EXPECT_THROW(s.Build(), Error) << "no such mesh";
  s.geoms[0].type = 77;
  EXPECT_THROW(s.Build(), Error) << "no such type";
  s.geoms[0].type = mjGEOM_SPHERE;
  s.scene.camera[1].frustum_near = 0;
  EXPECT_THROW(s.Build(), Error) << "no near plane";
}

// Viewers draw such a scene before they have a model.
TEST(DrawList, AnEmptySceneNeedsNoCamera) {
  SmallScene s;
  s.scene.camera[0].frustum_near = s.scene.camera[1].frustum_near = 0;
  s.Build();
  EXPECT_LT(s.list.views.at(0).near, s.list.views.at(0).far);
  EXPECT_LT(s.list.views.at(0).left, s.list.views.at(0).right_border);
}

TEST(Halton, IsTheRadicalInverse) {
  EXPECT_FLOAT_EQ(Halton(1, 2), 0.5f);
  EXPECT_FLOAT_EQ(Halton(6, 2), 0.375f) << "110 backwards";
  EXPECT_FLOAT_EQ(Halton(5, 3), 7.0f / 9) << "12 backwards is 21";
}

TEST(TriangleList, FillsInWhatIsMissing) {
  const float a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0}, t[2] = {0.5f, 0.25f};
  const float* const corners[3] = {a, b, c};
  const float* const texcoords[3] = {t, t, t};
  TriangleList list;
  list.Add(corners, nullptr, nullptr);
  EXPECT_FLOAT_EQ(list.normals[2], 1);
  list.Add(corners, nullptr, texcoords);
  EXPECT_EQ(list.texcoords.size(), 12) << "the first triangle has zeros";
  EXPECT_FLOAT_EQ(list.texcoords[6], 0.5f);
}

}  // namespace
}  // namespace sinew
