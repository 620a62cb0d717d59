// What pictures show is where rays meet it: depth at every pixel against a ray through the pixel, over generated
// shapes, poses and cameras. Pictures are drawn on the processor, in single precision.
#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "math/vec3.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr int kWidth = 48, kHeight = 40;

// The ray through the middle of each pixel of a camera of the model, as distance along the camera's axis; infinite
// where nothing is met. `cast` gives the distance along a unit vector, or -1.
std::vector<double> DepthByRays(const mjModel* m, const mjData* d, const std::function<double(Vec, Vec)>& cast) {
  const double* mat = d->cam_xmat;
  const auto axis = [&](int i) { return Vec{mat[i], mat[3 + i], mat[6 + i]}; };
  const Vec eye = {d->cam_xpos[0], d->cam_xpos[1], d->cam_xpos[2]};
  const bool orthographic = m->cam_projection[0] == mjPROJ_ORTHOGRAPHIC;
  const double half = orthographic ? 0.5 * m->cam_fovy[0] : std::tan(m->cam_fovy[0] * mjPI / 360);
  std::vector<double> depths;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double u = (2 * (x + 0.5) - kWidth) / kHeight * half, v = (kHeight - 2 * (y + 0.5)) / kHeight * half;
      const Vec side = axis(0) * u + axis(1) * v, forward = -axis(2);
      const Vec from = orthographic ? eye + side : eye;
      const Vec direction = orthographic ? forward : Normalized(forward + side);
      const double distance = cast(from, direction);
      depths.push_back(distance < 0 ? INFINITY : distance * Dot(direction, forward));
    }
  }
  return depths;
}

// Share of pixels whose depth differs. Silhouettes fall on one side or the other by rounding.
double ShareOff(const std::vector<double>& expected, const Picture& picture, double tolerance) {
  size_t off = 0, seen = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double shown = picture.depth[i];
    seen += std::isfinite(expected[i]);
    if (std::isinf(expected[i]) && std::isinf(shown)) continue;
    off += !(std::abs(shown - expected[i]) <= tolerance);
  }
  EXPECT_GT(seen, expected.size() / 200) << "the camera sees the shape";
  return static_cast<double>(off) / static_cast<double>(expected.size());
}

class Numbers {
 public:
  double In(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  std::string Text(int count, double low, double high) {
    std::string text;
    for (int i = 0; i < count; ++i) text += std::to_string(In(low, high)) + " ";
    return text;
  }
  // A camera at a distance that looks at the origin, from where it is told or from anywhere.
  std::string Camera(bool above) {
    const double height = above ? In(0.6, 1) : In(-1, 1), turn = In(0, 2 * mjPI),
                 across = std::sqrt(1 - height * height);
    const Vec z = {across * std::cos(turn), across * std::sin(turn), height};  // the camera looks along -z
    const Vec x = Normalized(Cross({0, 0, 1}, z)), y = Cross(z, x), p = z * 3;
    const bool orthographic = In(0, 1) < 0.3;
    std::string text = "<camera pos='";
    for (const double number : {p.x, p.y, p.z}) text += std::to_string(number) + " ";
    text += "' xyaxes='";
    for (const double number : {x.x, x.y, x.z, y.x, y.y, y.z}) text += std::to_string(number) + " ";
    return text + (orthographic ? "' projection='orthographic' fovy='2.5'/>" : "' fovy='45'/>");
  }

 private:
  std::mt19937 generator_{7};
};

Model World(const std::string& assets, const std::string& bodies) {
  return Model::FromXmlText(
      "<mujoco><statistic extent='1' center='0 0 0'/><visual><map znear='.05' zfar='50'/></visual>"
      "<asset>" +
      assets + "</asset><worldbody>" + bodies + "</worldbody></mujoco>");
}

struct Shape {
  const char* geom;  // before its pose
  int sizes;         // numbers that are drawn by lot
  const char* assets = "";
  double tolerance = 1e-4;  // [m] of depth: floats, at slopes where a pixel's ray grazes
  double share = 0.005;
  bool above = false;  // seen from its front alone
};

const char* const kBlob = "<mesh name='m' vertex='.5 0 0 -.4 .1 0 0 .6 0 .1 -.5 .1 0 0 .5 .1 .1 -.4 .4 .4 .3'/>";
const char* const kBlock =
    "<mesh name='m' vertex='-.4 -.3 -.5 .4 -.3 -.5 -.4 .3 -.5 .4 .3 -.5 -.4 -.3 .5 .4 -.3 .5 -.4 .3 .5 .4 .3 .5'/>";

const Shape kShapes[] = {
    {"type='plane' size='.8 .6 .1'", 0, "", 1e-4, 0.005, true},
    {"type='sphere'", 1},
    {"type='capsule'", 2},
    {"type='ellipsoid'", 3},
    {"type='cylinder'", 2},
    {"type='box'", 3},
    {"type='mesh' mesh='m'", 0, kBlob},
    // The picture shows the mesh, a ray meets the field, which is interpolated on cells of its octree.
    {"type='sdf' mesh='m'", 0, kBlock, 0.03, 0.05},
};

TEST(PicturesAndRays, AgreeOnEveryTypeOfGeom) {
  Numbers numbers;
  for (const Shape& shape : kShapes) {
    for (int trial = 0; trial < 6; ++trial) {
      std::string geom = std::string("<geom ") + shape.geom;
      if (shape.sizes > 0) geom += " size='" + numbers.Text(shape.sizes, 0.3, 0.7) + "'";
      if (!shape.above) geom += " euler='" + numbers.Text(3, -180, 180) + "'";
      const Model model = World(shape.assets, geom + " pos='.1 -.1 .05'/>" + numbers.Camera(shape.above));
      Data data(model);
      data.Forward();
      Renderer renderer(model, {.width = kWidth, .height = kHeight, .samples = 1, .depth = true});
      renderer.UseCamera(0);
      const auto depths = DepthByRays(model, data, [&](const Vec& from, const Vec& direction) {
        int geom_id;
        return mj_ray(model, data, &from.x, &direction.x, nullptr, 1, -1, &geom_id, nullptr);
      });
      EXPECT_LE(ShareOff(depths, renderer.Render(data), shape.tolerance), shape.share) << shape.geom << " " << trial;
    }
  }
}

// All diagonals of cells count: elevations are random.
TEST(PicturesAndRays, AgreeOnHeightFields) {
  Numbers numbers;
  for (int trial = 0; trial < 12; ++trial) {
    const int rows = 2 + trial % 4, columns = 2 + trial / 4;
    const std::string asset = "<hfield name='h' nrow='" + std::to_string(rows) + "' ncol='" + std::to_string(columns) +
                              "' elevation='" + numbers.Text(rows * columns, 0, 1) + "' size='.8 .6 .5 .1'/>";
    const Model model = World(
        asset, "<geom type='hfield' hfield='h' euler='" + numbers.Text(3, -20, 20) + "'/>" + numbers.Camera(true));
    Data data(model);
    data.Forward();
    Renderer renderer(model, {.width = kWidth, .height = kHeight, .samples = 1, .depth = true});
    renderer.UseCamera(0);
    const auto depths = DepthByRays(model, data, [&](const Vec& from, const Vec& direction) {
      int geom;
      return mj_ray(model, data, &from.x, &direction.x, nullptr, 1, -1, &geom, nullptr);
    });
    EXPECT_LE(ShareOff(depths, renderer.Render(data), 1e-4), 0.005) << rows << " x " << columns;
  }
}

struct FlexShape {
  const char* text;
  bool edges;  // what is drawn and met: edges, or faces
};

TEST(PicturesAndRays, AgreeOnFlexes) {
  constexpr FlexShape kFlexes[] = {
      {"type='grid' dim='1' count='6 1 1' spacing='.2 .2 .2' radius='.04'", true},
      {"type='grid' dim='2' count='5 4 1' spacing='.2 .2 .2' radius='.02'", true},
      {"type='grid' dim='2' count='5 4 1' spacing='.2 .2 .2' radius='.001'", false},
      {"type='grid' dim='3' count='3 4 3' spacing='.3 .2 .3' radius='.001'", false},
  };
  Numbers numbers;
  for (const FlexShape& flex : kFlexes) {
    for (int trial = 0; trial < 3; ++trial) {
      const Model model =
          World("", std::string("<flexcomp name='f' mass='1' ") + flex.text + " euler='" + numbers.Text(3, -60, 60) +
                        "'><contact selfcollide='none'/></flexcomp>" + numbers.Camera(false));
      Data data(model);
      for (double& q : std::span(data->qpos, static_cast<size_t>(model->nq))) q += numbers.In(-0.03, 0.03);
      data.Forward();
      Renderer renderer(model, {.width = kWidth, .height = kHeight, .samples = 1, .depth = true});
      renderer.UseCamera(0);
      renderer.option().flags[mjVIS_FLEXSKIN] = 0;
      renderer.option().flags[mjVIS_FLEXEDGE] = flex.edges;
      renderer.option().flags[mjVIS_FLEXFACE] = !flex.edges;
      const auto depths = DepthByRays(model, data, [&](const Vec& from, const Vec& direction) {
        int vertex;
        return mj_rayFlex(model, data, 0, 0, flex.edges, !flex.edges, 0, 0, &from.x, &direction.x, &vertex, nullptr);
      });
      // faces are drawn at the radius before them, 1 mm; where they are seen edge on, that is more along the ray
      EXPECT_LE(ShareOff(depths, renderer.Render(data), flex.edges ? 1e-4 : 0.02), 0.02) << flex.text;
    }
  }
}

// The faces of a skin as the scene has them.
TEST(PicturesAndRays, AgreeOnSkins) {
  Numbers numbers;
  for (int trial = 0; trial < 6; ++trial) {
    const Model model = Model::FromXmlText(
        "<mujoco><statistic extent='1' center='0 0 0'/><visual><map znear='.05' zfar='50'/></visual>"
        "<deformable><skin name='s' vertex='-.5 -.4 0  .5 -.4 .1  .5 .4 0  -.5 .4 .2  0 0 .5' face='0 1 4  1 2 4  2 3 "
        "4 "
        " 3 0 4  0 2 1  0 3 2'><bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>"
        "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='2 3 4' vertweight='1 1 1'/></skin></deformable>"
        "<worldbody><body name='a'><freejoint/><geom size='.01' group='4'/></body>"
        "<body name='b'><freejoint/><geom size='.01' group='4'/></body>" +
        numbers.Camera(false) + "</worldbody></mujoco>");
    Data data(model);
    for (int body = 0; body < 2; ++body) {
      for (int i = 0; i < 3; ++i) data->qpos[7 * body + i] = numbers.In(-0.1, 0.1);
      for (int i = 4; i < 7; ++i) data->qpos[7 * body + i] = numbers.In(-0.3, 0.3);
    }
    data.Forward();
    mjvScene scene;
    mjv_defaultScene(&scene);
    mjv_makeScene(model, &scene, 100);
    mjvOption option;
    mjv_defaultOption(&option);
    mjvCamera camera;
    mjv_defaultCamera(&camera);
    mjv_updateScene(model, data, &option, nullptr, &camera, mjCAT_ALL, &scene);
    Renderer renderer(model, {.width = kWidth, .height = kHeight, .samples = 1, .depth = true});
    renderer.UseCamera(0);
    const auto depths = DepthByRays(model, data, [&](const Vec& from, const Vec& direction) {
      int vertex;
      return mju_raySkin(model->skin_facenum[0], model->skin_vertnum[0], model->skin_face, scene.skinvert, &from.x,
                         &direction.x, &vertex);
    });
    EXPECT_LE(ShareOff(depths, renderer.Render(data), 1e-4), 0.01) << trial;
    mjv_freeScene(&scene);
  }
}

}  // namespace
}  // namespace sinew
