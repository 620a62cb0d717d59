// A worked model: a capsule on a hinge, a box on a ball joint behind it. Values that tests compare with are known to
// twelve decimals.
#ifndef SINEW_TESTS_SUPPORT_TWO_LINKS_H_
#define SINEW_TESTS_SUPPORT_TWO_LINKS_H_

#include "tests/support/tree_model.h"

namespace sinew::testing {

inline constexpr double kTwelveDecimals = 2e-12;

// Its world, in a state with velocities, after the position and velocity stages of the smooth dynamics.
struct TwoLinks {
  TwoLinks();

  ModelPtr m;
  DataPtr d;
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_TWO_LINKS_H_
