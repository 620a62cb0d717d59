// Bounds that follow sizes are those that the compiler makes for a model of these sizes.
#include "batch/plan/own_bounds.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A body with a turned inertial frame and a tree of geoms, and one with a single geom. `scale`: of all sizes.
ModelPtr Shapes(double scale) {
  const auto size = [scale](double a, double b, double c) {
    return " size='" + std::to_string(scale * a) + " " + std::to_string(scale * b) + " " + std::to_string(scale * c) +
           "'";
  };
  std::string text = "<mujoco><worldbody><body pos='0 0 1'><freejoint/>";
  text += "<inertial pos='.1 .2 .3' quat='.9 .1 .2 .3' mass='1' diaginertia='1 1 1'/>";
  text += "<geom type='sphere' pos='.5 0 0'" + size(.1, 0, 0) + "/>";
  text += "<geom type='capsule' pos='-.5 .1 0' euler='10 20 30'" + size(.05, .2, 0) + "/>";
  text += "<geom type='cylinder' pos='0 .6 0' euler='50 20 30'" + size(.05, .2, 0) + "/>";
  text += "<geom type='box' pos='0 -.6 .2' euler='50 20 70'" + size(.05, .2, .1) + "/>";
  text += "</body><body><joint/><geom type='ellipsoid'" + size(.05, .2, .1) + "/></body></worldbody></mujoco>";
  return ModelFromText(text);
}

TEST(OwnBounds, AreThoseOfTheCompiler) {
  const auto shared = Shapes(1), larger = Shapes(1.7);
  const ModelPtr own(mj_copyModel(nullptr, shared.get()));
  std::copy_n(larger->geom_size, 3 * own->ngeom, own->geom_size);
  DeriveBounds(*shared, own.get());
  constexpr double kRounding = 1e-12;  // of sums of a few numbers near 1
  for (int i = 0; i < own->ngeom; ++i) EXPECT_NEAR(own->geom_rbound[i], larger->geom_rbound[i], kRounding);
  for (int i = 0; i < 6 * own->ngeom; ++i) EXPECT_NEAR(own->geom_aabb[i], larger->geom_aabb[i], kRounding);
  ASSERT_EQ(own->nbvhstatic, larger->nbvhstatic);
  ASSERT_GT(own->nbvhstatic, 5);
  for (int i = 0; i < 6 * own->nbvhstatic; ++i) EXPECT_NEAR(own->bvh_aabb[i], larger->bvh_aabb[i], kRounding) << i;

  // with the sizes of the model again, the bounds are those of the model
  std::copy_n(shared->geom_size, 3 * own->ngeom, own->geom_size);
  DeriveBounds(*shared, own.get());
  for (int i = 0; i < own->ngeom; ++i) EXPECT_EQ(own->geom_rbound[i], shared->geom_rbound[i]);
  for (int i = 0; i < 6 * own->ngeom; ++i) EXPECT_EQ(own->geom_aabb[i], shared->geom_aabb[i]);
  for (int i = 0; i < 6 * own->nbvhstatic; ++i) EXPECT_EQ(own->bvh_aabb[i], shared->bvh_aabb[i]) << i;
}

}  // namespace
}  // namespace sinew
