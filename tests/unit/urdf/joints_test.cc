#include "urdf/joints.h"

#include <cmath>

#include "tests/unit/urdf/read_robot.h"

namespace sinew::urdf {
namespace {

// A base, an arm, and one joint between them.
std::string Arm(const std::string& type, const std::string& content) {
  return Link("base") + Link("arm") + JointTo(type, "base", "arm", content);
}

const Joint& OnlyJoint(const Spec& spec) { return *spec.Find<Body>("arm")->joints.at(0); }

TEST(Joints, Types) {
  const auto type = [](const char* word) { return OnlyJoint(*ReadRobot(Arm(word, ""))).type; };
  EXPECT_EQ(type("revolute"), mjJNT_HINGE);
  EXPECT_EQ(type("continuous"), mjJNT_HINGE);
  EXPECT_EQ(type("prismatic"), mjJNT_SLIDE);
  EXPECT_EQ(type("floating"), mjJNT_FREE);
  EXPECT_EQ(type("spherical"), mjJNT_BALL);
  EXPECT_TRUE(ReadRobot(Arm("fixed", ""))->Find<Body>("arm")->joints.empty());
  EXPECT_TRUE(Contains(ErrorOfRobot(Arm("screw", "")), "use revolute, continuous"));
}

TEST(Joints, PoseAxisLimitAndDynamics) {
  const auto spec = ReadRobot(Arm("revolute", R"(<origin xyz="1 2 3" rpy="0 0 0"/><axis xyz="0 0 2"/>
      <limit lower="-1" upper="2" effort="-3" velocity="4"/><dynamics damping="0.5" friction="0.2"/>)"));
  EXPECT_EQ(spec->Find<Body>("arm")->pos[2], 3);
  const Joint& joint = OnlyJoint(*spec);
  EXPECT_EQ(joint.axis[0], 0);
  EXPECT_EQ(joint.axis[2], 2);
  EXPECT_EQ(joint.range[1], 2);
  EXPECT_EQ(joint.limited, mjLIMITED_AUTO);
  EXPECT_EQ(joint.actfrcrange[0], -3);
  EXPECT_EQ(joint.actfrcrange[1], 3);
  EXPECT_EQ(joint.damping[0], 0.5);
  EXPECT_EQ(joint.frictionloss, 0.2);
}

TEST(Joints, DefaultAxisIsX) { EXPECT_EQ(OnlyJoint(*ReadRobot(Arm("revolute", ""))).axis[0], 1); }

TEST(Joints, HalfAndReversedRangesDoNotLimit) {
  const auto limited = [](const std::string& limit) {
    return OnlyJoint(*ReadRobot(Arm("prismatic", "<limit " + limit + "/>"))).limited;
  };
  EXPECT_EQ(limited("lower='1'"), mjLIMITED_FALSE);
  EXPECT_EQ(limited("upper='1'"), mjLIMITED_FALSE);
  EXPECT_EQ(limited("lower='1' upper='-1'"), mjLIMITED_FALSE);
  EXPECT_EQ(limited("lower='0' upper='0'"), mjLIMITED_AUTO);
  EXPECT_EQ(CompileRobot(Arm("prismatic", "<limit lower='0' upper='0'/>"))->jnt_limited[0], 0);
}

// Exporters write infinite numbers for limits that are none.
TEST(Joints, InfiniteLimitsAreNone) {
  const ModelPtr none = CompileRobot(Arm("revolute", "<limit lower='-inf' upper='inf' effort='inf' velocity='inf'/>"));
  EXPECT_EQ(none->jnt_limited[0], 0);
  EXPECT_EQ(none->jnt_actfrclimited[0], 0);
  const ModelPtr half = CompileRobot(Arm("prismatic", "<limit lower='-1' upper='inf' effort='2'/>"));
  EXPECT_EQ(half->jnt_limited[0], 1);
  EXPECT_EQ(half->jnt_range[0], -1);
  EXPECT_TRUE(std::isinf(half->jnt_range[1]));
  EXPECT_EQ(half->jnt_actfrcrange[1], 2);
  EXPECT_TRUE(Contains(ErrorOfRobot(Arm("revolute", "<limit lower='nan' upper='1'/>")), "'nan', which is not"));
  EXPECT_TRUE(Contains(ErrorOfRobot(Arm("revolute", "<origin xyz='inf 0 0'/>")), "'inf', which is not a finite"));
}

TEST(Joints, PlanarIsTwoSlidesAndAHingeAcrossTheAxis) {
  const auto spec = ReadRobot(Arm("planar", "<axis xyz='0 1 1'/><limit lower='-1' upper='1'/>"));
  const auto& joints = spec->Find<Body>("arm")->joints;
  ASSERT_EQ(joints.size(), 3u);
  EXPECT_EQ(joints[0]->name, "to_arm_TX");
  EXPECT_EQ(joints[1]->name, "to_arm_TY");
  EXPECT_EQ(joints[2]->name, "to_arm_RZ");
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(joints[0]->axis[0], 1, 1e-15);
  EXPECT_NEAR(joints[1]->axis[1], half, 1e-15);
  EXPECT_NEAR(joints[1]->axis[2], -half, 1e-15);
  EXPECT_EQ(joints[2]->axis[2], 1);
  EXPECT_EQ(joints[0]->range[1], 1);
  EXPECT_EQ(joints[1]->range[1], 0);
}

TEST(Joints, FloatingBodyMayHangOnTheFixedBase) {
  const auto model = CompileRobot(Arm("floating", ""));
  EXPECT_EQ(model->nbody, 2);
  EXPECT_EQ(model->nv, 6);
}

TEST(Joints, FloatingBaseOnRequest) {
  EXPECT_EQ(CompileRobot(Link("base"))->nv, 0);
  EXPECT_EQ(CompileRobot(Link("base"), {.floatingbase = true})->nv, 6);
  EXPECT_EQ(CompileRobot("<mujoco><urdf floatingbase='true'/></mujoco>" + Link("base"))->nv, 6);
  EXPECT_EQ(CompileRobot(Link("world", ""), {.floatingbase = true})->nv, 0);
}

TEST(Joints, MimicOnRequest) {
  const std::string gripper =
      Link("base") + Link("left") + Link("right") + JointTo("prismatic", "base", "left") +
      JointTo("prismatic", "base", "right", "<mimic joint='to_left' multiplier='-2' offset='0.1'/>");
  EXPECT_EQ(CompileRobot(gripper)->neq, 0);
  EXPECT_TRUE(
      Contains(WarningsOf(gripper), "joint 'to_right' / mimic: element 'mimic' is not used; the option 'mimic'"));
  const auto model = CompileRobot(gripper, {.mimic = true});
  ASSERT_EQ(model->neq, 1);
  EXPECT_EQ(model->eq_type[0], mjEQ_JOINT);
  EXPECT_EQ(model->eq_obj1id[0], 1);
  EXPECT_EQ(model->eq_obj2id[0], 0);
  EXPECT_EQ(model->eq_data[0], 0.1);
  EXPECT_EQ(model->eq_data[1], -2);
  EXPECT_EQ(WarningsOf(gripper, {.mimic = true}), "");
}

TEST(Joints, TreesOnly) {
  const std::string links = Link("a") + Link("b");
  EXPECT_TRUE(Contains(ErrorOfRobot(links + JointTo("fixed", "a", "b") + JointTo("fixed", "b", "a")), "form a loop"));
  EXPECT_TRUE(
      Contains(ErrorOfRobot(links + JointTo("fixed", "a", "b") + JointTo("fixed", "a", "b")), "another parent joint"));
  EXPECT_TRUE(Contains(ErrorOfRobot(links + JointTo("fixed", "a", "c")), "there is no link 'c'"));
}

TEST(Joints, DepthIsBounded) {
  std::string chain = Link("0");
  for (int i = 1; i < 1200; ++i) {
    const std::string name = std::to_string(i);
    chain += Link(name) + JointTo("revolute", std::to_string(i - 1), name);
  }
  EXPECT_TRUE(Contains(ErrorOfRobot(chain), "more than 1000 deep"));
}

}  // namespace
}  // namespace sinew::urdf
