#include "scene/geom.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "scene/defaults.h"

namespace sinew {
namespace {

TEST(SceneGeom, DefaultsAndSizes) {
  mjvGeom geom = {};
  geom.segid = 7;
  InitGeom(&geom, mjGEOM_BOX, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(geom.size[2], 0.1f);
  EXPECT_EQ(geom.mat[4], 1);
  EXPECT_EQ(geom.rgba[0], 0.5f);
  EXPECT_EQ(geom.matid, -1);
  EXPECT_EQ(geom.segid, 7) << "what it stands for is the caller's";
  const mjtNum size[3] = {1, 2, 3};
  InitGeom(&geom, mjGEOM_SPHERE, size, nullptr, nullptr, nullptr);
  EXPECT_EQ(geom.size[2], 1);
  InitGeom(&geom, mjGEOM_CAPSULE, size, nullptr, nullptr, nullptr);
  EXPECT_EQ(geom.size[1], 1);
  EXPECT_EQ(geom.size[2], 2);
}

TEST(SceneGeom, ConnectorsReachFromPointToPoint) {
  mjvGeom geom = {};
  const mjtNum from[3] = {1, 0, 0}, to[3] = {1, 4, 0};
  ConnectPoints(&geom, mjGEOM_CAPSULE, 0.1, from, to);
  EXPECT_EQ(geom.size[0], 0.1f);
  EXPECT_EQ(geom.size[2], 2);
  EXPECT_EQ(geom.pos[1], 2);
  // The third column of the matrix is the direction.
  EXPECT_NEAR(geom.mat[5], 1, 1e-7);
  ConnectPoints(&geom, mjGEOM_ARROW, 0.1, from, to);
  EXPECT_EQ(geom.size[2], 4);
  EXPECT_EQ(geom.pos[1], 0);
  EXPECT_THROW(ConnectPoints(&geom, mjGEOM_BOX, 0.1, from, to), Error);
}

TEST(SceneDefaults, OptionsFiguresAndPerturbations) {
  mjvOption option;
  SetDefaults(&option);
  EXPECT_EQ(option.geomgroup[2], 1);
  EXPECT_EQ(option.geomgroup[3], 0);
  EXPECT_EQ(option.flags[mjVIS_TEXTURE], 1);
  EXPECT_EQ(option.flags[mjVIS_CONTACTFORCE], 0);
  mjvFigure figure;
  SetDefaults(&figure);
  EXPECT_EQ(figure.highlightid, -1);
  EXPECT_FLOAT_EQ(figure.linergb[8][0], 0.15f);
  EXPECT_FLOAT_EQ(figure.linergb[8][1], 0.81111115f);
  EXPECT_FLOAT_EQ(figure.linergb[9][2], 0.772f);
  mjvPerturb perturb;
  SetDefaults(&perturb);
  EXPECT_EQ(perturb.refquat[0], 1);
  EXPECT_EQ(perturb.skinselect, -1);
}

}  // namespace
}  // namespace sinew
