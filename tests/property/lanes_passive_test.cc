// Limit forces, ligaments and bushings in packs: every lane equals the run of its world alone, bit for bit.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/lane_steps.h"
#include "tests/support/passive_tree.h"

namespace sinew::testing {
namespace {

class LanesOfPassiveElements : public Lanes {};

TEST_P(LanesOfPassiveElements, StepsEqualWorldsAlone) {
  for (const char* option : {"integrator='implicitfast'", "integrator='implicit'", "integrator='RK4'", ""}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(PassiveTree(option)), *GetParam());
    if (HasFatalFailure()) return;
  }
}
SINEW_ON_ALL_LANES(LanesOfPassiveElements);

}  // namespace
}  // namespace sinew::testing
