#include "urdf/read.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "tests/unit/urdf/read_robot.h"

namespace sinew::urdf {
namespace {

const std::string kMeshLink =
    Link("a", "<collision><geometry><mesh filename='package://arm/meshes/hand.stl'/></geometry></collision>");

// A folder of packages that vanishes with the test: arm/urdf and arm/meshes/hand.stl.
class PackageFolder {
 public:
  PackageFolder() : root_(std::filesystem::temp_directory_path() / "sinew_urdf_test") {
    std::filesystem::create_directories(root_ / "arm/urdf");
    std::filesystem::create_directories(root_ / "arm/meshes");
    std::ofstream(root_ / "arm/meshes/hand.stl") << "mesh";
  }
  ~PackageFolder() { std::filesystem::remove_all(root_); }
  std::string operator/(const char* path) const { return (root_ / path).string(); }

 private:
  std::filesystem::path root_;
};

std::string MeshFile(const Spec& spec) { return *spec.List<Mesh>().at(0)->file; }

TEST(Packages, AreFoundAboveTheModelFile) {
  const PackageFolder folder;
  const auto spec = ReadXmlText("<robot>" + kMeshLink + "</robot>", folder / "arm/urdf/arm.urdf", nullptr);
  EXPECT_EQ(MeshFile(*spec), folder / "arm/meshes/hand.stl");
  EXPECT_TRUE(spec->warnings.empty());
}

TEST(Packages, AreFoundInGivenFolders) {
  const PackageFolder folder;
  EXPECT_EQ(MeshFile(*ReadRobot(kMeshLink, {.package_path = {folder / ""}})), folder / "arm/meshes/hand.stl");
  EXPECT_EQ(MeshFile(*ReadRobot(kMeshLink, {.package_path = {folder / "arm"}})), folder / "arm/meshes/hand.stl");
}

TEST(Packages, AreFoundThroughTheEnvironment) {
  const PackageFolder folder;
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (folder / "")).c_str(), 1);
  EXPECT_EQ(MeshFile(*ReadRobot(kMeshLink)), folder / "arm/meshes/hand.stl");
  unsetenv("ROS_PACKAGE_PATH");
}

TEST(Packages, AddressStaysWhenNothingIsFound) {
  EXPECT_EQ(MeshFile(*ReadRobot(kMeshLink)), "package://arm/meshes/hand.stl");
  EXPECT_TRUE(
      Contains(WarningsOf(kMeshLink), "no package has the file 'package://arm/meshes/hand.stl'; name its folder"));
}

TEST(Packages, StripPathLeavesTheName) {
  const auto spec = ReadRobot("<mujoco><compiler strippath='true' meshdir='m'/></mujoco>" + kMeshLink);
  EXPECT_EQ(MeshFile(*spec), "hand.stl");
  EXPECT_EQ(*spec->List<Mesh>()[0]->compiler().meshdir, "m");
}

TEST(Meshes, OneAssetForEachFileAndScale) {
  const auto mesh = [](const char* file, const char* scale) {
    return std::string("<collision><geometry><mesh filename='") + file + "' scale='" + scale +
           "'/></geometry></collision>";
  };
  const std::string link = Link("a", mesh("m.stl", "1 1 1") + mesh("m.stl", "1 -1 1") + mesh("m.stl", "1 1 1") +
                                         mesh("m.stl", "1 -1 1") + mesh("b/m.stl", "1 1 1"));
  const auto spec = ReadRobot(link);
  const auto& geoms = spec->Find<Body>("a")->geoms;
  const char* expected[] = {"m", "m1", "m", "m1", "m2"};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(*geoms[i]->meshname, expected[i]);
  ASSERT_EQ(spec->List<Mesh>().size(), 3u);
  EXPECT_EQ(spec->List<Mesh>()[1]->scale[1], -1);
}

TEST(Meshes, FilesOfOneNameInTwoPackages) {
  const auto mesh = [](const char* file) {
    return std::string("<collision><geometry><mesh filename='") + file + "'/></geometry></collision>";
  };
  const auto spec = ReadRobot(Link("a", mesh("package://arm/link.stl") + mesh("package://hand/link.stl")));
  ASSERT_EQ(spec->List<Mesh>().size(), 2u);
  EXPECT_EQ(*spec->List<Mesh>()[1]->file, "package://hand/link.stl");
  EXPECT_EQ(*spec->Find<Body>("a")->geoms[1]->meshname, "link1");
}

TEST(Robot, StartsFromTheSettingsOfTheFormat) {
  const auto spec =
      ReadRobot("<mujoco><option timestep='0.01'/><compiler angle='degree' balanceinertia='true'/></mujoco>");
  const mjSpec& values = *spec;
  EXPECT_EQ(*values.modelname, "robot");
  EXPECT_EQ(values.compiler.fusestatic, 1);
  EXPECT_EQ(values.compiler.discardvisual, 1);
  EXPECT_EQ(values.compiler.degree, 0);
  EXPECT_EQ(values.compiler.balanceinertia, 1);
  EXPECT_EQ(values.option.timestep, 0.01);
}

TEST(Robot, BodiesComeInOrderOfTheJoints) {
  const auto model = CompileRobot("<mujoco><compiler fusestatic='false'/></mujoco>" + Link("c") + Link("a") +
                                  Link("b") + Link("e") + JointTo("fixed", "a", "b") + JointTo("fixed", "a", "c"));
  ASSERT_EQ(model->nbody, 5);
  const char* expected[] = {"world", "a", "b", "c", "e"};
  for (int i = 0; i < 5; ++i) EXPECT_STREQ(model->names + model->name_bodyadr[i], expected[i]);
}

TEST(Robot, EveryKindOfDroppedTagIsOneWarning) {
  const std::string text =
      WarningsOf("<gazebo/>\n<gazebo/>\n" + Link("a") + Link("b") +
                 JointTo("revolute", "a", "b", "<safety_controller k_velocity='1'/><calibration/>") +
                 "<mujoco><what/><compiler who='1'/></mujoco>");
  EXPECT_TRUE(Contains(
      text, "robot.urdf:2: gazebo: element 'gazebo' is not used; it is for another simulator; also in lines 3"));
  EXPECT_TRUE(Contains(text, "joint 'to_b' / safety_controller: element 'safety_controller' is not used; soft limits"));
  EXPECT_TRUE(Contains(text, "element 'calibration' is not used"));
  EXPECT_TRUE(Contains(text, "element 'what' is not used; unknown"));
  EXPECT_TRUE(Contains(text, "attribute 'who' is not used; unknown"));
}

TEST(Robot, ExtensionSetsOptions) {
  EXPECT_TRUE(Contains(ErrorOfRobot("<mujoco><urdf mimic='yes'/></mujoco>"),
                       "attribute 'mimic' is \"yes\"; give true or false"));
  EXPECT_TRUE(Contains(ErrorOfRobot("<mujoco/><mujoco/>"), "a second 'mujoco'"));
}

TEST(Transmissions, BecomeMotorsOnRequest) {
  const std::string robot = Link("a") + Link("b") + JointTo("revolute", "a", "b", "<limit effort='10'/>") +
                            R"(<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
      <joint name="to_b"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>
      <actuator name="motor"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>)";
  EXPECT_EQ(CompileRobot(robot)->nu, 0);
  EXPECT_TRUE(Contains(WarningsOf(robot), "the option 'actuators'"));
  const auto model = CompileRobot(robot, {.actuators = true});
  ASSERT_EQ(model->nu, 1);
  EXPECT_STREQ(model->names + model->name_actuatoradr[0], "motor");
  EXPECT_EQ(model->actuator_trnid[0], 0);
  EXPECT_EQ(model->actuator_gear[0], 50);
  EXPECT_NEAR(model->actuator_ctrlrange[1], 0.2, 1e-15);
  EXPECT_EQ(model->actuator_ctrllimited[0], 1);
  EXPECT_EQ(WarningsOf(robot, {.actuators = true}), "");
}

TEST(Transmissions, OldFormatAndOtherInterfaces) {
  const std::string robot = Link("a") + Link("b") + JointTo("revolute", "a", "b");
  const urdf::UrdfOptions options = {.actuators = true};
  const auto old = CompileRobot(robot + R"(<transmission type="SimpleTransmission" name="t"><actuator name="m"/>
      <joint name="to_b"/><mechanicalReduction>3</mechanicalReduction></transmission>)",
                                options);
  ASSERT_EQ(old->nu, 1);
  EXPECT_EQ(old->actuator_gear[0], 3);
  EXPECT_EQ(old->actuator_ctrllimited[0], 0);
  EXPECT_TRUE(Contains(
      WarningsOf(robot + R"(<transmission name="t"><joint name="to_b"><hardwareInterface>Position</hardwareInterface>
      </joint></transmission>)",
                 options),
      "the interface 'Position' has no gains in URDF"));
}

// ---- links without mass

// A link that moves needs mass: what has none gets little, and that is told.
TEST(Mass, EmptyLinksThatMoveGetLittle) {
  const std::string robot = Link("base") + Link("empty", "") + Link("hand") + JointTo("revolute", "base", "empty") +
                            JointTo("revolute", "empty", "hand");
  EXPECT_TRUE(Contains(WarningsOf(robot), "a link that moves has no mass or no inertia"));
  const ModelPtr m = CompileRobot(robot);
  EXPECT_EQ(m->nbody, 4 - 1) << "the base is fused with the world";
  EXPECT_NEAR(m->body_mass[1], 0, 1e-5);
  EXPECT_NEAR(m->body_mass[2], 1, 1e-12);
}

TEST(Mass, OfZeroOrWithoutInertia) {
  const std::string zero =
      R"(<inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>)";
  const std::string point =
      R"(<inertial><mass value="3"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>)";
  for (const auto& [inertial, mass] : {std::pair{zero, 0.0}, std::pair{point, 3.0}}) {
    const std::string robot = Link("base") + Link("tip", inertial) + JointTo("prismatic", "base", "tip");
    EXPECT_TRUE(Contains(WarningsOf(robot), "no mass or no inertia"));
    EXPECT_NEAR(CompileRobot(robot)->body_mass[1], mass, 1e-5);
  }
}

TEST(Mass, OfWhatIsFixedToALinkIsItsOwn) {
  const std::string robot = Link("base") + Link("empty", "") + Link("hand") + JointTo("revolute", "base", "empty") +
                            JointTo("fixed", "empty", "hand");
  EXPECT_FALSE(Contains(WarningsOf(robot), "no mass"));
  EXPECT_NEAR(CompileRobot(robot)->body_mass[1], 1, 1e-12);
  const std::string bounded = "<mujoco><compiler boundmass='.1' boundinertia='.01'/></mujoco>" + Link("base") +
                              Link("tip", "") + JointTo("revolute", "base", "tip");
  EXPECT_FALSE(Contains(WarningsOf(bounded), "no mass"));
}

// ---- what is not taken as it is written is told

TEST(Told, LimitsThatAreNone) {
  const auto warnings = [](const std::string& limit) {
    return WarningsOf(Link("a") + Link("b") + JointTo("revolute", "a", "b", "<limit " + limit + "/>"));
  };
  EXPECT_TRUE(Contains(warnings("lower='-inf' upper='inf'"), "an infinite range is taken as no limit"));
  EXPECT_TRUE(Contains(warnings("lower='-1' upper='1' effort='inf'"), "an infinite effort"));
  EXPECT_TRUE(Contains(warnings("lower='-1'"), "one end"));
  EXPECT_TRUE(Contains(warnings("lower='1' upper='-1'"), "above"));
  EXPECT_EQ(warnings("lower='-1' upper='1' effort='3'"), "");
}

TEST(Told, ShapesThatAreOnlySeen) {
  const std::string link = Link("a", kInertial + "<visual><geometry><sphere radius='1'/></geometry></visual>");
  EXPECT_TRUE(Contains(WarningsOf(link), "element 'visual' is not used; the compiler setting discardvisual"));
  EXPECT_EQ(WarningsOf(link, {.visuals = true}), "");
}

}  // namespace
}  // namespace sinew::urdf
