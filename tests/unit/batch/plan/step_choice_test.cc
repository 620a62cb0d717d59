// The choice between packs and single worlds, on chunks whose times are made up.
#include "batch/plan/step_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sinew {
namespace {

// Seconds of a step of a pack, and of a world by itself.
struct Times {
  double pack, world;
};

// Runs chunks, and returns the seconds that they took; `in_packs`: how many took a pack.
double RunChunks(StepChoice& choice, const Times& times, int worlds, int chunks, int* in_packs, int steps = 1) {
  double total = 0;
  *in_packs = 0;
  for (int i = 0; i < chunks; ++i) {
    const bool pack = choice.TakesPack(worlds, steps);
    const double seconds = steps * (pack ? times.pack : worlds * times.world);
    if (choice.WantsTime()) choice.Note(worlds, steps, seconds);
    *in_packs += pack;
    total += seconds;
  }
  return total;
}

// The slower way is tried so rarely that it costs half a percent of the time, and a little more while nothing is known.
TEST(StepChoice, TakesTheFasterWay) {
  for (const Times& times : {Times{2e-6, 1e-6}, Times{64e-6, 4e-6}, Times{300e-6, 1e-6}}) {
    StepChoice choice;
    int in_packs;
    RunChunks(choice, times, 8, 200, &in_packs);
    const double total = RunChunks(choice, times, 8, 10000, &in_packs);
    const double best = 10000 * std::min(times.pack, 8 * times.world);
    EXPECT_LT(total, 1.01 * best);
    EXPECT_EQ(in_packs > 5000, times.pack < 8 * times.world);
  }
}

TEST(StepChoice, CountsTheWorldsOfAChunk) {
  StepChoice choice;
  int in_packs;
  RunChunks(choice, {20e-6, 8e-6}, 8, 1000, &in_packs);
  EXPECT_GT(in_packs, 900);
  RunChunks(choice, {20e-6, 8e-6}, 2, 100, &in_packs);  // the last worlds of a batch, in a pack with empty lanes
  EXPECT_LT(in_packs, 10);
  RunChunks(choice, {20e-6, 8e-6}, 1, 100, &in_packs);
  EXPECT_EQ(in_packs, 0);
}

// Bodies fall into a heap, where worlds have little in common.
TEST(StepChoice, FollowsTimesThatChange) {
  StepChoice choice;
  int in_packs;
  RunChunks(choice, {10e-6, 4e-6}, 8, 1000, &in_packs);
  EXPECT_GT(in_packs, 900);
  RunChunks(choice, {100e-6, 5e-6}, 8, 1000, &in_packs);
  EXPECT_LT(in_packs, 100);
  RunChunks(choice, {10e-6, 4e-6}, 8, 2000, &in_packs);
  EXPECT_GT(in_packs, 1500);
}

// A thread that was stopped for a while measures nonsense.
TEST(StepChoice, ForgetsASingleLongTime) {
  StepChoice choice;
  int in_packs;
  RunChunks(choice, {10e-6, 4e-6}, 8, 100, &in_packs);
  while (!choice.TakesPack(8, 1) || !choice.WantsTime()) {
  }
  choice.Note(8, 1, 1.0);
  RunChunks(choice, {10e-6, 4e-6}, 8, 1000, &in_packs);
  EXPECT_GT(in_packs, 900);
}

}  // namespace
}  // namespace sinew
