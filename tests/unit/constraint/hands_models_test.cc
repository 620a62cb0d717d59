// The scenes of models/hands do what they show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

const double* PlaceOf(const World& w, const char* body) {
  return w.d->xpos + 3 * mj_name2id(w.m.get(), mjOBJ_BODY, body);
}

void RunFor(World& w, double seconds) {
  for (const double end = w.d->time + seconds; w.d->time < end;) mj_step(w.m.get(), w.d.get());
}

TEST(HandsModelsTest, TheConveyorSortsParcelsByHeight) {
  World w(ModelFromFile("hands/conveyor.xml"));
  while (w.d->time < 15) mj_step(w.m.get(), w.d.get());
  for (const char* low : {"low1", "low2"}) {
    // in the box: 0.3 m to each side of its middle
    EXPECT_NEAR(PlaceOf(w, low)[0], 1.45, 0.3) << low;
    EXPECT_NEAR(PlaceOf(w, low)[1], -0.72, 0.3) << low;
  }
  for (const char* tall : {"tall1", "tall2"}) {
    EXPECT_LT(PlaceOf(w, tall)[1], -0.3) << tall;
    EXPECT_LT(PlaceOf(w, tall)[0], 0.9) << tall;
  }
}

TEST(HandsModelsTest, TheHandTurnsItsCube) {
  World w(ModelFromFile("hands/hand_cube.xml"));
  const auto go = [&](double seconds, double turn, double pinch) {
    w.d->ctrl[0] = turn;
    for (int i = 1; i < 5; ++i) w.d->ctrl[i] = pinch;
    RunFor(w, seconds);
  };
  const double* cube = w.d->qpos + w.m->nq - 7;
  for (int i = 0; i < 2; ++i) {
    go(.5, -M_PI / 4, 0);
    go(.3, -M_PI / 4, .02);
    go(.8, M_PI / 4, .02);
    go(.3, M_PI / 4, 0);
  }
  // half a turn, and some degrees by which the fingers straighten it when they pinch
  EXPECT_NEAR(2 * std::atan2(std::fabs(cube[6]), std::fabs(cube[3])), M_PI, .2);
  EXPECT_NEAR(cube[0], 0, 1e-3);
  EXPECT_NEAR(cube[1], 0, 1e-3);
  EXPECT_NEAR(cube[2], .025, 3e-4);
}

TEST(HandsModelsTest, ThePegFindsItsHole) {
  World w(ModelFromFile("hands/peg.xml"));
  double deepest = 0;
  while (w.d->time < 4) {
    w.d->ctrl[0] = -.03 * std::min(w.d->time, 3.0);
    mj_step(w.m.get(), w.d.get());
    for (int i = 0; i < w.d->ncon; ++i) deepest = std::min(deepest, w.d->contact[i].dist);
  }
  const double* peg = PlaceOf(w, "wrist");
  EXPECT_NEAR(peg[2], .04, 1e-4);  // it stands on the ground
  EXPECT_LT(std::hypot(peg[0], peg[1]), 1.5e-4);
  EXPECT_GT(deepest, -3e-4);  // nowhere deeper in steel than its play
}

TEST(HandsModelsTest, ThePadTakesAThingOutOfTheBin) {
  World w(ModelFromFile("hands/bin.xml"));
  RunFor(w, 3);
  int top = 2;
  for (int body = 2; body < w.m->nbody; ++body) {
    const double* at = w.d->xpos + 3 * body;
    EXPECT_LT(std::max(std::fabs(at[0]), std::fabs(at[1])), .2) << body;
    if (at[2] > w.d->xpos[3 * top + 2]) top = body;
  }
  w.d->ctrl[0] = w.d->xpos[3 * top];
  w.d->ctrl[1] = w.d->xpos[3 * top + 1];
  RunFor(w, 1);
  const auto move = [&](double from, double to) {
    for (const double begin = w.d->time; w.d->time < begin + 2;) {
      w.d->ctrl[2] = from + (to - from) * std::min(1.0, (w.d->time - begin) / 1.5);
      mj_step(w.m.get(), w.d.get());
    }
  };
  move(0, -.7);
  move(-.7, 0);
  EXPECT_GT(w.d->xpos[3 * top + 2], .5);
}

}  // namespace
}  // namespace sinew
