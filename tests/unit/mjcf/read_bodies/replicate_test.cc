// Replicates in documents: nesting, limits, messages.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compile/compile.h"

#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

TEST(ReadReplicate, InnerOnesComeFirst) {
  const auto spec =
      ReadWorld("<replicate count='2' sep='-'><replicate count='3' sep='_'><body name='b'/></replicate></replicate>");
  std::string names;
  for (const auto& body : spec->world().bodies) names += body->name + " ";
  EXPECT_EQ(names, "b_0-0 b_1-0 b_2-0 b_0-1 b_1-1 b_2-1 ");
}

TEST(ReadReplicate, KeepsTheOrderOfSiblings) {
  const auto spec = ReadWorld("<geom name='a'/><replicate count='2'><geom name='g'/></replicate><geom name='z'/>");
  std::string names;
  for (const auto& geom : spec->world().geoms) names += geom->name + " ";
  EXPECT_EQ(names, "a g0 g1 z ");
}

TEST(ReadReplicate, KeyframesTakeUpWhatIsReadLater) {
  const auto spec = Read(
      "<keyframe><key qpos='5'/></keyframe><worldbody>"
      "<replicate count='2'><body><joint/></body></replicate><body><joint/></body></worldbody>");
  const auto& keys = spec->pending_keys;
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(*keys[1]->qpos, (std::vector<double>{0, 5, 0}));
}

TEST(ReadReplicate, KeyframesOfAnotherSizeAreRefused) {
  ExpectParts(ErrorOf("\n<keyframe><key name='k' qpos='5 6 7'/></keyframe><worldbody>"
                      "<replicate count='2'><body><joint/></body></replicate></worldbody>"),
              {"test.xml:3", "keyframe 'k'", "3 numbers of qpos", "has 2"});
}

// Attributes without effect are taken, as in files that exist, and named in a warning.
TEST(ReadReplicate, UnknownAttributesAreWarnings) {
  const auto spec = ReadWorld("<replicate count='2' prefix='x'><frame zz='1'><geom name='g'/></frame></replicate>");
  EXPECT_EQ(spec->world().geoms.size(), 2u);
  ASSERT_EQ(spec->warnings.size(), 2u);
  ExpectParts(spec->warnings[0], {"'prefix' is ignored"});
  ExpectParts(spec->warnings[1], {"'zz' is ignored"});
}

TEST(ReadReplicate, HostileCountsAreRefusedAtOnce) {
  ExpectParts(ErrorOfWorld("\n<replicate count='1000000000'><geom/></replicate>"),
              {"test.xml:3", "replicate", "too many elements", "lower 'count'"});
  std::string nested = "<geom/>";
  for (int i = 0; i < 10; ++i) nested = "<replicate count='100'>" + nested + "</replicate>";
  ExpectParts(ErrorOfWorld(nested), {"too many elements"});
  std::string keys = "<keyframe>";
  for (int i = 0; i < 100; ++i) keys += "<key qpos='1'/>";
  ExpectParts(
      ErrorOf(keys + "</keyframe><worldbody><replicate count='50000'><body><joint/></body></replicate></worldbody>"),
      {"too many elements"});
}

// ---- keyframes

constexpr const char* kSlide = "<body><joint type='slide'/><geom size='.1'/></body>";
constexpr const char* kScenery = "<replicate count='2' offset='0 1 0'><geom size='.1'/></replicate>";

std::string WithKey(const std::string& world, const std::string& qpos) {
  return "<worldbody>" + world + "</worldbody><keyframe><key name='k' qpos='" + qpos + "'/></keyframe>";
}

// A key of the whole model is as it is written, whatever stands around a replicate or in it.
TEST(ReadReplicate, KeyframesOfTheWholeModelStay) {
  const std::string slides = std::string("<replicate count='2' offset='0 1 0'>") + kSlide + "</replicate>";
  const struct {
    std::string world, qpos;
    std::vector<double> expected;
  } cases[] = {{kSlide + std::string(kScenery) + kSlide, ".1 .2", {.1, .2}},
               {kScenery + std::string(kSlide) + kScenery, ".1", {.1}},
               {kSlide + slides + kSlide, ".1 .2 .3 .4", {.1, .2, .3, .4}},
               {slides + kScenery + kSlide, ".1 .2 .3", {.1, .2, .3}},
               {"<replicate count='2' offset='1 0 0'>" + slides + "</replicate>", "1 2 3 4", {1, 2, 3, 4}}};
  for (const auto& [world, qpos, expected] : cases) {
    const auto spec = Read(WithKey(world, qpos));
    const ModelPtr m = Compile(*spec, nullptr);
    ASSERT_EQ(m->nkey, 1) << world;
    ASSERT_EQ(m->nq, std::ssize(expected)) << world;
    EXPECT_EQ(std::vector<double>(m->key_qpos, m->key_qpos + m->nq), expected) << world;
    EXPECT_NE(spec->Find<Key>("k"), nullptr) << "the name stays";
  }
}

// A key of what stands before it and of its content once is one for each copy (as in MuJoCo 3.8.0); others are errors.
TEST(ReadReplicate, KeyframesOfThePrototypeAreMultiplied) {
  const std::string world =
      kSlide + ("<replicate count='2' offset='0 1 0'>" + std::string(kSlide)) + "</replicate>" + kSlide;
  const auto spec = Read(WithKey(world, ".1 .2"));
  const ModelPtr m = Compile(*spec, nullptr);
  ASSERT_EQ(m->nkey, 3);
  EXPECT_EQ(std::vector<double>(m->key_qpos, m->key_qpos + 4), (std::vector<double>{.1, .2, 0, 0}));
  for (const char* qpos : {".1", ".1 .2 .3", "1 2 3 4 5"}) {
    ExpectParts(ErrorOf(WithKey(world, qpos)), {"keyframe 'k'", "where the model has 4", "whole model"});
  }
}

// A negative number of copies is none, as in MuJoCo 3.8.0.
TEST(ReadReplicate, BadCounts) {
  EXPECT_TRUE(ReadWorld("<replicate count='-1'><geom/></replicate>")->world().geoms.empty());
  ExpectParts(ErrorOfWorld("<replicate><geom/></replicate>"), {"count"});
}

}  // namespace
}  // namespace sinew::mjcf
