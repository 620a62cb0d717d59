// Extensions in <custom>: what is read back is what was written, and nothing outside of <custom> is unknown to MuJoCo
// 3.8.0.
#include <gtest/gtest.h>
#include <sinew/carrier.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/testing/model.h"
#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

// The text without what stands between `begin` and the next `end`, these included.
std::string Without(std::string text, std::string_view begin, std::string_view end) {
  for (size_t from = 0; (from = text.find(begin, from)) != std::string::npos;) {
    const size_t to = text.find(end, from);
    text.erase(from, to == std::string::npos ? to : to + end.size() - from);
  }
  return text;
}

struct Compiled {
  mjSpec* spec;
  mjModel* model;

  explicit Compiled(const std::string& file) {
    char error[1000] = "";
    spec = mj_parseXML(file.c_str(), nullptr, error, sizeof(error));
    if (!spec) throw std::runtime_error(error);
    model = mj_compile(spec, nullptr);
  }
  ~Compiled() {
    mj_deleteModel(model);
    mj_deleteSpec(spec);
  }
  std::string Text() const {
    std::string text(1 << 20, ' ');
    char error[1000] = "";
    if (mj_saveXMLString(spec, text.data(), static_cast<int>(text.size()), error, sizeof(error)) != 0) return error;
    return text.c_str();
  }
};

std::string Contents(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string ErrorOfText(const std::string& xml) {
  try {
    ModelFromText(xml);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(CarrierTest, IsReadBackAsItWasWritten) {
  for (const char* name :
       {"muscle/legs18.xml", "muscle/walker18.xml", "muscle/knee.xml", "compliant/hop.xml", "compliant/arm.xml"}) {
    const Compiled model(ModelsFile(name));
    const std::string file = testing::TempDir() + "carried.xml";
    char error[1000] = "";
    ASSERT_EQ(sinew_saveCarrierXml(model.spec, file.c_str(), error, sizeof(error)), 0) << error;
    const Compiled again(file);
    ASSERT_TRUE(again.model) << name << mjs_getError(again.spec);
    EXPECT_EQ(again.Text(), model.Text()) << name;

    // outside of texts nothing of it is seen
    const std::string known = Without(Without(Contents(file), "<text", ">"), "<!--", "-->");
    for (const char* word : {"musculotendon", "contactmodel", "accuracy", "modulus", "merson", "euler2", "fiber",
                             "\"ff\"", "dryfriction", "slipspeed", "rotation", "translation", "simmspline"}) {
      EXPECT_EQ(known.find(word), std::string::npos) << name << " " << word;
    }
    std::remove(file.c_str());
  }
}

TEST(CarrierTest, ModelsWithoutExtensionsAreWrittenAsEver) {
  const Compiled model(ModelsFile("humanoid.xml"));
  const std::string file = testing::TempDir() + "plain.xml";
  ASSERT_EQ(sinew_saveCarrierXml(model.spec, file.c_str(), nullptr, 0), 0);
  EXPECT_EQ(Contents(file), model.Text());
  std::remove(file.c_str());
}

TEST(CarrierTest, TextsWithoutAPlaceAreErrors) {
  const auto load = [](const std::string& name, const std::string& data) {
    return ErrorOfText("<mujoco><custom><text name=\"" + name + "\" data=\"" + data +
                       "\"/></custom><worldbody><geom name=\"g\" size=\"1\"/></worldbody></mujoco>");
  };
  EXPECT_NE(load("sinew/geom/h", "&lt;geom/&gt;").find("is not there"), std::string::npos);
  EXPECT_NE(load("sinew/geom/g", "contactmodel").find("does not hold an element"), std::string::npos);
  EXPECT_NE(load("sinew/geom/g", "&lt;geom/&gt;&lt;geom/&gt;").find("does not hold an element"), std::string::npos);
  EXPECT_NE(load("sinew/geom/g", "&lt;geom size='1' colour='3'/&gt;").find("colour"), std::string::npos);
  EXPECT_NE(load("sinew/default/main", "&lt;musculotendon/&gt;").find("is not there"), std::string::npos);
  EXPECT_EQ(load("sinew/geom/g", "&lt;geom name='g' size='1' contactmodel='hertz' modulus='1e6'/&gt;"), "");
  EXPECT_EQ(load("mine", "contactmodel"), "");
}

TEST(CarrierTest, PathsAroundEllipsoidsHaveNoStandIn) {
  const std::string file = testing::TempDir() + "ellipsoid.xml";
  std::ofstream(file)
      << R"(<mujoco><worldbody><site name="a"/><geom name="e" type="ellipsoid" size=".1 .2 .3" pos="1 0 0"/>
    <site name="b" pos="2 0 0"/></worldbody><tendon><spatial name="t"><site site="a"/><geom geom="e"/><site site="b"/></spatial></tendon></mujoco>)";
  const Compiled model(file);
  char error[1000] = "";
  EXPECT_EQ(sinew_saveCarrierXml(model.spec, file.c_str(), error, sizeof(error)), -1);
  EXPECT_NE(std::string(error).find("tendon 't' wraps around ellipsoids"), std::string::npos) << error;
  std::remove(file.c_str());
}

}  // namespace
}  // namespace sinew
