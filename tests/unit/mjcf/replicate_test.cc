// Replicates in documents: nesting, limits, messages.
#include <gtest/gtest.h>

#include "read_helpers.h"

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
  ExpectParts(ErrorOf("<keyframe><key name='k' qpos='5 6'/></keyframe><worldbody>\n"
                      "<replicate count='2'><body><joint/></body></replicate></worldbody>"),
              {"test.xml:3", "keyframe 'k'", "2 numbers of qpos", "has 1"});
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

// A negative number of copies is none, as in MuJoCo 3.8.0.
TEST(ReadReplicate, BadCounts) {
  EXPECT_TRUE(ReadWorld("<replicate count='-1'><geom/></replicate>")->world().geoms.empty());
  ExpectParts(ErrorOfWorld("<replicate><geom/></replicate>"), {"count"});
}

}  // namespace
}  // namespace sinew::mjcf
