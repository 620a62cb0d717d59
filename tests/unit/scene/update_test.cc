#include "scene/update.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "compile/compile.h"
#include "model/storage/data.h"
#include "read/read_xml.h"
#include "scene/defaults.h"
#include "scene/perturb.h"
#include "scene/scene.h"
#include "scene/select.h"

namespace sinew {
namespace {

// Two bodies above a plane, a tendon between their sites. Expected numbers are those of this scene in single precision.
class SceneTest : public testing::Test {
 protected:
  SceneTest()
      : model_(Compile(*ReadXmlText(R"(<mujoco><statistic extent="0.9" center="0.15 0 0.145" meansize="0.3"/>
          <worldbody><light name="L" pos="0 0 3" dir="0 0 -1"/><geom name="fl" type="plane" size="2 2 .1"/>
          <camera name="c" pos="0 -3 1" euler="80 0 0" fovy="40"/>
          <body name="A" pos="0 0 .19"><joint name="h" type="hinge" axis="0 1 0" range="-10 10" limited="true"/>
            <joint type="slide" axis="1 0 0"/><geom type="box" size=".2 .1 .2" mass="1"/><site name="a" size=".03"/>
            <body name="B" pos=".5 0 0"><joint type="ball"/><geom size=".1" mass="2"/><site name="b"/></body></body>
          </worldbody>
          <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
          <actuator><motor joint="h" ctrlrange="-1 1" ctrllimited="true"/></actuator></mujoco>)",
                                    "", nullptr),
                       nullptr)),
        data_(MakeData(*model_)) {
    SetDefaults(&option_);
    SetDefaults(&perturb_);
    SetDefaults(&scene_);
    SetFreeCamera(model_.get(), &camera_);
    MakeScene(model_.get(), &scene_, 100);
    data_->ctrl[0] = 0.5;
    mj_forward(model_.get(), data_.get());
  }
  ~SceneTest() override { FreeScene(&scene_); }

  void Update(int categories = mjCAT_ALL) {
    UpdateScene(model_.get(), data_.get(), &option_, &perturb_, &camera_, categories, &scene_);
  }
  // The first geom of a kind of object and category.
  const mjvGeom& Find(int objtype, int category) const {
    for (int i = 0; i < scene_.ngeom; ++i) {
      if (scene_.geoms[i].objtype == objtype && scene_.geoms[i].category == category) return scene_.geoms[i];
    }
    ADD_FAILURE() << "no such geom";
    return scene_.geoms[0];
  }

  ModelPtr model_;
  DataPtr data_;
  mjvOption option_;
  mjvPerturb perturb_;
  mjvCamera camera_;
  mjvScene scene_;
};

TEST_F(SceneTest, PartsComeInOrder) {
  Update();
  using Row = std::tuple<int, int, int, int, int>;  // type, objtype, objid, category, segid
  std::vector<Row> rows;
  for (int i = 0; i < scene_.ngeom; ++i) {
    const mjvGeom& geom = scene_.geoms[i];
    rows.emplace_back(geom.type, geom.objtype, geom.objid, geom.category, geom.segid);
  }
  const std::vector<Row> expected = {{0, 5, 0, 1, 0}, {6, 5, 1, 2, 1}, {2, 5, 2, 2, 2},
                                     {2, 6, 0, 2, 3}, {2, 6, 1, 2, 4}, {3, 18, 0, 2, 5}};
  EXPECT_EQ(rows, expected);
}

TEST_F(SceneTest, CategoriesAndGroupsAreLeftOut) {
  Update(mjCAT_STATIC);
  EXPECT_EQ(scene_.ngeom, 1);
  option_.flags[mjVIS_STATIC] = 0;
  Update(mjCAT_STATIC);
  EXPECT_EQ(scene_.ngeom, 0);
  option_.sitegroup[0] = 0;
  Update();
  EXPECT_EQ(scene_.ngeom, 3);
}

TEST_F(SceneTest, FullScenesSaySo) {
  FreeScene(&scene_);
  MakeScene(model_.get(), &scene_, 2);
  const auto handler = mju_user_warning;
  mju_user_warning = [](const char*) {};
  Update();
  mju_user_warning = handler;
  EXPECT_EQ(scene_.ngeom, 2);
  EXPECT_EQ(scene_.status, 1);
}

TEST_F(SceneTest, FramesInertiasActuatorsCameras) {
  option_.frame = mjFRAME_BODY;
  Update();
  EXPECT_FLOAT_EQ(Find(mjOBJ_UNKNOWN, mjCAT_DECOR).size[0], 0.03f);
  EXPECT_FLOAT_EQ(Find(mjOBJ_UNKNOWN, mjCAT_DECOR).size[2], 0.15f);
  EXPECT_FLOAT_EQ(Find(mjOBJ_UNKNOWN, mjCAT_DECOR).pos[0], 0.15f);

  option_.flags[mjVIS_INERTIA] = option_.flags[mjVIS_SCLINERTIA] = option_.flags[mjVIS_ACTUATOR] =
      option_.flags[mjVIS_CAMERA] = 1;
  Update();
  EXPECT_FLOAT_EQ(Find(mjOBJ_BODY, mjCAT_DECOR).size[0], 0.06299605f);
  EXPECT_FLOAT_EQ(Find(mjOBJ_BODY, mjCAT_DECOR).size[1], 0.03149803f);
  const float half_positive[4] = {0.55f, 0.325f, 0.2f, 1};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(Find(mjOBJ_ACTUATOR, mjCAT_DECOR).rgba[i], half_positive[i], 1e-6f);
  const mjvGeom& lens = *(&Find(mjOBJ_CAMERA, mjCAT_DECOR) + 1);
  EXPECT_NEAR(lens.pos[1], -2.9468205f, 1e-6f);
  EXPECT_NEAR(lens.pos[2], 0.990623f, 1e-6f);
}

TEST_F(SceneTest, LabelsNameObjectsOrCountThem) {
  option_.label = mjLABEL_GEOM;
  Update();
  EXPECT_STREQ(scene_.geoms[0].label, "fl");
  EXPECT_STREQ(scene_.geoms[1].label, "geom 1");
}

TEST_F(SceneTest, TheMouseSelectsWhatItPointsAt) {
  Update();
  const scene::Selection picked = scene::SelectAt(model_.get(), data_.get(), option_, scene_, 1.5, 0.5, 0.5);
  EXPECT_EQ(picked.body, 1);
  EXPECT_EQ(picked.geom, 1);
  EXPECT_EQ(picked.skin, -1);
  // The ray comes from a camera in single precision.
  EXPECT_NEAR(picked.point.y, -0.1, 1e-6);
  EXPECT_NEAR(picked.point.z, 0.24499998, 1e-6);
  const auto at_top = [this] { return scene::SelectAt(model_.get(), data_.get(), option_, scene_, 1.5, 0.5, 1).body; };
  EXPECT_EQ(at_top(), 0) << "the plane";
  option_.flags[mjVIS_STATIC] = 0;
  EXPECT_EQ(at_top(), -1);
}

TEST_F(SceneTest, SpringsPullAndTurnTheSelectedBody) {
  Update();
  perturb_.select = 1;
  perturb_.localpos[0] = 0.1;
  InitPerturb(model_.get(), data_.get(), scene_, &perturb_);
  EXPECT_GT(perturb_.localmass, 0);
  const double at = perturb_.refselpos[0];
  perturb_.refselpos[0] += 0.1;
  perturb_.active = mjPERT_TRANSLATE;
  ApplyPerturbForce(model_.get(), data_.get(), perturb_);
  // Stiffness for unit mass, at rest: F = k m displacement.
  EXPECT_NEAR(data_->xfrc_applied[6], static_cast<double>(model_->vis.map.stiffness) * perturb_.localmass * 0.1, 1e-9);
  EXPECT_EQ(data_->xfrc_applied[8], 0);
  EXPECT_NEAR(at, 0.1, 1e-15);
}

TEST_F(SceneTest, MovingAndTurningTheReference) {
  Update();
  perturb_.select = 1;
  InitPerturb(model_.get(), data_.get(), scene_, &perturb_);
  const double before = perturb_.refpos[2];
  MovePerturb(model_.get(), data_.get(), mjMOUSE_MOVE_V, 0, -0.1, scene_, &perturb_);
  EXPECT_NEAR(perturb_.refpos[2] - before, 0.1 * perturb_.scale, 1e-9);
  // At most a quarter turn: w = cos(45 deg).
  MovePerturb(model_.get(), data_.get(), mjMOUSE_ROTATE_V, 0.4, 0, scene_, &perturb_);
  EXPECT_NEAR(perturb_.refquat[0], std::sqrt(0.5), 1e-6);
}

}  // namespace
}  // namespace sinew
