// Models and data as text.
#include "model/text/print.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr char kPendulum[] = R"(
  <mujoco model="pendulum"><worldbody><body name="arm"><joint name="hinge" axis="0 1 0"/>
  <geom name="bob" size=".1" mass="2"/></body></worldbody></mujoco>)";

void ExpectHas(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

TEST(Print, FormatsAreThoseOfOneNumber) {
  for (const char* format : {"%f", "% -9.2g", "%+012.10e", "%#.3G"}) EXPECT_TRUE(IsNumberFormat(format)) << format;
  for (const char* format : {"", "%", "g", "%d", "%s", "%n", "%g%g", "%--g", "%*g", "%lg", "%.g.g", "%100g", "%.999f",
                             "%1.1111111111111111111f"}) {
    EXPECT_FALSE(IsNumberFormat(format)) << format;
  }
}

TEST(Print, ModelsShowSizesOptionsAndObjects) {
  const ModelPtr m = ModelFromText(kPendulum);
  const std::string text = PrintModel(*m, "%.3f");
  ExpectHas(text, "model name     pendulum\n");
  ExpectHas(text, "\n  nbody               2\n");
  ExpectHas(text, "\n  gravity            0.000 0.000 -9.810\n");
  ExpectHas(text, "\nBODY 1:\n  name                  arm\n");
  ExpectHas(text, "\n  jnt_axis             0.000 1.000 0.000 \n");
  ExpectHas(text, "\nqpos0                0.000 \n");
}

// Names and texts stand in full, however long they are.
TEST(Print, LongTextsAreNotCut) {
  const std::string text(5000, 'x');
  const ModelPtr m =
      ModelFromText("<mujoco><custom><text name='note' data='" + text + "'/></custom><worldbody/></mujoco>");
  ExpectHas(PrintModel(*m, kDefaultNumberFormat), "  value        " + text + "\n");
}

TEST(Print, DataShowStateAndContacts) {
  const World world(ModelFromText(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .05">
      <freejoint/><geom size=".1"/></body></worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  const std::string text = PrintData(*world.m, *world.d, "%.2f");
  ExpectHas(text, "\nQPOS\n  0.00\n  0.00\n  0.05\n");
  ExpectHas(text, "\nCONTACT\n  0:\n");
  ExpectHas(text, "\n     dist          -0.05\n");
  ExpectHas(text, "\nEFC_FORCE\n");
}

// A picture shows where a matrix has entries.
TEST(Print, PatternsArePictures) {
  const ModelPtr m = ModelFromText(R"(<mujoco><worldbody><body><joint/><geom size=".1"/>
      <body><joint/><geom size=".1"/></body><body><joint/><geom size=".1"/></body></body></worldbody></mujoco>)");
  ExpectHas(PrintModel(*m, kDefaultNumberFormat),
            "\nM: reduced inertia matrix\n-----\n x   |\n xx  |\n x x |\n-----\n");
}

// Labels of whole numbers and of reals with room for a sign end in the same column.
TEST(Print, ColumnsAreAligned) {
  const ModelPtr m = ModelFromText(kPendulum);
  const std::string text = PrintModel(*m, kDefaultNumberFormat);
  ExpectHas(text, "\n  timestep            0.002   \n");
  ExpectHas(text, "\n  iterations          100\n");
}

}  // namespace
}  // namespace sinew
