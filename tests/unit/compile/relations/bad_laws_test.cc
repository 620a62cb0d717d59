// Numbers of laws of force that would feed energy, or have no effect, are told when a model is compiled.
#include <gtest/gtest.h>

#include <mujoco/mujoco.h>

#include <string>

#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

std::string Motor(const std::string& friction) {
  return "<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>"
         "<dcmotor joint='j' motorconst='.1' resistance='1' dryfriction='" +
         friction + "'/></actuator>";
}

TEST(BadLaws, DryFrictionOfMotorsIsNotNegative) {
  EXPECT_NO_THROW(CompileXml(Motor("0.1 0.01")));
  for (const char* wrong : {"-1", "nan", "inf", "0.1 -1"}) {
    EXPECT_NE(ErrorOf(Motor(wrong)).find("dryfriction"), std::string::npos) << wrong;
  }
}

std::string Fibre(const std::string& damping) {
  return "<worldbody><site name='a'/><body pos='0 0 -.5'><joint type='slide' axis='0 0 1'/><geom size='.05'/><site "
         "name='b'/></body>"
         "</worldbody><tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon><actuator>"
         "<musculotendon tendon='t' force='100' fiberlength='.1' slacklength='.4' fiberdamping='" +
         damping + "'/></actuator>";
}

TEST(BadLaws, DampingOfFibresIsFinite) {
  EXPECT_NO_THROW(CompileXml(Fibre("0.1")));
  for (const char* wrong : {"inf", "-1", "nan"}) {
    EXPECT_NE(ErrorOf(Fibre(wrong)).find("fiberdamping"), std::string::npos) << wrong;
  }
}

// What a load of this geom warns of; a compliant law of any geom gives the numbers an effect.
std::string WarningOf(const std::string& geom) {
  mjVFS files;
  mj_defaultVFS(&files);
  const std::string text =
      "<mujoco><worldbody><geom name='g' type='sphere' size='.1' " + geom + "/></worldbody></mujoco>";
  mj_addBufferVFS(&files, "m.xml", text.data(), static_cast<int>(text.size()));
  char error[1000] = "";
  mjModel* model = mj_loadXML("m.xml", &files, error, sizeof error);
  EXPECT_NE(model, nullptr) << error;
  mj_deleteModel(model);
  mj_deleteVFS(&files);
  return error;
}

TEST(BadLaws, NumbersOfContactsWithoutALawAreTold) {
  for (const char* name : {"modulus", "stiffness", "dissipation", "curvature"}) {
    EXPECT_NE(WarningOf(std::string(name) + "='1'").find(name), std::string::npos);
  }
  EXPECT_EQ(WarningOf("contactmodel='hertz' modulus='1e6'"), "");
  EXPECT_EQ(WarningOf(""), "");
}

}  // namespace
}  // namespace sinew
