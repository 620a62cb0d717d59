// The C++ face as a program sees it: through the headers and the shared library alone.
#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

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
    </worldbody>
    <tendon><fixed name="cord"><joint joint="hinge" coef="2"/></fixed></tendon>
    <actuator><motor name="motor" joint="hinge" gear="3"/>
      <general name="muscle" tendon="cord" dyntype="filter" dynprm=".1"/></actuator>
    <sensor><framepos name="position" objtype="site" objname="tip"/></sensor>
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
}

TEST(ModelTest, ErrorsNameTheLine) {
  const std::string text =
      TextOf<ModelError>([] { Model::FromXmlText("<mujoco>\n<worldbody><geom size='a'/></worldbody></mujoco>"); });
  EXPECT_NE(text.find("model.xml:2"), std::string::npos) << text;
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

}  // namespace
