// Models of other documents: what comes along, and what cannot.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "spec/attach.h"
#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

class ReadAttachTest : public testing::Test {
 protected:
  ReadAttachTest() {
    Write("child.xml",
          "<mujoco model='child'><worldbody><body name='a'><joint name='j'/></body><body name='b'/></worldbody>"
          "<sensor><jointpos name='s' joint='j'/></sensor></mujoco>");
  }
  void Write(const std::string& name, const std::string& text) { std::ofstream(folder_ + name) << text; }

  std::unique_ptr<Spec> ReadHere(const std::string& assets, const std::string& world) {
    return ReadXmlText("<mujoco><asset>" + assets + "</asset><worldbody>" + world + "</worldbody></mujoco>",
                       folder_ + "main.xml", nullptr);
  }
  std::string ErrorHere(const std::string& assets, const std::string& world) {
    try {
      ReadHere(assets, world);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string folder_ = testing::TempDir() + "/read_attach_";
  const std::string model_ = "<model name='m' file='" + folder_ + "child.xml'/>";
};

TEST_F(ReadAttachTest, ABodyOrTheWholeModel) {
  const auto spec = ReadHere(model_,
                             "<frame name='f'><attach model='m' body='a' prefix='x_'/></frame>"
                             "<attach model='m' prefix='y_'/>");
  EXPECT_EQ(spec->Find<Body>("x_a")->frame->name, "f");
  EXPECT_EQ(spec->Find<Body>("x_b"), nullptr);
  EXPECT_NE(spec->Find<Body>("y_b"), nullptr);
  EXPECT_EQ(spec->List<Sensor>().size(), 2u);
}

TEST_F(ReadAttachTest, Errors) {
  ExpectParts(ErrorHere(model_, "<attach model='n' prefix='x'/>"), {"main.xml:1", "no model 'n'", "allowed: m"});
  ExpectParts(ErrorHere(model_, "<attach model='m' body='c' prefix='x'/>"), {"no body 'c'"});
  ExpectParts(ErrorHere(model_ + model_, ""), {"another model has the name 'm'"});
  ExpectParts(ErrorHere("<model file='nowhere.xml'/>", ""), {"nowhere.xml", "cannot open"});
}

TEST_F(ReadAttachTest, TheWorldIsABodyToo) {
  const auto spec = ReadHere(model_, "<attach model='m' body='world' prefix='x_'/><attach model='m' prefix=''/>");
  EXPECT_EQ(spec->Find<Body>("x_a")->parent, spec->Find<Body>("x_world"));
  EXPECT_EQ(spec->Find<Body>("a")->parent, &spec->world());
}

TEST_F(ReadAttachTest, ABodyThatIsThereMovesToTheFrame) {
  const auto spec = ReadHere(model_,
                             "<frame name='f'><attach model='m' body='a' prefix='x_'/></frame>"
                             "<frame name='g'><attach model='m' body='a' prefix='x_'/></frame>");
  EXPECT_EQ(spec->Find<Body>("x_a")->frame->name, "g");
  EXPECT_EQ(spec->world().bodies.size(), 1u);
  ExpectParts(ErrorHere(model_,
                        "<attach model='m' body='a' prefix='x_'/>"
                        "<body><attach model='m' body='a' prefix='x_'/></body>"),
              {"'x_a' already", "another prefix"});
}

TEST_F(ReadAttachTest, ModelsAreFoundUnderTheirNamesHere) {
  Spec* spec = ReadHere(model_, "").release();
  Spec* model = FindSpec(*spec, "m");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(*model->modelname, "m");
  Release(model);  // has no effect: nobody but the document holds it
  Attach(spec->world().Add<Frame>(), *model->Find<Body>("a"), {"x_", ""}, false);
  EXPECT_NE(spec->Find<Body>("x_a"), nullptr);
  Release(spec);
}

// A keyframe of the child stays one, in which the first copy has its values.
TEST_F(ReadAttachTest, KeyframesAreNotReplicated) {
  Write("keyed.xml",
        "<mujoco model='keyed'><worldbody><body name='a'><joint name='j'/></body></worldbody>"
        "<keyframe><key name='k' qpos='7' time='2'/></keyframe></mujoco>");
  const auto spec =
      ReadHere("<model name='m' file='" + folder_ + "keyed.xml'/>",
               "<replicate count='3'><frame><attach model='m' body='a' prefix='x_'/></frame></replicate>");
  ASSERT_EQ(spec->pending_keys.size(), 1u);
  const Key& key = *spec->pending_keys.front();
  EXPECT_EQ(key.name, "x_k");
  EXPECT_EQ(key.time, 2);
  ASSERT_EQ(key.qpos->size(), 3u);
  EXPECT_EQ(key.qpos->front(), 7);
}

TEST_F(ReadAttachTest, AMediaTypeStandsInForTheExtension) {
  Write("child", "<mujoco model='child'><worldbody><body name='a'/></worldbody></mujoco>");
  const std::string file = "<model name='m' file='" + folder_ + "child' content_type='";
  const auto spec = ReadHere(file + "text/xml'/>", "<attach model='m' prefix='x_'/>");
  EXPECT_NE(spec->Find<Body>("x_a"), nullptr);
  ExpectParts(ErrorHere(file + "text/none'/>", ""), {"cannot be read", "decoder"});
}

TEST_F(ReadAttachTest, ADocumentCannotNeedItself) {
  Write("loop.xml", "<mujoco><asset><model file='" + folder_ + "loop.xml'/></asset></mujoco>");
  ExpectParts(ErrorHere("<model file='" + folder_ + "loop.xml'/>", ""), {"needs itself"});
}

// Each document attaches the one before it ten times.
TEST_F(ReadAttachTest, DoublingDocumentsAreRefused) {
  Write("0.xml", "<mujoco><worldbody><body name='b'/></worldbody></mujoco>");
  for (int i = 1; i <= 8; ++i) {
    std::string text =
        "<mujoco><asset><model name='m' file='" + folder_ + std::to_string(i - 1) + ".xml'/></asset><worldbody>";
    for (int k = 0; k < 10; ++k) text += "<attach model='m' prefix='" + std::to_string(k) + "'/>";
    Write(std::to_string(i) + ".xml", text + "</worldbody></mujoco>");
  }
  ExpectParts(ErrorHere("<model file='" + folder_ + "8.xml'/>", ""), {"too many elements"});
}

}  // namespace
}  // namespace sinew::mjcf
