#include "spec/replicate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.h"

namespace sinew {
namespace {

constexpr std::size_t kNoLimit = 1000;

// A frame with a body "b" that has a joint "j".
Frame& AddPrototype(Spec& spec) {
  Frame& frame = spec.world().Add<Frame>();
  Body& body = spec.world().Add<Body>(nullptr, &frame);
  spec.SetName(body, "b");
  spec.SetName(body.Add<Joint>(), "j");
  return frame;
}

template <class T>
std::vector<std::string> NamesOf(const ElementList<T>& list) {
  std::vector<std::string> names;
  for (const auto& element : list) names.push_back(element->name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Replicate, CopiesStandOnAScrew) {
  Spec spec;
  const Replication replication = {3, {1, 0, 0}, {0, 0, 90}, ""};
  Replicate(spec, AddPrototype(spec), replication, kNoLimit);
  // A step forward, then turns of 90 degrees: the corners of a square.
  const double expected[3][2] = {{0, 0}, {1, 0}, {1, 1}};
  ASSERT_EQ(spec.world().frames.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Frame& frame = *spec.world().frames[i];
    EXPECT_NEAR(frame.pos[0], expected[i][0], 1e-15);
    EXPECT_NEAR(frame.pos[1], expected[i][1], 1e-15);
    EXPECT_EQ(frame.alt.euler[2], 90.0 * static_cast<double>(i));
    EXPECT_EQ(spec.world().bodies[i]->frame, &frame);
  }
}

TEST(Replicate, NumbersHaveAsManyDigitsAsTheCount) {
  Spec spec;
  Replicate(spec, AddPrototype(spec), {10, {}, {}, "-"}, kNoLimit);
  EXPECT_EQ(spec.world().bodies.front()->name, "b-00");
  EXPECT_EQ(spec.world().bodies.back()->name, "b-09");
  EXPECT_NE(spec.Find<Joint>("j-05"), nullptr);
  EXPECT_EQ(spec.Find<Joint>("j"), nullptr);
}

TEST(Replicate, WhatRefersToTheFrameIsCopiedWithIt) {
  Spec spec;
  Frame& frame = AddPrototype(spec);
  Tendon& tendon = spec.Add<Tendon>();
  spec.SetName(tendon, "t");
  tendon.AddWrap(mjWRAP_JOINT).target = "j";
  tendon.AddWrap(mjWRAP_JOINT).target = "elsewhere";
  Actuator& actuator = spec.Add<Actuator>();
  actuator.trntype = mjTRN_TENDON;
  *actuator.target = "t";
  Sensor& other = spec.Add<Sensor>();
  other.type = mjSENS_CLOCK;
  spec.SetName(other, "clock");

  Replicate(spec, frame, {2, {}, {}, ""}, kNoLimit);
  EXPECT_EQ(NamesOf(spec.List<Tendon>()), (Names{"t0", "t1"}));
  EXPECT_EQ(spec.List<Tendon>()[1]->path[0]->target, "j1");
  EXPECT_EQ(spec.List<Tendon>()[1]->path[1]->target, "elsewhere");
  ASSERT_EQ(spec.List<Actuator>().size(), 2u);
  EXPECT_EQ(*spec.List<Actuator>()[1]->target, "t1");
  EXPECT_EQ(NamesOf(spec.List<Sensor>()), (Names{"clock"}));
}

TEST(Replicate, NoCopiesRemoveTheFrame) {
  Spec spec;
  Replicate(spec, AddPrototype(spec), {0, {}, {}, ""}, kNoLimit);
  EXPECT_TRUE(spec.world().bodies.empty());
  EXPECT_TRUE(spec.world().frames.empty());
  EXPECT_EQ(spec.Find<Body>("b"), nullptr);
}

// Each copy in turn has the values of the original; then comes the keyframe in which none has them.
TEST(Replicate, KeyframesAreCopiedToo) {
  Spec spec;
  Joint& before = spec.world().Add<Body>().Add<Joint>();
  before.type = mjJNT_SLIDE;
  Frame& frame = AddPrototype(spec);
  Key& key = spec.Add<Key>();
  spec.SetName(key, "k");
  *key.qpos = {1, 2};
  Replicate(spec, frame, {2, {}, {}, ""}, kNoLimit);
  const auto& keys = spec.pending_keys;
  EXPECT_EQ(NamesOf(keys), (Names{"k0", "k1", "k"}));
  EXPECT_EQ(*keys[0]->qpos, (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(*keys[1]->qpos, (std::vector<double>{1, 0, 2}));
  EXPECT_EQ(*keys[2]->qpos, (std::vector<double>{1, 0, 0}));
}

// They may be keyframes of the whole model, which the reader checks at the end.
TEST(Replicate, KeyframesOfAnotherSizeStay) {
  Spec spec;
  Frame& frame = AddPrototype(spec);
  Key& key = spec.Add<Key>();
  *key.qpos = {1, 2};
  EXPECT_TRUE(Replicate(spec, frame, {2, {}, {}, ""}, kNoLimit).has_state);
  EXPECT_TRUE(spec.pending_keys.empty());
  EXPECT_EQ(*key.qpos, (std::vector<double>{1, 2}));
}

TEST(Replicate, SceneryChangesNoKeyframes) {
  Spec spec;
  spec.world().Add<Body>().Add<Joint>();
  Frame& frame = spec.world().Add<Frame>();
  spec.world().Add<Geom>(nullptr, &frame);
  Key& key = spec.Add<Key>();
  *key.qpos = {1};
  EXPECT_FALSE(Replicate(spec, frame, {2, {}, {}, ""}, kNoLimit).has_state);
  EXPECT_TRUE(spec.pending_keys.empty());
  EXPECT_EQ(*key.qpos, (std::vector<double>{1}));
}

TEST(Replicate, RefusesWhatWouldNotFitBeforeMakingIt) {
  Spec spec;
  Frame& frame = AddPrototype(spec);
  EXPECT_THROW(Replicate(spec, frame, {1000000000, {}, {}, ""}, kNoLimit), Error);
  EXPECT_EQ(NamesOf(spec.world().bodies), (Names{"b"}));
}

}  // namespace
}  // namespace sinew
