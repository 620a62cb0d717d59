// Joints by functions of a coordinate, and couplings by them: every lane equals the run of its world alone, bit for
// bit.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/function_chain.h"
#include "tests/support/lane_steps.h"

namespace sinew::testing {
namespace {

class LanesOfFunctions : public Lanes {};

TEST_P(LanesOfFunctions, StepsEqualWorldsAlone) {
  // a coupling, and a ball that rolls beside the chain
  constexpr char kMore[] = R"(<worldbody><geom type="plane" size="9 9 1"/>
      <body pos="3 3 .1"><freejoint/><geom size=".1"/></body></worldbody>
    <equality><joint joint1="h" joint2="base" function="spline" x="-2 -1 0 1 2" y=".1 -.3 0 .4 .1"/></equality>)";
  for (const char* option : {"integrator='implicitfast'", "integrator='implicit'", "integrator='RK4'", ""}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(FunctionChain(option, kMore, "type='ball'", /*points_move=*/false)), *GetParam());
    if (HasFatalFailure()) return;
  }
}
SINEW_ON_ALL_LANES(LanesOfFunctions);

TEST(LanesOfPoints, RefuseMovingPoints) {
  const ModelPtr m = ReadModel(FunctionChain("", ChainTendons()));
  ASSERT_NE(ObstacleToLanes(*m), nullptr);
  EXPECT_NE(std::string(ObstacleToLanes(*m)).find("move"), std::string::npos);
}

}  // namespace
}  // namespace sinew::testing
