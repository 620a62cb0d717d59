// The C++ face as a program sees it: through the headers and the shared library alone.
#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using sinew::Data;
using sinew::EngineError;
using sinew::Model;
using sinew::ModelError;
using sinew::NameError;
using sinew::Spec;

constexpr const char* kArm = R"(
  <mujoco>
    <option timestep=".01"/>
    <worldbody>
      <geom name="ground" type="plane" size="5 5 .1"/>
      <body name="box" pos="0 0 1"><freejoint name="free"/><geom name="cube" type="box" size=".1 .1 .1"/></body>
      <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/>
        <geom size=".1"/><site name="tip" pos="0 0 .5"/>
        <body pos="0 1 0"><joint name="ball" type="ball"/><geom size=".1" pos="0 .1 0"/></body></body>
      <body name="hand" mocap="true" pos="2 0 0"/>
      <camera name="eye" pos="0 0 4" fovy="60"/>
    </worldbody>
    <tendon><fixed name="cord"><joint joint="hinge" coef="2"/></fixed></tendon>
    <actuator><motor name="motor" joint="hinge" gear="3"/>
      <general name="muscle" tendon="cord" dyntype="filter" dynprm=".1"/></actuator>
    <sensor><framepos name="position" objtype="site" objname="tip"/></sensor>
    <equality><joint name="lock" joint1="hinge"/></equality>
    <keyframe><key name="start" time="2"/></keyframe>
  </mujoco>)";

template <class Exception, class Function>
std::string TextOf(Function function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(ModelTest, NamesAndSizes) {
  const Model model = Model::FromXmlText(kArm);
  EXPECT_EQ(model.nq(), 12);
  EXPECT_EQ(model.nv(), 10);
  EXPECT_EQ(model.nu(), 2);
  EXPECT_EQ(model.na(), 1);
  EXPECT_EQ(model.nbody(), 5);
  EXPECT_EQ(model.nsensordata(), 3);
  EXPECT_EQ(model.Id(mjOBJ_BODY, "arm"), 2);
  EXPECT_EQ(model.Id(mjOBJ_BODY, "leg"), -1);
  EXPECT_EQ(model.Name(mjOBJ_BODY, 2), "arm");
  EXPECT_EQ(model.Name(mjOBJ_GEOM, 2), "");
  EXPECT_EQ(TextOf<NameError>([&] { model.Find(mjOBJ_BODY, "leg"); }), "the model has no body named 'leg'");
  EXPECT_EQ(TextOf<NameError>([&] { model.Find(mjOBJ_JOINT, "hing"); }),
            "the model has no joint named 'hing'; did you mean 'hinge'?");
}

// Parameters by name: what is changed is the model, and a constant one cannot be changed.
TEST(ModelTest, ParametersByName) {
  Model model = Model::FromXmlText(kArm);
  model.body("box").mass() = 3;
  model.joint("hinge").damping()[0] = 0.5;
  model.geom("cube").size()[2] = 0.2;
  model.actuator("motor").gear()[0] = 4;
  const Model& constant = model;
  EXPECT_EQ(model->body_mass[1], 3);
  EXPECT_EQ(constant.body("box").mass(), 3);
  EXPECT_EQ(constant.joint("free").dof_bodyid().size(), 6u);
  EXPECT_EQ(constant.joint("free").qpos0()[2], 1);
  EXPECT_EQ(constant.joint("hinge").damping()[0], 0.5);
  EXPECT_EQ(constant.geom(1).size()[2], 0.2);
  EXPECT_EQ(constant.camera("eye").fovy(), 60);
  EXPECT_EQ(constant.equality("lock").data().size(), size_t{mjNEQDATA});
  EXPECT_EQ(constant.keyframe("start").qpos().size(), 12u);
  static_assert(std::is_same_v<decltype(constant.body(0).mass()), const double&>);
  static_assert(std::is_same_v<decltype(constant.geom(0).size()), std::span<const double, 3>>);
  static_assert(std::is_same_v<decltype(model.geom(0).rgba()), std::span<float, 4>>);
  EXPECT_EQ(TextOf<NameError>([&] { constant.geom(17); }), "the model has no geom 17; it has 4");
  EXPECT_EQ(TextOf<NameError>([&] { constant.camera("nose"); }), "the model has no camera named 'nose'");
}

// Files in memory come before the disk, for the model and for what it includes.
TEST(ModelTest, FilesInMemory) {
  sinew::Files files;
  files.Add("part.xml", "<mujoco><worldbody><geom name='part' size='1'/></worldbody></mujoco>");
  files.Add("whole.xml", "<mujoco><include file='part.xml'/></mujoco>");
  EXPECT_EQ(Model::FromXml("whole.xml", {.files = &files}).Id(mjOBJ_GEOM, "part"), 0);
  EXPECT_EQ(Spec::FromXml("whole.xml", {.files = &files}).Compile().nbody(), 1);
  EXPECT_EQ(Model::FromXmlText("<mujoco><include file='part.xml'/></mujoco>", &files).Id(mjOBJ_GEOM, "part"), 0);
  EXPECT_EQ(TextOf<NameError>([&] { files.Add("part.xml", ""); }), "there is a file 'part.xml' already");
  files.Remove("part.xml");
  EXPECT_NE(TextOf<ModelError>([&] { Model::FromXml("whole.xml", {.files = &files}); }).find("part.xml"),
            std::string::npos);
  TextOf<NameError>([&] { files.Remove("part.xml"); });
  EXPECT_EQ(TextOf<EngineError>([&] { files.AddFile("/nowhere/a.stl"); }), "the file '/nowhere/a.stl' cannot be read");
}

// What the reader of a robot drops is a warning, and its options keep it.
TEST(ModelTest, RobotsAndWarnings) {
  sinew::Files files;
  files.Add("robot.urdf",
            R"(<robot name="r"><link name="base"><visual><geometry><sphere radius="1"/></geometry></visual></link>
    <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><calibration rising="0"/></joint>
    </robot>)");
  const Model plain = Model::FromXml("robot.urdf", {.files = &files});
  ASSERT_FALSE(plain.warnings().empty());
  EXPECT_NE(plain.warnings()[0].find("robot.urdf:3"), std::string::npos) << plain.warnings()[0];
  EXPECT_EQ(plain->ngeom, 0);
  EXPECT_EQ(Model::FromXml("robot.urdf", {.files = &files, .robot = {.visuals = true}})->ngeom, 1);
  EXPECT_TRUE(Model::FromXmlText(kArm).warnings().empty());
}

TEST(ModelTest, FilesThatCannotBeWrittenAreErrors) {
  const Model model = Model::FromXmlText(kArm);
  const std::string text = TextOf<EngineError>([&] { model.SaveBinary("/nonexistent/model.mjb"); });
  EXPECT_NE(text.find("/nonexistent/model.mjb"), std::string::npos) << text;
}

TEST(ModelTest, ErrorsNameTheLine) {
  const std::string text =
      TextOf<ModelError>([] { Model::FromXmlText("<mujoco>\n<worldbody><geom size='a'/></worldbody></mujoco>"); });
  EXPECT_NE(text.find("line 2:"), std::string::npos) << text;
  EXPECT_NE(TextOf<ModelError>([] { Model::FromXml("nowhere.xml"); }).find("nowhere.xml"), std::string::npos);
  TextOf<ModelError>([] { Model::FromBinary("nowhere.mjb"); });
}

TEST(ModelTest, CopiesAndBytes) {
  const Model model = Model::FromXmlText(kArm);
  Model copy = model.Copy();
  copy.option().timestep = 0.002;
  EXPECT_EQ(model.option().timestep, 0.01);
  const Model loaded = Model::FromBytes(model.ToBytes());
  EXPECT_EQ(loaded.ToBytes(), model.ToBytes());
  std::vector<std::byte> damaged = model.ToBytes();
  damaged.resize(damaged.size() / 2);
  TextOf<ModelError>([&] { Model::FromBytes(damaged); });
}

TEST(DataTest, ElementsByName) {
  const Model model = Model::FromXmlText(kArm);
  Data data(model);
  data.joint("hinge").qpos()[0] = M_PI / 2;
  data.joint("free").qvel()[2] = 0.5;
  data.actuator("motor").ctrl() = 2;
  data.actuator("muscle").act()[0] = 0.25;
  data.mocap("hand").pos()[0] = 3;
  data.body("box").xfrc_applied()[2] = 1;
  data.Forward();

  EXPECT_EQ(data.joint("free").qpos().size(), 7u);
  EXPECT_EQ(data.joint("ball").qvel().size(), 3u);
  EXPECT_EQ(data.actuator("motor").force(), 2);
  EXPECT_EQ(data.actuator("muscle").force(), 0.25);
  EXPECT_EQ(data.actuator("motor").act().size(), 0u);
  EXPECT_DOUBLE_EQ(data.joint("hinge").qfrc_actuator()[0], 2 * 3 + 0.25 * 2);
  EXPECT_DOUBLE_EQ(data.tendon("cord").length(), M_PI);
  EXPECT_NEAR(data.site("tip").xpos()[0], 1.5, 1e-12);
  EXPECT_EQ(data.sensor("position").data()[0], data.site("tip").xpos()[0]);
  EXPECT_EQ(data.body("hand").xpos()[0], 3);
  EXPECT_EQ(data.geom("cube").xpos()[2], 1);
  EXPECT_EQ(data.qvel()[2], 0.5);
  EXPECT_TRUE(data.contacts().empty());
  EXPECT_EQ(TextOf<NameError>([&] { data.joint("knee"); }), "the model has no joint named 'knee'");
  EXPECT_EQ(TextOf<NameError>([&] { data.mocap("arm"); }), "body 'arm' is not a mocap body");
}

// A world keeps its model alive, whatever becomes of the handle; pointers of handles that are gone do not compile.
TEST(DataTest, SharesItsModel) {
  Data data(Model::FromXmlText(kArm));
  Data copy = [] {
    const Model model = Model::FromXmlText(kArm);
    return Data(model).Copy();
  }();
  for (int i = 0; i < 20; ++i) {
    data.Step();
    copy.Step();
  }
  EXPECT_EQ(data.State(), copy.State());
  EXPECT_EQ(data.model()->nq, 12);
  static_assert(!std::is_convertible_v<Model, const mjModel*>);
  static_assert(!std::is_convertible_v<Data, mjData*> && !std::is_convertible_v<Data, const mjData*>);
  static_assert(std::is_convertible_v<Model&, const mjModel*> && std::is_convertible_v<Data&, mjData*>);
}

TEST(DataTest, ConstantWorldsAreRead) {
  Data data(Model::FromXmlText(kArm));
  data.Forward();
  const Data& constant = data;
  static_assert(std::is_same_v<decltype(data.joint("hinge").qpos()), std::span<double>>);
  static_assert(std::is_same_v<decltype(constant.joint("hinge").qpos()), std::span<const double>>);
  static_assert(std::is_same_v<decltype(data.joint("hinge").qacc()), std::span<const double>>);
  static_assert(std::is_same_v<decltype(data.body(1).xpos()), std::span<const double, 3>>);
  static_assert(std::is_same_v<decltype(constant.actuator("motor").ctrl()), const double&>);
  EXPECT_EQ(constant.joint("free").qpos()[2], 1);
  EXPECT_EQ(constant.camera("eye").xpos()[2], 4);
  EXPECT_EQ(constant.equality("lock").active(), 1);
  data.equality("lock").active() = 0;
  EXPECT_EQ(data->eq_active[0], 0);
  EXPECT_EQ(constant.mocap("hand").pos()[0], 2);
}

// A ball at rest on the ground is carried by it.
TEST(DataTest, ContactForces) {
  Data data(
      Model::FromXmlText("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                         "<body pos='0 0 .1'><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>"));
  while (data.time() < 2) data.Step();
  ASSERT_EQ(data.contacts().size(), 1u);
  EXPECT_NEAR(data.ContactForce(0)[0], 2 * 9.81, 1e-6);
  EXPECT_EQ(TextOf<EngineError>([&] { data.ContactForce(1); }), "there is no contact 1; there are 1");
}

// The velocity of a point is its Jacobian times the velocity of the joints.
TEST(DataTest, Jacobians) {
  Data data(Model::FromXmlText(kArm));
  data.joint("hinge").qpos()[0] = 0.3;
  data.joint("hinge").qvel()[0] = 2;
  data.joint("free").qvel()[1] = 5;
  data.Forward();
  const auto dot = [&](std::span<const double> row) {
    return std::inner_product(row.begin(), row.end(), data.qvel().begin(), 0.0);
  };
  const size_t nv = 10;
  const sinew::Jacobian tip = data.site("tip").jacobian();
  EXPECT_DOUBLE_EQ(dot(std::span(tip.position).first(nv)), 2 * 0.5 * std::cos(0.3));
  EXPECT_DOUBLE_EQ(dot(std::span(tip.rotation).subspan(nv, nv)), 2);
  const sinew::Jacobian box = data.body("box").jacobian();
  EXPECT_DOUBLE_EQ(dot(std::span(box.position).subspan(nv, nv)), 5);

  std::vector<double> rows(3 * nv), short_rows(2 * nv);
  sinew::JacSite(data, rows, {}, data.site("tip").id());
  EXPECT_EQ(rows, tip.position);
  EXPECT_EQ(TextOf<EngineError>([&] { sinew::JacSite(data, short_rows, {}, 0); }),
            "JacSite: jacp has 20 numbers; it takes 30");
  EXPECT_NE(TextOf<EngineError>([&] { sinew::JacSite(data, rows, {}, 99); }).find("99"), std::string::npos);
}

TEST(DataTest, FunctionsWithTypes) {
  const Model model = Model::FromXmlText(kArm);
  Data data(model);
  data.Forward();
  std::vector<double> velocity(10, 0.0), momentum(10), solved(10);
  velocity[3] = 1;
  sinew::MulM(data, momentum, velocity);
  sinew::SolveM(data, solved, momentum, 1);
  for (size_t i = 0; i < velocity.size(); ++i) EXPECT_NEAR(solved[i], velocity[i], 1e-12);
  const double down[3] = {0, 0, -1}, from[3] = {0, 0, 3};
  int geom[1];
  EXPECT_DOUBLE_EQ(sinew::Ray(data, from, down, {}, 1, -1, geom, {}), 3 - 1.1);  // the top of the cube
  EXPECT_EQ(model.Name(mjOBJ_GEOM, geom[0]), "cube");
}

// Results do not depend on threads, which live as long as a world uses them.
TEST(DataTest, Threads) {
  Data alone(Model::FromXmlText(kArm)), helped(Model::FromXmlText(kArm));
  helped.Use(std::make_shared<sinew::Threads>(2));
  Data copy = helped.Copy();
  for (int i = 0; i < 100; ++i) {
    alone.Step();
    helped.Step();
    copy.Step();
  }
  EXPECT_EQ(alone.State(), helped.State());
  EXPECT_EQ(alone.State(), copy.State());
  helped.Use(nullptr);
  helped.Step();
}

TEST(PluginTest, NamesAndErrors) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "face.test";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = [](const mjModel*, int) { return 0; };
  plugin.compute = [](const mjModel*, mjData*, int, int) {};
  sinew::Checked([&] { return mjp_registerPlugin(&plugin); });
  EXPECT_EQ(sinew::PluginNames(), std::vector<std::string>{"face.test"});
  EXPECT_NE(TextOf<EngineError>([] { sinew::LoadPlugin("/nonexistent/plugin.so"); }).find("plugin.so"),
            std::string::npos);
}

TEST(VersionTest, LibraryAndHeadersAgree) {
  EXPECT_EQ(std::string(sinew_versionString()), std::to_string(SINEW_VERSION_MAJOR) + "." +
                                                    std::to_string(SINEW_VERSION_MINOR) + "." +
                                                    std::to_string(SINEW_VERSION_PATCH));
  EXPECT_STRNE(sinew_versionString(), mj_versionString());
}

TEST(DataTest, StateAndKeyframes) {
  const Model model = Model::FromXmlText(kArm);
  Data data(model);
  data.ResetToKeyframe("start");
  EXPECT_EQ(data.time(), 2);
  const std::vector<double> state = data.State();
  data.Step();
  data.SetState(state);
  EXPECT_EQ(data.State(), state);
  EXPECT_EQ(data.State(mjSTATE_QPOS).size(), 12u);
  EXPECT_NE(TextOf<EngineError>([&] { data.SetState(state, mjSTATE_QPOS); }).find("12"), std::string::npos);
}

TEST(DataTest, EngineErrorsAreThrown) {
  Model model = Model::FromXmlText(kArm);
  Data data(model);
  model.option().solver = 99;
  data.qpos()[2] = 0.05;  // in the ground: there are rows to solve
  EXPECT_NE(TextOf<EngineError>([&] { data.Step(); }).find("solver"), std::string::npos);
  model.option().solver = mjSOL_NEWTON;
  data.Reset();
  data.Step();  // goes on
}

// A world that fell asleep in part continues bit for bit in a fresh one.
TEST(SnapshotTest, ContinuesBitForBit) {
  Model model = Model::FromXmlText(kArm);
  model.option().enableflags |= mjENBL_SLEEP;
  Data data(model);
  data.actuator("motor").ctrl() = 1;
  for (int i = 0; i < 300; ++i) data.Step();
  EXPECT_GE(data->tree_asleep[0], 0);
  Data other(model);
  other.Restore(data.Snapshot());
  for (int i = 0; i < 100; ++i) {
    data.Step();
    other.Step();
  }
  EXPECT_EQ(data.State(), other.State());
  EXPECT_EQ(data.Snapshot(), other.Snapshot());
}

// Any damage, and any other model, is refused, and changes nothing.
TEST(SnapshotTest, RefusesWhatItCannotTrust) {
  const Model model = Model::FromXmlText(kArm);
  Data data(model);
  for (int i = 0; i < 10; ++i) data.Step();
  const std::vector<std::byte> good = data.Snapshot();
  Data target(model);
  const std::vector<double> before = target.State();
  const auto refused = [&](const std::vector<std::byte>& bytes) {
    const std::string text = TextOf<EngineError>([&] { target.Restore(bytes); });
    EXPECT_EQ(target.State(), before);
    return text;
  };
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> damaged = good;
    damaged[i] ^= std::byte{0x10};
    EXPECT_NE(refused(damaged).find("snapshot"), std::string::npos);
  }
  for (size_t size : {size_t{0}, size_t{20}, good.size() - 1}) {
    refused(std::vector<std::byte>(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)));
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  EXPECT_NE(refused(longer).find("bytes"), std::string::npos);
  std::vector<std::byte> newer = good;
  newer[8] = std::byte{2};
  EXPECT_NE(refused(newer).find("version is 2"), std::string::npos);

  const Model foreign =
      Model::FromXmlText("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
  EXPECT_NE(refused(Data(foreign).Snapshot()).find("another structure"), std::string::npos);
}

TEST(SnapshotTest, ShortBuffersAreErrors) {
  const Model model = Model::FromXmlText(kArm);
  const Data data(model);
  std::byte byte;
  const std::string text =
      TextOf<EngineError>([&] { sinew::Checked([&] { return sinew_saveSnapshot(model, data, &byte, 1); }); });
  EXPECT_NE(text.find("buffer_sz 1 is too small"), std::string::npos) << text;
}

TEST(SpecTest, BuildsCompilesAndEdits) {
  Spec spec;
  mjsBody* body = spec.AddBody(spec.world(), "ball");
  mjs_addFreeJoint(body);
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  EXPECT_NE(TextOf<ModelError>([&] { spec.Compile(); }).find("size"), std::string::npos);
  geom->size[0] = 0.1;
  Model model = spec.Compile();
  EXPECT_EQ(model.nv(), 6);

  Data data(model);
  data.qpos()[2] = 4;
  mjs_addGeom(spec.AddBody(spec.FindBody("ball"), "child"), nullptr)->size[0] = 0.2;
  spec.Recompile(model, data);
  EXPECT_EQ(model.nbody(), 3);
  EXPECT_EQ(data.qpos()[2], 4);
  EXPECT_NE(spec.ToXml().find("\"child\""), std::string::npos);
  EXPECT_EQ(TextOf<NameError>([&] { spec.FindBody("cube"); }), "the specification has no body named 'cube'");
  EXPECT_EQ(TextOf<NameError>([&] { spec.Find(mjOBJ_GEOM, "cube"); }), "the specification has no geom named 'cube'");
  EXPECT_EQ(TextOf<NameError>([&] { spec.FindBody("bal"); }),
            "the specification has no body named 'bal'; did you mean 'ball'?");
  Data other(spec.Compile());
  EXPECT_EQ(TextOf<EngineError>([&] { spec.Recompile(model, other); }), "the data is of another model");
}

TEST(SpecTest, AttachesAndCopies) {
  Spec arm = Spec::FromXmlText(kArm);
  Spec scene = arm.Copy();
  mjsFrame* frame = mjs_addFrame(scene.world(), nullptr);
  frame->pos[1] = 2;
  scene.Attach(frame, arm, "left_");
  const Model model = scene.Compile();
  EXPECT_EQ(model.nbody(), 9);
  Data data(model);
  data.Forward();
  EXPECT_EQ(data.body("left_arm").xpos()[1], 2);
  EXPECT_EQ(Spec::FromXmlText(scene.ToXml()).Compile().nbody(), 9);
}

TEST(DataTest, StatesWithinAStep) {
  // x'' = -x from x = 1
  const Model model = Model::FromXmlText(
      "<mujoco><option timestep='1' integrator='rk3' accuracy='1e-8' gravity='0 0 0'/><worldbody><body>"
      "<joint type='slide' stiffness='1'/><geom size='.1' mass='1'/></body></worldbody></mujoco>");
  Data data(model);
  data.qpos()[0] = 1;
  const std::vector<double> times = {0.25, 0.5, 1};
  const std::vector<double> states = data.StepDense(times);
  ASSERT_EQ(states.size(), 6u);
  for (size_t i = 0; i < times.size(); ++i) {
    // some hundred steps of an error of 1e-8 each
    EXPECT_NEAR(states[2 * i], std::cos(times[i]), 2e-6);
    EXPECT_NEAR(states[2 * i + 1], -std::sin(times[i]), 2e-6);
  }
  ASSERT_TRUE(data.ErrorControl());
  EXPECT_GT(data.ErrorControl()->accepted, 10);
  EXPECT_EQ(data.ErrorControl()->forced, 0);
  data.Reset();
  EXPECT_EQ(data.ErrorControl()->accepted, 0);
  TextOf<EngineError>([&] { data.StepDense(std::vector<double>{2}); });
  EXPECT_FALSE(Data(Model::FromXmlText(kArm)).ErrorControl());
}

TEST(DataTest, MusclesWithTendonsHoldTheirFibre) {
  const Model model = Model::FromXmlText(R"(<mujoco><option integrator="implicitfast" gravity="0 0 0"/><worldbody>
    <site name="a"/><body pos="0 0 .3"><joint type="slide" axis="0 0 1" armature="1e12"/><geom size=".1" mass="1"/>
    <site name="b"/></body></worldbody><tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
    <actuator><musculotendon name="soleus" tendon="t" force="5137" fiberlength="0.050288844245806"
    slacklength="0.25144422122903" pennation="25"/></actuator></mujoco>)");
  Data data(model);
  data.Forward();
  EXPECT_NEAR(data.act()[0], 1.041582, 6e-7);  // docs/how/musculotendon.md
  const Data copy = data.Copy();
  EXPECT_EQ(copy.act()[0], data.act()[0]);
}

}  // namespace
