#include "urdf/links.h"

#include "tests/unit/urdf/read_robot.h"

namespace sinew::urdf {
namespace {

std::string Sphere(const std::string& tag, const std::string& more = "") {
  return "<" + tag + "><geometry><sphere radius='0.3'/></geometry>" + more + "</" + tag + ">";
}

TEST(Links, SizesAreHalved) {
  const auto spec = ReadRobot(Link("a", R"(<collision><geometry><box size="1 2 3"/></geometry></collision>
      <collision><geometry><cylinder radius="0.3" length="2"/></geometry></collision>
      <collision><geometry><capsule radius="0.2" length="4"/></geometry></collision>
      <collision><geometry><sphere radius="0.1"/></geometry></collision>)"));
  const auto& geoms = spec->Find<Body>("a")->geoms;
  ASSERT_EQ(geoms.size(), 4u);
  EXPECT_EQ(geoms[0]->type, mjGEOM_BOX);
  EXPECT_EQ(geoms[0]->size[2], 1.5);
  EXPECT_EQ(geoms[1]->type, mjGEOM_CYLINDER);
  EXPECT_EQ(geoms[1]->size[1], 1);
  EXPECT_EQ(geoms[2]->type, mjGEOM_CAPSULE);
  EXPECT_EQ(geoms[2]->size[1], 2);
  EXPECT_EQ(geoms[3]->type, mjGEOM_SPHERE);
}

// diag(0.02, 0.05, 0.035) turned by a quarter about x has moments 0.035 about y and 0.05 about z.
TEST(Links, InertiaIsTurnedByItsOrigin) {
  const std::string inertial = R"(<inertial><origin xyz="0.1 0 0" rpy="1.5707963267948966 0 0"/><mass value="1"/>
      <inertia ixx="0.02" iyy="0.05" izz="0.035" ixy="0" ixz="0" iyz="0"/></inertial>)";
  const auto spec = ReadRobot(Link("a", inertial));
  const double* full = spec->Find<Body>("a")->fullinertia;
  constexpr double kRounding = 1e-15;
  EXPECT_NEAR(full[0], 0.02, kRounding);
  EXPECT_NEAR(full[1], 0.035, kRounding);
  EXPECT_NEAR(full[2], 0.05, kRounding);
  for (int i = 3; i < 6; ++i) EXPECT_NEAR(full[i], 0, kRounding);
  // About y, at 0.1 m from the centre of mass of 1 kg: 0.035 + 0.01.
  const ModelPtr m =
      CompileRobot(Link("base") + Link("a", inertial) + JointTo("continuous", "base", "a", "<axis xyz='0 1 0'/>"));
  EXPECT_NEAR(m->dof_M0[0], 0.045, 1e-12);
}

TEST(Links, OriginIsRollPitchYawAboutFixedAxes) {
  const auto spec = ReadRobot(Link(
      "a",
      R"(<collision><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><geometry><sphere radius="1"/></geometry></collision>)"));
  const Geom& geom = *spec->Find<Body>("a")->geoms[0];
  EXPECT_EQ(geom.pos[1], 2);
  // Rz(0.3) Ry(0.2) Rx(0.1)
  const double expected[4] = {0.98334744, 0.0342708, 0.10602051, 0.14357218};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(geom.quat[i], expected[i], 1e-8);
}

TEST(Links, VisualsAreDiscardedUnlessTheOptionOrTheExtensionKeepsThem) {
  const std::string link = Link("a", kInertial + Sphere("visual") + Sphere("collision"));
  EXPECT_EQ(CompileRobot(link)->ngeom, 1);
  EXPECT_EQ(CompileRobot(link, {.visuals = true})->ngeom, 2);
  const auto model = CompileRobot("<mujoco><compiler discardvisual='false'/></mujoco>" + link);
  ASSERT_EQ(model->ngeom, 2);
  EXPECT_EQ(model->geom_group[0], 1);
  EXPECT_EQ(model->geom_contype[0], 0);
  EXPECT_EQ(model->geom_group[1], 0);
  EXPECT_EQ(model->geom_contype[1], 1);
}

TEST(Links, CollisionsAreColouredLikeTheVisualBefore) {
  const auto spec =
      ReadRobot(Link("a", Sphere("collision") + Sphere("visual", "<material name='m'/>") + Sphere("collision")) +
                Link("b", Sphere("visual", "<material name='n'><color rgba='0 0 1 1'/></material>") + Sphere("visual") +
                              Sphere("collision")) +
                "<material name='m'><color rgba='1 0 0 0.5'/></material>");
  const auto& a = spec->Find<Body>("a")->geoms;
  ASSERT_EQ(a.size(), 2u);
  EXPECT_EQ(a[0]->rgba[0], 0.5f);
  EXPECT_EQ(a[1]->rgba[0], 1);
  EXPECT_EQ(a[1]->rgba[3], 0.5f);
  EXPECT_EQ(spec->Find<Body>("b")->geoms[0]->rgba[2], 1);
}

TEST(Links, FirstColourOfANameCounts) {
  const auto spec = ReadRobot(
      Link("a", Sphere("visual", "<material name='m'><color rgba='0 1 0 1'/></material>")) +
      Link("b", Sphere("visual", "<material name='m'><color rgba='0 0 1 1'/></material>") + Sphere("collision")) +
      Link("c", Sphere("visual", "<material name='m'/>") + Sphere("collision")));
  EXPECT_EQ(spec->Find<Body>("b")->geoms[0]->rgba[2], 1);
  EXPECT_EQ(spec->Find<Body>("c")->geoms[0]->rgba[1], 1);
}

TEST(Links, InertiaIsTheMatrixAndZeroMeansNone) {
  const auto spec = ReadRobot(Link("a", R"(<inertial><origin xyz="1 2 3"/><mass value="4"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>)") +
                              Link("b", R"(<inertial><mass value="4"/>
      <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>)"));
  const Body& a = *spec->Find<Body>("a");
  EXPECT_EQ(a.mass, 4);
  EXPECT_EQ(a.ipos[2], 3);
  EXPECT_EQ(a.fullinertia[3], 0.1);
  EXPECT_EQ(a.fullinertia[5], 0.3);
  EXPECT_TRUE(std::isnan(spec->Find<Body>("b")->fullinertia[0]));
}

TEST(Links, NamesOfGeomsMayRepeat) {
  const std::string twice = Link("a", "<collision name='g'><geometry><sphere radius='1'/></geometry></collision>") +
                            Link("b", "<collision name='g'><geometry><sphere radius='1'/></geometry></collision>");
  const auto spec = ReadRobot(twice);
  EXPECT_EQ(spec->Find<Body>("a")->geoms[0]->name, "g");
  EXPECT_EQ(spec->Find<Body>("b")->geoms[0]->name, "");
  EXPECT_TRUE(Contains(WarningsOf(twice), "another geom is called 'g'"));
}

TEST(Links, WorldIsTheWorld) {
  const auto spec = ReadRobot(Link("world", Sphere("collision")) + Link("a") + JointTo("fixed", "world", "a"));
  EXPECT_EQ(spec->world().geoms.size(), 1u);
  EXPECT_EQ(spec->Find<Body>("a")->parent, &spec->world());
  EXPECT_TRUE(Contains(ErrorOfRobot(Link("world") + Link("a") + JointTo("revolute", "a", "world")), "has no parent"));
}

TEST(Links, ErrorsNameThePlace) {
  EXPECT_TRUE(
      Contains(ErrorOfRobot(Link("a", "<collision/>")), "robot.urdf:2: link 'a' / collision: element 'geometry'"));
  EXPECT_TRUE(Contains(ErrorOfRobot(Link("a", "<collision><geometry><cone/></geometry></collision>")), "has no shape"));
  EXPECT_TRUE(Contains(ErrorOfRobot(Link("a", "<collision><geometry><box size='1 2'/></geometry></collision>")),
                       "attribute 'size' is \"1 2\" and has 2 numbers; it takes 3"));
  EXPECT_TRUE(Contains(ErrorOfRobot(Link("a", "<inertial/>")), "element 'mass' is missing"));
  EXPECT_TRUE(Contains(ErrorOfRobot("<link/>"), "attribute 'name' is missing"));
  EXPECT_TRUE(Contains(ErrorOfRobot(Link("a") + Link("a")), "another link has the name 'a'"));
  EXPECT_TRUE(Contains(ErrorOfRobot(Link("a", kInertial + kInertial)), "a second 'inertial'"));
}

}  // namespace
}  // namespace sinew::urdf
