// Limit forces, ligaments and bushings in packs: every lane equals the run of its world alone, bit for bit.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/lane_steps.h"
#include "tests/support/passive_tree.h"

namespace sinew::testing {
namespace {

class LanesOfPassiveElements : public Lanes {};

// A ball on a plane, for contacts beside.
constexpr char kRolling[] =
    R"(<geom type="plane" size="9 9 1" pos="0 0 -2"/><body pos="3 3 -1.9"><freejoint/><geom size=".1"/></body>)";

TEST_P(LanesOfPassiveElements, StepsEqualWorldsAlone) {
  for (const char* option : {"integrator='implicitfast'", "integrator='implicit'", "integrator='RK4'", ""}) {
    SCOPED_TRACE(option);
    // explicit steps are short: bodies spin fast where an angle of a bushing is not defined
    std::string xml = PassiveTree(option, /*bushings=*/true, "1e-4");
    xml.insert(xml.find("</worldbody>"), kRolling);
    ExpectStepsEqualAlone(*ReadModel(xml), *GetParam());
    if (HasFatalFailure()) return;
  }
}
SINEW_ON_ALL_LANES(LanesOfPassiveElements);

}  // namespace
}  // namespace sinew::testing
