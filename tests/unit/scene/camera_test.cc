#include "scene/camera.h"

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "core/error.h"
#include "model/storage/data.h"
#include "read/read_xml.h"
#include "scene/defaults.h"
#include "scene/lights.h"
#include "scene/room.h"

namespace sinew {
namespace {

// A scene of fixed extent with cameras of all kinds of lenses.
class CameraTest : public testing::Test {
 protected:
  CameraTest()
      : model_(Compile(*ReadXmlText(R"(<mujoco><statistic extent="0.9" center="0.15 0 0.145"/><worldbody>
          <light pos="0 0 3" cutoff="30"/><light pos="0 0 2" active="false"/><light type="directional"/>
          <camera pos="0 -3 1" euler="80 0 0" fovy="40"/>
          <camera sensorsize="0.01 0.008" focal="0.02 0.03" resolution="10 10" principal="0.001 0.002"/>
          <camera projection="orthographic" fovy="2"/></worldbody></mujoco>)",
                                    "", nullptr),
                       nullptr)),
        data_(MakeData(*model_)) {
    mj_camlight(model_.get(), data_.get());
    SetFreeCamera(model_.get(), &camera_);
    scene_.scale = 1;
  }
  void Update() { UpdateCamera(model_.get(), data_.get(), &camera_, &scene_); }
  void Move(int action) {
    Update();
    MoveCamera(model_.get(), action, 0.1, -0.05, &scene_, &camera_);
  }
  void UseFixed(int id) {
    camera_.type = mjCAMERA_FIXED;
    camera_.fixedcamid = id;
  }

  ModelPtr model_;
  DataPtr data_;
  mjvCamera camera_;
  mjvScene scene_ = {};
};

TEST_F(CameraTest, FreeCameraSeesTheModel) {
  EXPECT_NEAR(camera_.distance, 1.35, 1e-15);
  const CameraFrame frame = FindCameraFrame(model_.get(), data_.get(), camera_);
  // The expected numbers come from a camera in single precision.
  EXPECT_NEAR(frame.pos.y, -0.95459414, 1e-7);
  EXPECT_NEAR(frame.pos.z, 1.09959412, 1e-7);
  EXPECT_NEAR(frame.forward.y, 0.70710678, 1e-8);
  EXPECT_NEAR(Dot(Cross(frame.forward, frame.up) - frame.right, frame.right), 0, 1e-15);
}

TEST_F(CameraTest, FrustumFollowsTheFieldOfView) {
  Update();
  EXPECT_FLOAT_EQ(scene_.camera[0].frustum_near, 0.009f);
  EXPECT_FLOAT_EQ(scene_.camera[0].frustum_top, 0.0037279220f);
  EXPECT_FLOAT_EQ(scene_.camera[0].frustum_far, 45);
  // 2 tan(45 deg / 2)
  EXPECT_NEAR(FrustumHeight(scene_), 0.8284271, 1e-6);
  EXPECT_NEAR(HeadInModel(scene_).pos.y, -0.95459414, 1e-7);
  // The eyes are one interpupillary distance apart.
  EXPECT_NEAR(scene_.camera[1].pos[0] - scene_.camera[0].pos[0], 0.068, 1e-7);
}

TEST_F(CameraTest, LensesMoveTheFrustum) {
  UseFixed(1);
  const Frustum lens = FindFrustum(model_.get(), camera_);
  EXPECT_NEAR(lens.top, 0.009 / 0.03 * 0.002, 1e-9);
  EXPECT_NEAR(lens.bottom, 0.009 / 0.03 * 0.006, 1e-9);
  EXPECT_NEAR(lens.left, 0.009 / 0.02 * 0.004, 1e-9);
  EXPECT_NEAR(lens.right, 0.009 / 0.02 * 0.006, 1e-9);
  UseFixed(2);
  Update();
  EXPECT_EQ(scene_.camera[0].orthographic, 1);
  EXPECT_EQ(scene_.camera[0].frustum_top, 1);
  EXPECT_EQ(FrustumHeight(scene_), 2);
}

TEST_F(CameraTest, MouseMovesFreeCameras) {
  Move(mjMOUSE_ROTATE_V);
  EXPECT_NEAR(camera_.azimuth, 72, 1e-12);
  EXPECT_NEAR(camera_.elevation, -36, 1e-12);
  SetFreeCamera(model_.get(), &camera_);
  Move(mjMOUSE_MOVE_V);
  // Cameras are stored in single precision.
  EXPECT_NEAR(camera_.lookat[0], 0.03816234, 1e-6);
  EXPECT_NEAR(camera_.lookat[2], 0.08908117, 1e-6);
  SetFreeCamera(model_.get(), &camera_);
  Move(mjMOUSE_ZOOM);
  EXPECT_NEAR(camera_.distance, 1.5142133688, 1e-10);
}

TEST_F(CameraTest, AnglesAndDistancesAreBounded) {
  MoveCamera(model_.get(), mjMOUSE_ROTATE_H, -1, 5, &scene_, &camera_);
  EXPECT_EQ(camera_.azimuth, -90);
  EXPECT_EQ(camera_.elevation, -89);
  MoveCamera(model_.get(), mjMOUSE_ZOOM, 0, 1000, &scene_, &camera_);
  EXPECT_EQ(camera_.distance, 0.01 * 0.9);
  UseFixed(0);
  const mjvCamera before = camera_;
  MoveCamera(model_.get(), mjMOUSE_ROTATE_H, 1, 1, &scene_, &camera_);
  EXPECT_EQ(camera_.azimuth, before.azimuth);
}

TEST_F(CameraTest, WrongIdsAreNamed) {
  UseFixed(3);
  EXPECT_THROW(Update(), Error);
  camera_.type = mjCAMERA_TRACKING;
  camera_.trackbodyid = 7;
  EXPECT_THROW(Update(), Error);
  EXPECT_THROW(HeadInModel(scene_), Error) << "the cameras were never set";
}

TEST_F(CameraTest, LightsBeginAtTheCamera) {
  Update();
  MakeLights(model_.get(), data_.get(), &scene_);
  ASSERT_EQ(scene_.nlight, 3);
  EXPECT_EQ(scene_.lights[0].headlight, 1);
  EXPECT_EQ(scene_.lights[0].id, -1);
  EXPECT_NEAR(scene_.lights[0].pos[1], -0.95459414, 1e-6);
  EXPECT_EQ(scene_.lights[1].id, 0);
  EXPECT_EQ(scene_.lights[1].cutoff, 30);
  EXPECT_EQ(scene_.lights[2].id, 2);
  EXPECT_EQ(scene_.lights[2].cutoff, 0) << "only spots have a cone";
}

TEST(Room, TransformsAreInverse) {
  mjvScene scene = {};
  scene.enabletransform = 1;
  scene.scale = 2;
  scene.rotate[0] = scene.rotate[3] = std::sqrt(0.5f);
  scene.translate[0] = 1;
  const ScenePose room = ModelToRoom(scene, {{1, 0, 0}, {1, 0, 0, 0}});
  EXPECT_NEAR(room.pos.x, 1, 1e-6);
  EXPECT_NEAR(room.pos.y, 2, 1e-6);
  const ScenePose model = RoomToModel(scene, room);
  EXPECT_NEAR(model.pos.x, 1, 1e-6);
  EXPECT_NEAR(model.quat.w, 1, 1e-6);
  scene.scale = 0;
  EXPECT_THROW(ModelToRoom(scene, model), Error);
}

// Expected numbers: movements relative to the window times the extent, here 0.9, and 3 log(1 + s / 3) dy for the scale.
TEST_F(CameraTest, MouseMovesTheModelInTheRoom) {
  Update();
  scene_.rotate[0] = 1;
  MoveModel(model_.get(), mjMOUSE_MOVE_V, 0.1, -0.05, {0, 0, 1}, &scene_);
  EXPECT_EQ(scene_.translate[0], 0) << "scenes that are not transformed stay";
  scene_.enabletransform = 1;
  MoveModel(model_.get(), mjMOUSE_MOVE_V, 0.1, -0.05, {0, 0, 1}, &scene_);
  EXPECT_FLOAT_EQ(scene_.translate[0], 0.09f);
  EXPECT_FLOAT_EQ(scene_.translate[2], 0.045f);
  MoveModel(model_.get(), mjMOUSE_ROTATE_V, 0.5, 0, {0, 0, 1}, &scene_);
  EXPECT_NEAR(scene_.rotate[3], std::sqrt(0.5), 1e-6) << "a quarter turn about the vertical";
  MoveModel(model_.get(), mjMOUSE_ZOOM, 0, -0.05, {0, 0, 1}, &scene_);
  EXPECT_FLOAT_EQ(scene_.scale, 0.95684769f);
  EXPECT_THROW(MoveModel(model_.get(), 99, 0, 0, {0, 0, 1}, &scene_), Error);
}

TEST(Room, AlignTurnsYToTheLineOfSight) {
  const Vec3<double> turned = AlignToCamera({0, 1, 3}, {2, 0, -5});
  EXPECT_NEAR(turned.x, 1, 1e-15);
  EXPECT_NEAR(turned.y, 0, 1e-15);
  EXPECT_EQ(turned.z, 3);
  EXPECT_NEAR(AlignToCamera({1, 0, 0}, {2, 0, -5}).y, -1, 1e-15);
}

}  // namespace
}  // namespace sinew
