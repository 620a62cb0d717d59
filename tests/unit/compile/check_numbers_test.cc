#include "compile/check_numbers.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string ErrorOf(const std::string& xml) {
  try {
    ModelFromText(xml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckNumbers, NaNThatReachesTheModelIsAnErrorAtItsAttribute) {
  const std::string error =
      ErrorOf("<mujoco>\n<worldbody>\n<body pos='1 2 nan'><geom size='1'/></body>\n</worldbody>\n</mujoco>");
  EXPECT_NE(error.find("test.xml:3"), std::string::npos) << error;
  EXPECT_NE(error.find("'pos'"), std::string::npos) << error;
  EXPECT_NE(error.find("not a number"), std::string::npos) << error;
}

TEST(CheckNumbers, NaNInOptionsIsAnError) {
  EXPECT_NE(ErrorOf("<mujoco><option timestep='nan'/></mujoco>"), "");
  EXPECT_NE(ErrorOf("<mujoco><option gravity='0 0 nan'/></mujoco>"), "");
}

TEST(CheckNumbers, NaNMeansUndefinedWhereThatExists) {
  const ModelPtr m =
      ModelFromText("<mujoco><worldbody><body><joint/><geom size='.1' mass='nan'/></body></worldbody></mujoco>");
  EXPECT_NEAR(m->body_mass[1], 1000 * 4 * M_PI / 3 * 1e-3, 1e-9);  // from the density
}

}  // namespace
}  // namespace sinew
