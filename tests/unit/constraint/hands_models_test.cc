// The scenes of models/hands do what they show.
#include <gtest/gtest.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

TEST(HandsModelsTest, TheConveyorSortsParcelsByHeight) {
  World w(ModelFromFile("hands/conveyor.xml"));
  while (w.d->time < 15) mj_step(w.m.get(), w.d.get());
  const auto place = [&](const char* body) { return w.d->xpos + 3 * mj_name2id(w.m.get(), mjOBJ_BODY, body); };
  for (const char* low : {"low1", "low2"}) {
    // in the box: 0.3 m to each side of its middle
    EXPECT_NEAR(place(low)[0], 1.45, 0.3) << low;
    EXPECT_NEAR(place(low)[1], -0.72, 0.3) << low;
  }
  for (const char* tall : {"tall1", "tall2"}) {
    EXPECT_LT(place(tall)[1], -0.3) << tall;
    EXPECT_LT(place(tall)[0], 0.9) << tall;
  }
}

}  // namespace
}  // namespace sinew
