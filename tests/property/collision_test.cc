// Random pairs of shapes: contacts are finite, their frames unit, and moving the second geom along the normal by the
// depth separates the pair. Not so for capsule and box: their contacts are those of spheres on the capsule's axis.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

constexpr int kPoses = 200;

class RandomPairs : public testing::TestWithParam<std::tuple<int, int>> {};

// Deepest contact of the scene's two geoms, by index; -1 without contact.
int Deepest(Scene& scene) {
  const int count = scene.Collide(0, 1);
  int deepest = count > 0 ? 0 : -1;
  for (int i = 1; i < count; ++i) {
    if (scene.con(i).dist < scene.con(deepest).dist) deepest = i;
  }
  return deepest;
}

TEST_P(RandomPairs, SeparateByTheirDepth) {
  const auto [type1, type2] = GetParam();
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> size(.05, .3), coordinate(-1, 1);
  const auto random = [&](auto& distribution) {
    return Vec3<double>{distribution(generator), distribution(generator), distribution(generator)};
  };
  const auto orientation = [&] {
    return Quat<double>{coordinate(generator), coordinate(generator), coordinate(generator), coordinate(generator)};
  };
  int contacts = 0;
  for (int pose = 0; pose < kPoses; ++pose) {
    GeomSpec first = {type1, random(size), {0, 0, 0}, orientation()};
    GeomSpec second = {type2, random(size), random(coordinate) * .3, orientation(), 1};
    Scene scene({first, second});
    const int deepest = Deepest(scene);
    if (deepest < 0) continue;
    ++contacts;
    const mjContact contact = scene.con(deepest);
    const Vec3<double> normal = LoadVec3(contact.frame);
    ASSERT_TRUE(std::isfinite(contact.dist) && std::isfinite(Norm(LoadVec3(contact.pos))));
    ASSERT_NEAR(Norm(normal), 1, 1e-12);
    ASSERT_LE(contact.dist, 0);

    // normals point from the smaller type to the larger one, which is the second geom here
    scene.Place(1, second.pos + normal * (-contact.dist), second.quat);
    const int rest = Deepest(scene);
    // Depths come from a support function to within its tolerance; several contacts at one depth are an approximation
    // of the depth by the angle of their perturbation, 1e-3 rad.
    if (rest >= 0) {
      EXPECT_GT(scene.con(rest).dist, -1e-3) << "pose " << pose;
    }
  }
  EXPECT_GT(contacts, kPoses / 20);
}

std::string TypeName(int type) {
  static const char* const kNames[] = {"Plane",    "Hfield", "Sphere", "Capsule", "Ellipsoid",
                                       "Cylinder", "Box",    "Mesh",   "Sdf"};
  return kNames[type];
}

std::vector<std::tuple<int, int>> AllPairs() {
  std::vector<std::tuple<int, int>> pairs;
  for (int type1 :
       {mjGEOM_PLANE, mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX, mjGEOM_MESH}) {
    for (int type2 = std::max<int>(type1, mjGEOM_SPHERE); type2 <= mjGEOM_MESH; ++type2) {
      if (type1 != mjGEOM_CAPSULE || type2 != mjGEOM_BOX) pairs.emplace_back(type1, type2);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Collision, RandomPairs, testing::ValuesIn(AllPairs()), [](const auto& test) {
  return TypeName(std::get<0>(test.param)) + TypeName(std::get<1>(test.param));
});

}  // namespace
}  // namespace sinew
