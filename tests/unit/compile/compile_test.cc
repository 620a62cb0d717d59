#include "math/quat.h"
#include "model/kinds/names.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

using Ints = std::vector<int>;

TEST(Compile, IdsAreDepthFirstAndFramesDoNotRegroup) {
  const ModelPtr m = CompileWorld(
      "<geom name='g0' size='.1'/><body name='a'><geom name='a1' size='.1'/><body name='b'><geom name='b1' "
      "size='.1'/></body>"
      "<frame pos='1 0 0'><geom name='a2' size='.1'/></frame></body><geom name='g1' size='.1'/>");
  const char* order[] = {"g0", "g1", "a1", "a2", "b1"};
  for (int i = 0; i < 5; ++i) EXPECT_STREQ(Id2Name(*m, mjOBJ_GEOM, i), order[i]);
  ExpectNear(m->geom_pos + 9, {1, 0, 0}, 0);
}

TEST(Compile, PairsAndExcludesAreSortedByBodies) {
  const ModelPtr m = CompileXml(
      "<worldbody><body name='a'/><body name='b'/><body name='c'/></worldbody>"
      "<contact><exclude name='e0' body1='c' body2='b'/><exclude name='e1' body1='a' body2='c'/></contact>");
  EXPECT_EQ(Take(m->exclude_signature, 2), Ints({65539, 131075}));
  EXPECT_EQ(Name2Id(*m, mjOBJ_EXCLUDE, "e1"), 0);
}

TEST(Compile, NamesMap) {
  const ModelPtr m = CompileWorld("<body name='a'/><body name='b'/>");
  EXPECT_EQ(Take(m->names_map, 6), Ints({-1, 0, 2, -1, 1, -1}));
  EXPECT_STREQ(m->names, "MuJoCo Model");
}

TEST(Compile, ArenaSize) {
  EXPECT_EQ(CompileXml("")->narena, 13 << 20);
  EXPECT_EQ(CompileXml("<size njmax='10' nconmax='5'/>")->narena, 1 << 20);
  EXPECT_EQ(CompileXml("<size memory='3k'/>")->narena, 3072);
}

TEST(Compile, FramesCompose) {
  const ModelPtr m = CompileWorld(
      "<frame pos='1 0 0' euler='0 0 90'><frame pos='1 0 0'>"
      "<body pos='0 1 0'><joint type='slide' axis='1 0 0'/><geom size='.1'/></body></frame></frame>");
  ExpectNear(m->body_pos + 3, {0, 1, 0}, 1e-15);
  ExpectNear(m->body_quat + 4, {std::sqrt(.5), 0, 0, std::sqrt(.5)}, 1e-15);
}

TEST(Compile, AnglesOfUnlimitedJointsStay) {
  const ModelPtr m = CompileWorld(
      "<body><joint range='10 90'/><joint range='10 90' limited='false' axis='1 0 0'/><geom size='.1'/></body>");
  ExpectNear(m->jnt_range, {kPi / 18, kPi / 2, 10, 90}, 1e-15);
}

// Cameras and lights in a target mode without a target are fixed.
TEST(Compile, CamerasAndLightsWithoutTarget) {
  for (const std::string mode : {"targetbody", "targetbodycom"}) {
    const ModelPtr m = CompileWorld("<body><joint/><geom size='.1'/><camera quat='0 1 0 0' mode='" + mode +
                                    "'/><light dir='1 0 0' mode='" + mode + "'/></body>");
    const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m.get()), mj_deleteData);
    ASSERT_NE(d, nullptr);
    mj_step(m.get(), d.get());
    ExpectNear(d->cam_xmat, {1, 0, 0, 0, -1, 0, 0, 0, -1}, 0);
    ExpectNear(d->light_xdir, {1, 0, 0}, 0);
  }
}

// A fixed tendon that names a joint twice has both coefficients: in its length, its Jacobian and what acts through it.
TEST(Compile, TendonsMayNameAJointTwice) {
  const ModelPtr m = CompileXml(
      "<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><tendon><fixed name='t'>"
      "<joint joint='j' coef='-.5'/><joint joint='j' coef='-1.25'/></fixed></tendon><actuator><motor "
      "tendon='t'/></actuator>");
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m.get()), mj_deleteData);
  ASSERT_NE(d, nullptr);
  d->qpos[0] = 1;
  d->ctrl[0] = 2;
  mj_forward(m.get(), d.get());
  EXPECT_EQ(d->ten_length[0], -1.75);
  EXPECT_EQ(d->qfrc_actuator[0], -3.5);
}

// Of a ball or free joint a fixed tendon has the first coordinate and the first velocity, as in MuJoCo 3.8.0, and a
// warning says so.
TEST(Compile, TendonsOfJointsThatAreNoScalarsAreToldAbout) {
  for (const std::string joint : {"<joint name='j' type='ball'/>", "<freejoint name='j'/>"}) {
    std::string text;
    static std::string* kept;
    kept = &text;
    mju_user_warning = [](const char* message) { *kept = message; };
    const ModelPtr m = CompileXml("<worldbody><body>" + joint +
                                  "<geom size='.1'/></body></worldbody><tendon>"
                                  "<fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>");
    mju_user_warning = nullptr;
    EXPECT_NE(text.find("joint 'j' of a fixed tendon is not a slide or hinge"), std::string::npos) << text;
    const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m.get()), mj_deleteData);
    ASSERT_NE(d, nullptr);
    d->qpos[0] = .75;
    mj_forward(m.get(), d.get());
    EXPECT_EQ(d->ten_length[0], joint[1] == 'f' ? 1.5 : 2 * d->qpos[0]);
    EXPECT_EQ(Take(m->ten_J_colind, 1), Ints({0}));
  }
}

TEST(Compile, HistoryAddresses) {
  const ModelPtr m = CompileXml(
      "<worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/></body></worldbody>"
      "<actuator><general joint='j' nsample='3'/></actuator><sensor><touch site='s' nsample='2'/></sensor>");
  EXPECT_EQ(m->nhistory, 14);
  EXPECT_EQ(m->actuator_historyadr[0], 0);
  EXPECT_EQ(m->sensor_historyadr[0], 8);
}

TEST(Compile, InheritedRange) {
  const ModelPtr m = CompileXml(
      "<worldbody><body><joint name='j' type='slide' range='-1 3'/><geom size='.1'/></body></worldbody>"
      "<actuator><position joint='j' inheritrange='.5'/></actuator>");
  ExpectNear(m->actuator_ctrlrange, {0, 2}, 0);
  EXPECT_EQ(m->actuator_ctrllimited[0], 1);
}

TEST(Compile, MotorsInheritNoRangeFromAClassOfServos) {
  const ModelPtr m = CompileXml(
      "<default><position inheritrange='1'/></default>"
      "<worldbody><body><joint name='j' range='-10 20'/><geom size='.1'/></body></worldbody>"
      "<actuator><position joint='j'/><motor joint='j'/></actuator>");
  EXPECT_TRUE(m->actuator_ctrllimited[0]);
  EXPECT_FALSE(m->actuator_ctrllimited[1]);
}

TEST(Compile, SensorSizes) {
  const ModelPtr m = CompileXml(
      "<worldbody><site name='s'/></worldbody>"
      "<sensor><contact num='3' data='found force pos'/><rangefinder site='s' data='dist point'/><clock/></sensor>");
  EXPECT_EQ(Take(m->sensor_dim, 3), Ints({21, 4, 1}));
  EXPECT_EQ(Take(m->sensor_adr, 3), Ints({0, 21, 25}));
  EXPECT_EQ(m->nsensordata, 26);
}

TEST(Compile, ATactileSensorHasThreeNumbersForEachVertex) {
  const ModelPtr m = CompileXml(
      "<asset><mesh name='pad' builtin='plate' params='3 4'/></asset><worldbody><geom name='g' size='1'/></worldbody>"
      "<sensor><tactile geom='g' mesh='pad'/></sensor>");
  EXPECT_EQ(m->sensor_dim[0], 3 * m->mesh_vertnum[0]);
  EXPECT_EQ(m->sensor_objtype[0], mjOBJ_MESH);
  EXPECT_EQ(m->sensor_reftype[0], mjOBJ_GEOM);
  EXPECT_EQ(m->sensor_needstage[0], mjSTAGE_ACC);
}

TEST(Compile, KeysAreCompleted) {
  const ModelPtr m = CompileXml(
      "<size nkey='3'/><worldbody><body pos='1 2 3'><freejoint/><geom size='.1'/></body>"
      "<body mocap='true' pos='4 5 6'/></worldbody><keyframe><key/><key qpos='0 0 0 2'/></keyframe>");
  EXPECT_EQ(m->nkey, 3);
  ExpectNear(m->key_qpos, {1, 2, 3, 1, 0, 0, 0}, 0);
  ExpectNear(m->key_qpos + m->nq, {0, 0, 0, 1, 0, 0, 0}, 0);  // the quaternion is normalized
  ExpectNear(m->key_mpos + 6, {4, 5, 6}, 0);
}

TEST(Compile, BoundingVolumeTree) {
  const ModelPtr m =
      CompileWorld("<body><geom size='.1'/><geom size='.2' pos='1 0 0'/><geom size='.1' pos='2 0 0'/></body>");
  EXPECT_EQ(Take(m->bvh_child, 10), Ints({1, 2, -1, -1, 3, 4, -1, -1, -1, -1}));
  EXPECT_EQ(Take(m->bvh_nodeid, 5), Ints({-1, 0, -1, 1, 2}));
  EXPECT_EQ(Take(m->bvh_depth, 5), Ints({0, 1, 1, 2, 2}));
}

TEST(Compile, FusedBodiesLeaveTheirGeoms) {
  const ModelPtr m = CompileXml(
      "<compiler fusestatic='true'/><worldbody><body><joint/><geom size='.1' mass='1'/>"
      "<body pos='1 0 0'><geom name='f' size='.1' mass='1'/></body><body name='kept'/></body></worldbody>"
      "<contact><exclude body1='kept' body2='world'/></contact>");
  EXPECT_EQ(m->nbody, 3);
  EXPECT_EQ(m->body_mass[1], 2);
  EXPECT_EQ(m->geom_bodyid[Name2Id(*m, mjOBJ_GEOM, "f")], 1);
  ExpectNear(m->body_ipos + 3, {.5, 0, 0}, 1e-15);
}

// Inner nodes keep what they held as leaves of the trees before, as in models of MuJoCo 3.8.0.
TEST(Compile, TreesOfFusedBodies) {
  const ModelPtr m = CompileXml(
      "<compiler fusestatic='true'/><worldbody><body><joint/><geom size='.1'/><body pos='1 0 0'><geom "
      "size='.2'/></body>"
      "<body pos='2 0 0'><geom size='.1'/></body></body></worldbody>");
  EXPECT_EQ(Take(m->bvh_child, 10), Ints({1, 2, -1, -1, 3, 4, -1, -1, -1, -1}));
  EXPECT_EQ(Take(m->bvh_nodeid, 5), Ints({0, 0, 1, 1, 2}));
}

TEST(Compile, CamerasOfFusedBodiesMoveWithThem) {
  const ModelPtr m = CompileXml(
      "<compiler fusestatic='true'/><worldbody><body pos='1 0 0' euler='0 0 90' user='1 2'><camera pos='1 0 0'/>"
      "<light dir='1 0 0'/></body></worldbody>");
  EXPECT_EQ(m->nbody, 1);
  EXPECT_EQ(m->nuser_body, 2);  // as in MuJoCo 3.8.0
  ExpectNear(m->cam_pos, {1, 1, 0}, 1e-15);
  ExpectNear(m->light_dir, {0, 1, 0}, 1e-15);
}

TEST(Compile, DiscardedVisualsCountedAsMass) {
  const ModelPtr m = CompileXml(
      "<compiler discardvisual='true'/><asset><material name='m'/></asset><worldbody><body><joint/><geom size='.1' "
      "material='m'/>"
      "<geom size='.1' contype='0' conaffinity='0' mass='5' user='1 2 3'/></body></worldbody>");
  EXPECT_EQ(m->ngeom, 1);
  EXPECT_EQ(m->nuser_geom, 3);  // as in MuJoCo 3.8.0
  EXPECT_EQ(m->nmat, 0);
  EXPECT_EQ(m->geom_matid[0], -1);
  EXPECT_GT(m->body_mass[1], 5);
}

}  // namespace
}  // namespace sinew
