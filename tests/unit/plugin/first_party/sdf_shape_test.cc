// The shapes of mujoco.sdf.*: distances by the registered callbacks, and models that use them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/vec3.h"
#include "plugin/registry.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// A shape with the attributes that are given by name; others have their defaults.
class Shape {
 public:
  explicit Shape(const std::string& name, const std::vector<std::pair<std::string, std::string>>& config = {})
      : plugin_(*PluginAt(FindPlugin("mujoco.sdf." + name))), numbers_(static_cast<size_t>(plugin_.nattribute)) {
    std::vector<const char*> names(plugin_.attributes, plugin_.attributes + plugin_.nattribute);
    std::vector<const char*> values(names.size(), "");
    for (size_t i = 0; i < names.size(); ++i) {
      for (const auto& [key, value] : config) {
        if (key == names[i]) values[i] = value.c_str();
      }
    }
    plugin_.sdf_attribute(numbers_.data(), names.data(), values.data());
  }

  double operator()(const Vec& p) const { return plugin_.sdf_staticdistance(&p.x, numbers_.data()); }
  Vec Half() const {
    double box[6];
    plugin_.sdf_aabb(box, numbers_.data());
    return LoadVec3(box + 3);
  }

 private:
  const mjpPlugin& plugin_;
  std::vector<double> numbers_;
};

std::string Model(const std::string& name, const std::string& config) {
  return "<mujoco><extension><plugin plugin='mujoco.sdf." + name + "'><instance name='i'>" + config +
         "</instance></plugin></extension><asset><mesh name='m'><plugin instance='i'/></mesh></asset>"
         "<worldbody><geom type='sdf' mesh='m' contype='0' conaffinity='0'><plugin instance='i'/></geom></worldbody>"
         "</mujoco>";
}

std::string ErrorOf(const std::string& xml) {
  try {
    ModelFromText(xml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SdfShape, Torus) {
  const Shape torus("torus");
  EXPECT_NEAR(torus({.35, 0, 0}), -.15, 1e-15);
  EXPECT_NEAR(torus({0, -.35, .25}), .1, 1e-15);
  EXPECT_NEAR(torus({0, 0, 0}), .2, 1e-15);
  EXPECT_NEAR(Shape("torus", {{"radius1", "2"}})({2, 0, .2}), .05, 1e-15);
}

TEST(SdfShape, BowlHasAnArcAndARim) {
  const Shape bowl("bowl");
  EXPECT_NEAR(bowl({0, 0, -1.5}), .5 - .02, 1e-15);
  EXPECT_NEAR(bowl({0, 0, -.5}), .5 - .02, 1e-15);              // inside of the bowl
  EXPECT_NEAR(bowl({0, -.6, -.8}), -.02, 1e-15);                // in its wall
  EXPECT_NEAR(bowl({std::sqrt(.84), 0, .9}), .5 - .02, 1e-15);  // above the rim
}

// Numbers of the plugins of these names, from the release whose interface this is.
TEST(SdfShape, ScrewsEqualRecordedDistances) {
  const Shape bolt("bolt"), nut("nut");
  EXPECT_NEAR(bolt({0, 0, -.7}), -.18974, 1e-5);
  EXPECT_NEAR(bolt({.3, 0, -.9}), .010607, 1e-6);
  EXPECT_NEAR(bolt({.5, 0, 0}), .014142, 1e-6);
  EXPECT_NEAR(nut({0, 0, 0}), .219203, 1e-6);
  EXPECT_NEAR(nut({0, 0, -.55}), .148492, 1e-6);
  EXPECT_NEAR(nut({.6, 0, .2}), .226274, 1e-6);
}

// Near the thread, away from the ends, what is inside of the screw is outside of the nut.
TEST(SdfShape, TheNutIsTheScrewsOutside) {
  const Shape bolt("bolt"), nut("nut");
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> radius(.2, .3), angle(0, 2 * M_PI), height(-.4, -.2);
  for (int i = 0; i < 1000; ++i) {
    const double r = radius(generator), a = angle(generator), z = height(generator);
    const Vec p = {r * std::cos(a), r * std::sin(a), z};
    EXPECT_NEAR(nut(p), -bolt(p - Vec{0, 0, .5}), 1e-14);  // six turns lower, where the bolt has no head
  }
}

TEST(SdfShape, GearsHaveTheirTeeth) {
  for (const int teeth : {12, 25, 60}) {
    const Shape gear("gear", {{"teeth", std::to_string(teeth)}});
    const double stride = 2 * M_PI / teeth, top = 1.4 + .7 * 2.8 / teeth;
    int crossings = 0;
    bool was_inside = false;
    for (int i = 0; i <= 100 * teeth; ++i) {
      const double a = (i + .5) * stride / 100;
      const Vec p = {top * std::cos(a), top * std::sin(a), .01};
      const Vec next = {top * std::cos(a + stride), top * std::sin(a + stride), .01};
      EXPECT_NEAR(gear(p), gear(next), 1e-13);
      const bool inside = gear(p) < 0;
      crossings += i > 0 && inside != was_inside;
      was_inside = inside;
    }
    EXPECT_EQ(crossings, 2 * teeth);
  }
}

TEST(SdfShape, GearsTurnByAlphaAndEndAtTheirThickness) {
  const Shape gear("gear", {{"thickness", "0.5"}}), turned("gear", {{"thickness", "0.5"}, {"alpha", "0.1"}});
  const Vec p = {1.38, .1, .1},
            q = {1.38 * std::cos(.1) - .1 * std::sin(.1), 1.38 * std::sin(.1) + .1 * std::cos(.1), .1};
  EXPECT_NEAR(turned(p), gear(q), 1e-14);
  EXPECT_NEAR(gear({1.1, 0, .35}), .1, 1e-15);
  EXPECT_NEAR(Shape("gear", {{"innerdiameter", "1"}})({.3, 0, 0}), .2, 1e-15);
}

TEST(SdfShape, BoxesHoldTheSurfaces) {
  for (const char* name : {"torus", "bowl", "bolt", "nut", "gear"}) {
    const Shape shape(name);
    const Vec half = shape.Half();
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 3000; ++i) {
      Vec p = {half.x * unit(generator), half.y * unit(generator), half.z * unit(generator)};
      p[i % 3] = (i & 4 ? 1.001 : -1.001) * half[i % 3];
      EXPECT_GT(shape(p), 0) << name << ": " << p.x << " " << p.y << " " << p.z;
    }
  }
}

TEST(SdfShape, GradientsAreThoseOfTheDistances) {
  for (const char* name : {"torus", "bowl", "bolt", "nut", "gear"}) {
    const World w(ModelFromText(Model(name, "")));
    const mjpPlugin& plugin = *PluginAt(FindPlugin(std::string("mujoco.sdf.") + name));
    const Vec p = {.31, .23, -.17};
    double gradient[3];
    plugin.sdf_gradient(gradient, &p.x, w.d.get(), 0);
    for (int k = 0; k < 3; ++k) {
      Vec ahead = p, behind = p;
      ahead[k] += 1e-6;
      behind[k] -= 1e-6;
      const double slope =
          (plugin.sdf_distance(&ahead.x, w.d.get(), 0) - plugin.sdf_distance(&behind.x, w.d.get(), 0)) / 2e-6;
      EXPECT_NEAR(gradient[k], slope, 1e-6) << name;  // forward differences with a step of 1e-8
    }
  }
}

// The ring's mesh: no octree, as the plugin knows the distance, and the frame of the plugin.
TEST(SdfShape, MeshesKeepTheFrameOfTheirShape) {
  const ModelPtr m =
      ModelFromText(Model("torus", "<config key='radius1' value='.3'/><config key='radius2' value='.1'/>"));
  EXPECT_EQ(m->noct, 0);
  EXPECT_EQ(m->mesh_octadr[0], -1);
  EXPECT_EQ(m->geom_plugin[0], 0);
  EXPECT_EQ(m->mesh_pos[0], 0);
  EXPECT_EQ(m->mesh_quat[0], 1);
  EXPECT_EQ(m->mesh_vertnum[0], m->mesh_facenum[0] / 2);  // a torus
  EXPECT_NEAR(m->geom_size[0], .4, 1e-3);                 // cells of 5 mm
  EXPECT_NEAR(m->geom_size[2], .1, 1e-3);
}

TEST(SdfShape, BadValuesAreNamed) {
  const auto config = [](const std::string& key, const std::string& value) {
    return "<config key='" + key + "' value='" + value + "'/>";
  };
  EXPECT_NE(ErrorOf(Model("torus", config("radius1", "-1"))).find("radius1 and radius2 must be positive"),
            std::string::npos);
  EXPECT_NE(ErrorOf(Model("torus", config("radius1", "wide"))).find("no number"), std::string::npos);
  EXPECT_NE(ErrorOf(Model("bowl", config("height", "2"))).find("height must be less"), std::string::npos);
  EXPECT_NE(ErrorOf(Model("gear", config("teeth", "0"))).find("teeth"), std::string::npos);
  EXPECT_NE(ErrorOf(Model("gear", config("thickness", "nan"))).find("thickness"), std::string::npos);
  EXPECT_NE(ErrorOf(Model("bolt", config("width", "1"))).find("unrecognized attribute"), std::string::npos);
  EXPECT_NE(ErrorOf(Model("cube", "")).find("mujoco.sdf.cube"), std::string::npos);
}

TEST(SdfShape, MeshesOfPluginsHaveNoScale) {
  std::string xml = Model("torus", "");
  xml.replace(xml.find("<mesh name='m'"), 14, "<mesh name='m' scale='2 1 1'");
  EXPECT_NE(ErrorOf(xml).find("scale does not apply"), std::string::npos);
}

TEST(SdfShape, MeshesNeedAPluginOfShapes) {
  const std::string xml =
      "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='i'/></plugin></extension>"
      "<asset><mesh name='m'><plugin instance='i'/></mesh></asset></mujoco>";
  EXPECT_NE(ErrorOf(xml).find("has no signed distances"), std::string::npos);
}

}  // namespace
}  // namespace sinew
